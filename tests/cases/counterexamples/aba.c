// check --errors assertion,deadlock --unwind 1 --rounds 3
/* A free list of buffers that compares and swaps its head: a buffer that is taken and given back in between fools it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = -1 };
atomic_int head = 0;
int next[3] = {1, 2, NONE};
int owner[3];

int take(void) {
    int first = head;
    if (first == NONE) return NONE;
    int second = next[first];
    if (!atomic_compare_exchange_strong(&head, &first, second)) return NONE;
    return first;
}

void give_back(int buffer) {
    int first = head;
    next[buffer] = first;
    if (!atomic_compare_exchange_strong(&head, &first, buffer)) owner[buffer] = 0;
}

void *slow(void *arg) {
    take();
    return 0;
}

void *busy(void *arg) {
    int a = take(), b = take();
    if (a != NONE && b != NONE) {
        owner[b] = 1;
        give_back(a);
    }
    return 0;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, slow, 0);
    pthread_create(&t, 0, busy, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    int buffer = head;
    if (buffer != NONE) assert(owner[buffer] == 0);
    return 0;
}
