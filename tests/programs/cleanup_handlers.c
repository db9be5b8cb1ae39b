/* pthread_cleanup_push() and pthread_cleanup_pop(): handlers run at the pop if it says so, or when the thread ends. */
#include <pthread.h>
#include <stdio.h>

static int order;
static pthread_key_t key;

static void note(void *arg)
{
    order = order * 10 + (int)(long)arg;
}

static void *ends(void *arg)
{
    pthread_setspecific(key, (void *)9);
    pthread_cleanup_push(note, (void *)1);
    pthread_cleanup_push(note, (void *)2);
    if (arg)
        pthread_exit((void *)7);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_key_create(&key, note);
    pthread_create(&thread, NULL, ends, NULL);
    pthread_join(thread, &result);
    printf("%d %d\n", order, result == NULL);
    order = 0;
    pthread_create(&thread, NULL, ends, &order);
    pthread_join(thread, &result);
    printf("%d %d\n", order, result == (void *)7);
    pthread_cleanup_push(note, (void *)3);
    pthread_cleanup_pop(1);
    printf("%d\n", order);
    return 0;
}
