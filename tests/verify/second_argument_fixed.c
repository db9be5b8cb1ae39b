// expect: nothing
/* A function with any number of arguments. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

int x;

int second(int count, ...) {
    va_list list;
    va_start(list, count);
    int value = va_arg(list, int);
    value = va_arg(list, int);
    va_end(list);
    return value;
}

void *set(void *arg) {
    x = second(2, 1, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    pthread_join(thread, 0);
    assert(x == 2);
    return 0;
}
