#include <threads.h>
#include <stdio.h>
#include <stdlib.h>

static mtx_t lock, rec;
static cnd_t cv;
static tss_t key, plain;
static once_flag flag = ONCE_FLAG_INIT;
static int counter, inits, freed, ready, turn;
static thread_local int mine = 5;

static const char *name(int rc)
{
    return rc == thrd_success ? "success" : rc == thrd_busy ? "busy" : rc == thrd_timedout ? "timedout" : rc == thrd_error ? "error" : "other";
}
static void init(void) { inits++; }
static void drop(void *p) { mtx_lock(&lock); freed += *(int *)p; mtx_unlock(&lock); free(p); }

static int count(void *arg)
{
    int id = *(int *)arg;
    call_once(&flag, init);
    mine += id;
    int *p = malloc(sizeof *p);
    *p = id;
    tss_set(key, p);
    for (int i = 0; i < 50; i++) { mtx_lock(&lock); counter++; mtx_unlock(&lock); if (i % 10 == 0) thrd_yield(); }
    return mine * 10 + *(int *)tss_get(key);
}
static int leave(void *arg) { if (arg) thrd_exit(77); return 1; }
static int attempt(void *arg) { int rc = mtx_trylock(arg); if (rc == thrd_success) mtx_unlock(arg); return rc; }
static int waiter(void *arg)
{
    mtx_lock(&lock);
    while (!ready) cnd_wait(&cv, &lock);
    int r = ready++;
    mtx_unlock(&lock);
    return r > 0;
}
static int alternate(void *arg)
{
    int me = *(int *)arg;
    for (int i = 0; i < 3; i++) {
        mtx_lock(&lock);
        while (turn % 2 != me) cnd_wait(&cv, &lock);
        printf("%d%c ", i, 'a' + me);
        turn++;
        cnd_broadcast(&cv);
        mtx_unlock(&lock);
    }
    return 0;
}
static int same(void *arg) { return thrd_equal(thrd_current(), *(thrd_t *)arg) != 0; }
static int run(thrd_start_t f, void *a) { thrd_t t; int r = -1; if (thrd_create(&t, f, a) != thrd_success) exit(9); thrd_join(t, &r); return r; }

int main(void)
{
    printf("%s %s %s\n", name(mtx_init(&lock, mtx_plain)), name(mtx_init(&rec, mtx_plain | mtx_recursive)), name(cnd_init(&cv)));
    printf("%s %s\n", name(tss_create(&key, drop)), name(tss_create(&plain, NULL)));
    thrd_t t[3];
    int id[3] = { 1, 2, 3 }, r;
    for (int i = 0; i < 3; i++) printf("%s ", name(thrd_create(&t[i], count, &id[i])));
    for (int i = 0; i < 3; i++) { thrd_join(t[i], &r); printf("%d ", r); }
    printf("\n%d %d %d %d\n", counter, inits, freed, mine);
    printf("%d %d\n", run(leave, &r), run(leave, NULL));
    printf("%d\n", tss_get(plain) == NULL);
    tss_set(plain, &counter);
    printf("%d\n", *(int *)tss_get(plain));

    mtx_lock(&lock);
    printf("%s %s\n", name(mtx_trylock(&lock)), name(run(attempt, &lock)));
    mtx_unlock(&lock);
    printf("%s\n", name(run(attempt, &lock)));
    mtx_lock(&rec);
    printf("%s", name(mtx_trylock(&rec)));
    printf(" %s", name(mtx_lock(&rec)));
    printf(" %s\n", name(run(attempt, &rec)));
    for (int i = 0; i < 3; i++) mtx_unlock(&rec);
    printf("%s\n", name(run(attempt, &rec)));

    for (int i = 0; i < 3; i++) thrd_create(&t[i], waiter, NULL);
    mtx_lock(&lock); ready = 1; cnd_broadcast(&cv); mtx_unlock(&lock);
    int sum = 0;
    for (int i = 0; i < 3; i++) { thrd_join(t[i], &r); sum += r; }
    printf("%d %d\n", sum, ready);
    int who[2] = { 0, 1 };
    thrd_create(&t[0], alternate, &who[0]); thrd_create(&t[1], alternate, &who[1]);
    thrd_join(t[1], NULL); thrd_join(t[0], NULL);
    printf("%d\n", turn);
    thrd_t me = thrd_current();
    printf("%d %d\n", thrd_equal(me, thrd_current()) != 0, run(same, &me));
    struct timespec past = { 1, 0 };
    mtx_lock(&lock);
    printf("%s\n", name(cnd_timedwait(&cv, &lock, &past)));
    mtx_unlock(&lock);
    tss_delete(key); tss_delete(plain); cnd_destroy(&cv); mtx_destroy(&lock); mtx_destroy(&rec);
    return 0;
}
