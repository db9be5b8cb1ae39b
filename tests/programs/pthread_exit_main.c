#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* main leaves by pthread_exit; the process goes on until the last thread is done, status 0 */
static pthread_t main_id, worker;
static int value = 5;

static void at_end(void) { printf("handlers run, value %d\n", value); }

static void *work(void *arg)
{
    void *r;
    int rc = pthread_join(main_id, &r);    /* wait until the first thread has ended */
    printf("joined main %d %d\n", rc, r == &value);
    value *= 3;
    return NULL;
}

int main(void)
{
    main_id = pthread_self();
    atexit(at_end);
    printf("start\n");
    if (pthread_create(&worker, NULL, work, NULL)) return 2;
    pthread_detach(worker);
    pthread_exit(&value);
    return 1;
}
