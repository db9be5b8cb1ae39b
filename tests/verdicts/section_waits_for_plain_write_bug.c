// check --errors race: bug
/* After the plain write, the thread does what nobody sees. */
#include <pthread.h>
void __VERIFIER_assume(int);
struct pair { char tag; int value; };
char busy;
void __VERIFIER_atomic_take(void) { __VERIFIER_assume(busy == 0); busy = 1; }
void __VERIFIER_atomic_give(void) { busy = 0; }
void *second(void *arg) {
    int odd;
    __VERIFIER_atomic_take();
    busy = 0;
    { struct pair made; made.tag = 1; made.value = 2; odd = ((unsigned char *)&made)[1] & 1; }
    return 0;
}
void *first(void *arg) {
    pthread_t other;
    pthread_create(&other, 0, second, 0);
    __VERIFIER_atomic_take();
    return 0;
}
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, first, 0);
    return 0;
}
