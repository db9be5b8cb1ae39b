// check --errors race
/* Deposits and withdrawals take different locks. */
#include <pthread.h>

struct account {
    pthread_mutex_t deposits, withdrawals;
    long balance;
} account = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 100};

void *deposit(void *arg) {
    pthread_mutex_lock(&account.deposits);
    account.balance += 50;
    pthread_mutex_unlock(&account.deposits);
    return 0;
}

void *withdraw(void *arg) {
    pthread_mutex_lock(&account.withdrawals);
    account.balance -= 30;
    pthread_mutex_unlock(&account.withdrawals);
    return 0;
}

int main(void) {
    pthread_t in, out;
    pthread_create(&in, 0, deposit, 0);
    pthread_create(&out, 0, withdraw, 0);
    pthread_join(in, 0);
    pthread_join(out, 0);
    return 0;
}
