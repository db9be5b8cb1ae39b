// expect: assertion failed
/* A lock-free stack over a fixed pool. pop() reads the next node before it swaps the head: in between, the head can
 * be popped, a second node popped, and the first pushed again (the ABA problem). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { EMPTY = -1 };
int next[2];
_Atomic int head = 0;
int taken[2];

void push(int node) {
    int old = head;
    do next[node] = old; while (!atomic_compare_exchange_strong(&head, &old, node));
}

int pop(void) {
    int old = head;
    while (old != EMPTY && !atomic_compare_exchange_strong(&head, &old, next[old])) ;
    return old;
}

void take(int node) {
    if (node == EMPTY) return;
    assert(!taken[node]);
    taken[node] = 1;
}

void *once(void *arg) {
    take(pop());
    return 0;
}

void *shuffle(void *arg) {
    int first = pop(), second = pop();
    if (second != EMPTY) taken[second] = 1;
    if (first != EMPTY) push(first);
    return 0;
}

int main(void) {
    next[0] = 1;
    next[1] = EMPTY;
    pthread_t a, b;
    pthread_create(&a, 0, once, 0);
    pthread_create(&b, 0, shuffle, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    take(pop());
    return 0;
}
