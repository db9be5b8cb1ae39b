#include <pthread.h>
#include <stdio.h>

#define SIZE 3
#define ITEMS 40

static struct {
    int buf[SIZE], head, count, closed;
    pthread_mutex_t m;
    pthread_cond_t not_empty, not_full;
} q = { .m = PTHREAD_MUTEX_INITIALIZER };

static void put(int v)
{
    pthread_mutex_lock(&q.m);
    while (q.count == SIZE) pthread_cond_wait(&q.not_full, &q.m);
    q.buf[(q.head + q.count++) % SIZE] = v;
    pthread_cond_signal(&q.not_empty);
    pthread_mutex_unlock(&q.m);
}
static int get(int *v)
{
    int ok = 1;
    pthread_mutex_lock(&q.m);
    while (q.count == 0 && !q.closed) pthread_cond_wait(&q.not_empty, &q.m);
    if (q.count) {
        *v = q.buf[q.head];
        q.head = (q.head + 1) % SIZE;
        q.count--;
        pthread_cond_signal(&q.not_full);
    } else ok = 0;
    pthread_mutex_unlock(&q.m);
    return ok;
}
static void *producer(void *arg) { int base = *(int *)arg; for (int i = 0; i < ITEMS; i++) put(base + i); return NULL; }
struct cons { long sum; int n, ordered, last; };
static void *consumer(void *arg)
{
    struct cons *c = arg;
    int v;
    while (get(&v)) { c->sum += v; c->n++; c->ordered &= v > c->last; c->last = v; }
    return NULL;
}

/* strict alternation: the printed order does not depend on the schedule */
static pthread_mutex_t tm = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t tc = PTHREAD_COND_INITIALIZER;
static int turn;
static void *player(void *arg)
{
    int me = *(int *)arg;
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&tm);
        while (turn % 3 != me) pthread_cond_wait(&tc, &tm);
        printf("%c%d ", 'a' + me, i);
        turn++;
        pthread_cond_broadcast(&tc);
        pthread_mutex_unlock(&tm);
    }
    return NULL;
}

int main(void)
{
    pthread_t p[2], c[2];
    int base[2] = { 0, 1000 };
    struct cons one = { 0, 0, 1, -1 };
    printf("%d %d\n", pthread_cond_init(&q.not_empty, NULL), pthread_cond_init(&q.not_full, NULL));

    /* one of each keeps the order */
    pthread_create(&c[0], NULL, consumer, &one);
    pthread_create(&p[0], NULL, producer, &base[0]);
    pthread_join(p[0], NULL);
    pthread_mutex_lock(&q.m); q.closed = 1; pthread_cond_broadcast(&q.not_empty); pthread_mutex_unlock(&q.m);
    pthread_join(c[0], NULL);
    printf("%ld %d %d\n", one.sum, one.n, one.ordered);

    /* two of each: only the totals are fixed */
    q.closed = 0;
    struct cons two[2] = { { 0 } };
    for (int i = 0; i < 2; i++) { pthread_create(&c[i], NULL, consumer, &two[i]); pthread_create(&p[i], NULL, producer, &base[i]); }
    for (int i = 0; i < 2; i++) pthread_join(p[i], NULL);
    pthread_mutex_lock(&q.m); q.closed = 1; pthread_mutex_unlock(&q.m);
    pthread_cond_broadcast(&q.not_empty);
    for (int i = 0; i < 2; i++) pthread_join(c[i], NULL);
    printf("%ld %d %d\n", two[0].sum + two[1].sum, two[0].n + two[1].n, q.count);

    pthread_t t[3];
    int ids[3] = { 0, 1, 2 };
    for (int i = 2; i >= 0; i--) pthread_create(&t[i], NULL, player, &ids[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    printf("%d\n", turn);
    pthread_cond_signal(&tc);               /* nobody waits: no effect */
    printf("%d %d\n", pthread_cond_destroy(&q.not_empty), pthread_cond_destroy(&q.not_full));
    return 0;
}
