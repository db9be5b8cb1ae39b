// expect: nothing
/* Two accounts, two transfers, both locks always taken in the same order. */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account alice = {PTHREAD_MUTEX_INITIALIZER, 10}, bob = {PTHREAD_MUTEX_INITIALIZER, 10};

void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

void *to_bob(void *arg) {
    transfer(&alice, &bob, 3);
    return 0;
}

void *to_alice(void *arg) {
    transfer(&alice, &bob, -5);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, to_bob, 0);
    pthread_create(&b, 0, to_alice, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(alice.balance == 12 && bob.balance == 8);
    return 0;
}
