#include <pthread.h>
#include <stdio.h>
#include <errno.h>

#define N 4
#define ROUNDS 5

static pthread_barrier_t bar, solo;
static int cells[2][N];
static int serial[ROUNDS], others[ROUNDS], wrong[N];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    int me = *(int *)arg;
    for (int r = 0; r < ROUNDS; r++) {
        int *cur = cells[r % 2], *next = cells[(r + 1) % 2];
        next[me] = cur[me] + cur[(me + 1) % N];     /* reads its neighbour's old value */
        int rc = pthread_barrier_wait(&bar);
        pthread_mutex_lock(&m);
        if (rc == PTHREAD_BARRIER_SERIAL_THREAD) serial[r]++;
        else if (rc == 0) others[r]++;
        else wrong[me]++;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}
static int stage[N];
static void *staged(void *arg)
{
    int me = *(int *)arg, bad = 0;
    for (int s = 1; s <= 3; s++) {
        stage[me] = s;
        pthread_barrier_wait(&bar);
        for (int i = 0; i < N; i++) bad += stage[i] != s;
        pthread_barrier_wait(&bar);                 /* nobody goes on while others look */
    }
    wrong[me] += bad;
    return NULL;
}

int main(void)
{
    printf("%d\n", pthread_barrier_init(&bar, NULL, N));
    printf("%d\n", pthread_barrier_init(&solo, NULL, 0) == EINVAL);
    printf("%d\n", PTHREAD_BARRIER_SERIAL_THREAD != 0);
    pthread_t t[N];
    int id[N];
    for (int i = 0; i < N; i++) cells[0][i] = i + 1;
    for (int i = 0; i < N; i++) { id[i] = i; pthread_create(&t[i], NULL, work, &id[i]); }
    for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
    for (int r = 0; r < ROUNDS; r++) printf("%d+%d ", serial[r], others[r]);
    printf("\n");
    for (int i = 0; i < N; i++) printf("%d ", cells[ROUNDS % 2][i]);
    printf("\n");
    for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, staged, &id[i]);
    for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
    printf("%d %d %d %d\n", wrong[0], wrong[1], wrong[2], wrong[3]);
    printf("%d\n", pthread_barrier_destroy(&bar));

    /* the count of one never waits */
    pthread_barrier_init(&solo, NULL, 1);
    for (int i = 0; i < 3; i++) printf("%d ", pthread_barrier_wait(&solo) == PTHREAD_BARRIER_SERIAL_THREAD);
    printf("\n");
    pthread_barrier_destroy(&solo);

    /* the creator takes part; the barrier is made anew with another count */
    pthread_barrier_init(&bar, NULL, 3);
    cells[0][0] = cells[0][1] = cells[1][0] = cells[1][1] = 0;
    int total = 0;
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, &id[i]);
    for (int r = 0; r < ROUNDS; r++) total += pthread_barrier_wait(&bar) != EINVAL;
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    printf("%d\n", total);
    pthread_barrier_destroy(&bar);
    return 0;
}
