// check --errors assertion: proved
/* A thread announces itself, then waits for a semaphore that is posted once too seldom. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t tickets;
int waiting;

void *visitor(void *arg) {
    sem_wait(&tickets);
    waiting = 1;
    sem_wait(&tickets);
    waiting = 0;
    return 0;
}

int main(void) {
    pthread_t id;
    sem_init(&tickets, 0, 0);
    pthread_create(&id, 0, visitor, 0);
    assert(waiting == 0);
    assert(waiting == 0);
    return 0;
}
