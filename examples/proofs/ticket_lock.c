/* A ticket lock, for any number of threads: two of them never have the same ticket. */
#include <assert.h>
#include <pthread.h>

#define MOST 1000000

_Atomic unsigned next, serving;
unsigned inside;

void *work(void *arg) {
    unsigned ticket = next;
    do {
        if (ticket == MOST)
            return 0;
    } while (!__atomic_compare_exchange_n(&next, &ticket, ticket + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    while (serving != ticket)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    serving = ticket + 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, work, 0);
    }
}
