#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS 200

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static long total;
struct account { pthread_mutex_t m; int balance; } acc[3];
static int history[THREADS * ROUNDS], nh;

static void *count(void *arg)
{
    int id = *(int *)arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        int old = counter;
        counter = old + 1;
        total += id;
        history[nh++] = id;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}
static void move(int from, int to, int amount)
{
    struct account *a = &acc[from < to ? from : to], *b = &acc[from < to ? to : from];
    pthread_mutex_lock(&a->m);             /* always in the same order */
    pthread_mutex_lock(&b->m);
    acc[from].balance -= amount;
    acc[to].balance += amount;
    pthread_mutex_unlock(&b->m);
    pthread_mutex_unlock(&a->m);
}
static void *transfer(void *arg)
{
    int id = *(int *)arg;
    for (int i = 0; i < 60; i++) move((i + id) % 3, (i + id + 1 + i % 2) % 3, i % 7 + id);
    return NULL;
}
static int locked_read(void)
{
    pthread_mutex_lock(&lock);
    int v = counter;
    pthread_mutex_unlock(&lock);
    return v;
}

int main(void)
{
    pthread_t t[THREADS];
    int id[THREADS];
    for (int i = 0; i < THREADS; i++) { id[i] = i + 1; pthread_create(&t[i], NULL, count, &id[i]); }
    int seen = locked_read();
    for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
    printf("%d %ld %d\n", counter, total, nh);
    printf("%d\n", seen >= 0 && seen <= counter);
    int per[THREADS + 1] = { 0 };
    for (int i = 0; i < nh; i++) per[history[i]]++;
    printf("%d %d %d %d\n", per[1], per[2], per[3], per[4]);

    int expect[3] = { 1000, 1000, 1000 };
    for (int i = 0; i < 3; i++) { printf("%d ", pthread_mutex_init(&acc[i].m, NULL)); acc[i].balance = 1000; }
    for (int k = 1; k <= THREADS; k++)
        for (int i = 0; i < 60; i++) { expect[(i + k) % 3] -= i % 7 + k; expect[(i + k + 1 + i % 2) % 3] += i % 7 + k; }
    for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, transfer, &id[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
    int sum = 0;
    for (int i = 0; i < 3; i++) { sum += acc[i].balance; printf("%d ", acc[i].balance == expect[i]); }
    printf("%d %d\n", sum, acc[0].balance);
    for (int i = 0; i < 3; i++) printf("%d ", pthread_mutex_destroy(&acc[i].m));
    printf("%d\n", pthread_mutex_destroy(&lock));
    return 0;
}
