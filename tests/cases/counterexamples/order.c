/* The worker may run before main has filled in what it works with. */
#include <assert.h>
#include <pthread.h>

struct job {
    int size;
    int *data;
};

struct job job;
int storage[4];

void *work(void *arg) {
    assert(job.data != 0);
    for (int i = 0; i < job.size; i++) job.data[i] = i;
    return 0;
}

int main(void) {
    pthread_t t;
    job.size = 2;
    pthread_create(&t, 0, work, 0);
    job.data = storage;
    pthread_join(t, 0);
    return 0;
}
