#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <errno.h>

static sem_t items, spaces, mutex, ping, pong, slots;
static int buf[4], in, out, sum, inside, most;

static int value(sem_t *s) { int v = -1; sem_getvalue(s, &v); return v; }
static void *producer(void *arg)
{
    for (int i = 1; i <= 30; i++) {
        sem_wait(&spaces);
        buf[in++ % 4] = i;
        sem_post(&items);
    }
    return NULL;
}
static void *consumer(void *arg)
{
    for (int i = 1; i <= 30; i++) {
        sem_wait(&items);
        int v = buf[out++ % 4];
        sum += v == i ? v : 100000;
        sem_post(&spaces);
    }
    return NULL;
}
static void *ponger(void *arg)
{
    for (int i = 0; i < 3; i++) { sem_wait(&ping); printf("pong%d ", i); sem_post(&pong); }
    return NULL;
}
static void *limited(void *arg)
{
    for (int i = 0; i < 10; i++) {
        sem_wait(&slots);
        sem_wait(&mutex);
        if (++inside > most) most = inside;
        sem_post(&mutex);
        sem_wait(&mutex);
        inside--;
        sem_post(&mutex);
        sem_post(&slots);
    }
    return NULL;
}
static void *own_errno(void *arg)
{
    sem_t s;
    sem_init(&s, 0, 0);
    errno = 0;
    int before = errno;
    int rc = sem_trywait(&s);
    *(int *)arg = rc == -1 && errno == EAGAIN && before == 0;
    sem_destroy(&s);
    return NULL;
}

int main(void)
{
    sem_t s;
    printf("%d ", sem_init(&s, 0, 2));
    printf("%d\n", value(&s));
    printf("%d ", sem_wait(&s));
    printf("%d ", sem_trywait(&s));
    printf("%d\n", value(&s));
    errno = 0;
    int rc = sem_trywait(&s);
    printf("%d %d %d\n", rc, errno == EAGAIN, value(&s));
    printf("%d ", sem_post(&s));
    sem_post(&s); sem_post(&s);
    printf("%d\n", value(&s));
    int n = 0;
    while (sem_trywait(&s) == 0) n++;
    printf("%d %d\n", n, errno == EAGAIN);
    printf("%d\n", sem_destroy(&s));

    pthread_t a, b, t[4];
    sem_init(&items, 0, 0); sem_init(&spaces, 0, 4);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL); pthread_join(b, NULL);
    printf("%d %d %d\n", sum, value(&items), value(&spaces));

    sem_init(&ping, 0, 0); sem_init(&pong, 0, 0);
    pthread_create(&a, NULL, ponger, NULL);
    for (int i = 0; i < 3; i++) { printf("ping%d ", i); sem_post(&ping); sem_wait(&pong); }
    pthread_join(a, NULL);
    printf("\n");

    sem_init(&slots, 0, 2); sem_init(&mutex, 0, 1);
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, limited, NULL);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    printf("%d %d %d\n", most >= 1 && most <= 2, inside, value(&slots));
    errno = 0;
    int ok = 0;
    pthread_create(&a, NULL, own_errno, &ok);
    pthread_join(a, NULL);
    printf("%d %d\n", ok, errno);              /* errno belongs to each thread */
    return 0;
}
