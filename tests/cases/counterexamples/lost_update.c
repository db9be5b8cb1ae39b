/* Deposits read the balance, add to it and write it back: two at once lose one. */
#include <assert.h>
#include <pthread.h>

int balance = 100;

void deposit(int amount) {
    int current = balance;
    balance = current + amount;
}

void *salary(void *arg) {
    deposit(50);
    return 0;
}

void *refund(void *arg) {
    deposit(7);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, salary, 0);
    pthread_create(&b, 0, refund, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance == 157);
    return 0;
}
