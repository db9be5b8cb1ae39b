// check --errors race: proved
/* Who follows the race must let main look before the section ends the process, and abort is not asked about. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

atomic_int flag;
int x = 1;
unsigned char bytes[2];
int y;

void *ends(void *arg) {
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    __VERIFIER_atomic_begin();
    y = x;
    if (x < 2)
        abort();
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, ends, 0);
    __VERIFIER_assume(bytes[1] > x);
    return 0;
}
