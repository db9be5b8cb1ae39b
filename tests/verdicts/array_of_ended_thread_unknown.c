// check --errors assertion,memory: no-bug
// says: uses of an array of work()
/* The array of a thread that has ended, of a length that only the execution tells. */
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

char *kept;
unsigned char length;

void *work(void *arg) {
    char list[length];
    list[0] = 0;
    kept = list;
    return 0;
}

int main(void) {
    pthread_t thread;
    length = __VERIFIER_nondet_uchar();
    if (length < 2 || length > 200)
        return 0;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    *kept = 1;
    return 0;
}
