// check --errors race: proved
/* sem_getvalue() stores into the memory of its caller. */
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore;
int value;

void *write(void *arg) { value = 1; return 0; }

int main(void)
{
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, 0, write, 0);

    pthread_join(thread, 0);
    sem_getvalue(&semaphore, &value);
    return 0;
}
