#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT, again = PTHREAD_ONCE_INIT;
static pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static pthread_once_t many[3] = { PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT };
static int runs, runs2, nested_runs, table_runs;
static int *table;
static int seen_ok[5];

static void init(void)
{
    runs++;
    table = malloc(10 * sizeof *table);
    for (int i = 0; i < 10; i++) table[i] = i * i;
}
static void init2(void) { runs2 += 10; }
static void init_inner(void) { nested_runs = nested_runs * 10 + 1; }
static void init_outer(void)
{
    pthread_once(&inner, init_inner);          /* another control inside the routine */
    nested_runs = nested_runs * 10 + 2;
    pthread_once(&inner, init_inner);
}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void init_many(void) { pthread_mutex_lock(&m); table_runs++; pthread_mutex_unlock(&m); }

static int lookup(int i) { pthread_once(&once, init); return table[i]; }
static void *user(void *arg)
{
    int k = *(int *)arg;
    int s = 0;
    for (int i = 0; i < 10; i++) s += lookup(i);
    seen_ok[k] = s == 285 && runs == 1;        /* complete when pthread_once returns */
    pthread_once(&again, init2);
    pthread_once(&many[k % 3], init_many);
    return NULL;
}

int main(void)
{
    pthread_t t[5];
    int id[5];
    for (int i = 0; i < 5; i++) { id[i] = i; pthread_create(&t[i], NULL, user, &id[i]); }
    for (int i = 0; i < 5; i++) pthread_join(t[i], NULL);
    printf("%d %d %d\n", runs, runs2, table_runs);
    printf("%d%d%d%d%d\n", seen_ok[0], seen_ok[1], seen_ok[2], seen_ok[3], seen_ok[4]);
    printf("%d %d\n", lookup(7), runs);
    printf("%d %d\n", pthread_once(&again, init2), runs2);
    pthread_once(&once, init2);                /* already done, whatever the routine */
    printf("%d\n", runs2);
    pthread_once(&outer, init_outer);
    pthread_once(&outer, init_outer);
    printf("%d\n", nested_runs);
    pthread_once_t local = PTHREAD_ONCE_INIT;
    for (int i = 0; i < 4; i++) pthread_once(&local, init2);
    printf("%d\n", runs2);
    free(table);
    return runs;
}
