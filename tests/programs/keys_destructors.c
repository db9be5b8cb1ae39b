#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

static pthread_key_t plain, owned, again_key, deleted;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int freed, freed_sum, rounds, null_calls;
static int bad;

static void free_owned(void *p)
{
    pthread_mutex_lock(&m);
    freed++;
    freed_sum += *(int *)p;
    if (pthread_getspecific(owned) != NULL) bad++;     /* already set to null */
    pthread_mutex_unlock(&m);
    free(p);
}
static void repeat(void *p)
{
    intptr_t n = (intptr_t)p;
    pthread_mutex_lock(&m);
    rounds++;
    if (!p) null_calls++;
    pthread_mutex_unlock(&m);
    if (n > 1) pthread_setspecific(again_key, (void *)(n - 1));   /* asks for one more round */
}
static void never(void *p) { bad += 100; }

static int depth_get(int n) { return n ? depth_get(n - 1) : (int)(intptr_t)pthread_getspecific(plain); }
static void *work(void *arg)
{
    int id = *(int *)arg;
    if (pthread_getspecific(plain) != NULL || pthread_getspecific(owned) != NULL) { pthread_mutex_lock(&m); bad += 1000; pthread_mutex_unlock(&m); }
    pthread_setspecific(plain, (void *)(intptr_t)(id * 10));
    int *p = malloc(sizeof *p);
    *p = id;
    pthread_setspecific(owned, p);
    if (id == 2) { pthread_setspecific(again_key, (void *)3); pthread_setspecific(deleted, &bad); pthread_key_delete(deleted); }
    if (id == 3) { free(p); pthread_setspecific(owned, NULL); }   /* null: no destructor call */
    if (id != 3) *p = id * 2;
    int r = depth_get(3);
    if (id == 1) pthread_exit((void *)(intptr_t)(r + 1));          /* runs them as well */
    return (void *)(intptr_t)r;
}

int main(void)
{
    printf("%d ", pthread_key_create(&plain, NULL));
    printf("%d ", pthread_key_create(&owned, free_owned));
    printf("%d ", pthread_key_create(&again_key, repeat));
    printf("%d\n", pthread_key_create(&deleted, never));
    printf("%d\n", pthread_getspecific(plain) == NULL);
    printf("%d\n", pthread_setspecific(plain, (void *)7));
    pthread_t t[4];
    int id[4] = { 0, 1, 2, 3 };
    for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, &id[i]);
    for (int i = 0; i < 4; i++) {
        void *r;
        pthread_join(t[i], &r);
        printf("%ld ", (long)(intptr_t)r);
    }
    printf("\n");
    printf("%d %d %d %d %d\n", freed, freed_sum, rounds, null_calls, bad);
    printf("%ld\n", (long)(intptr_t)pthread_getspecific(plain));   /* ours is untouched */
    pthread_setspecific(plain, &freed);
    *(int *)pthread_getspecific(plain) += 40;
    printf("%d\n", freed);
    printf("%d %d\n", pthread_key_delete(plain), pthread_key_delete(owned));
    pthread_key_t fresh;
    pthread_key_create(&fresh, NULL);
    printf("%d\n", pthread_getspecific(fresh) == NULL);
    pthread_key_delete(fresh);
    return 0;
}
