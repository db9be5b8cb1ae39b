// check --errors assertion: proved
/* Main joins a thread that waits for good; the third thread sees what both did. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t never;
int a, b;

void *waiter(void *arg) {
    a = 1;
    sem_wait(&never);
    return 0;
}

void *look(void *arg) {
    assert(!(a && b == 2));
    return 0;
}

int main(void) {
    pthread_t first, second;
    sem_init(&never, 0, 0);
    pthread_create(&first, 0, waiter, 0);
    pthread_create(&second, 0, look, 0);
    b = 1;
    pthread_join(first, 0);
    b = 2;
    return 0;
}
