// check --errors assertion: proved
/* An input that the thread refuses later was seen by others before. */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);

int published;

void *publish(void *arg) {
    int input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input == 0 || input == 1);
    published = input;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, publish, 0);
    int seen = published;
    assert(seen == 0 || seen == 1);
    return 0;
}
