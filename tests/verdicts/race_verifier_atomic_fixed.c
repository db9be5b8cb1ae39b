// check --errors race: proved
/* Both increments are inside atomic sections, which never overlap each other. */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int counter;

static void *worker(void *arg)
{
    __VERIFIER_atomic_begin();
    counter++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter;
}
