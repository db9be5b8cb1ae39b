// expect: assertion failed
#include <assert.h>
#include <pthread.h>
int data, ready;
void *writer(void *p) { ready = 1; data = 42; return 0; }
void *reader(void *p) { if (ready) assert(data == 42); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
