/* memcpy, memmove, memset and memcmp on memory that threads share, where they are taken apart into bytes. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static char buffer[16] = "0123456789abcde";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int equal, less;
static void *work(void *arg) {
    char copy[16];
    pthread_mutex_lock(&lock);
    memcpy(copy, buffer, sizeof copy);
    memmove(buffer + 2, buffer, 10);
    memmove(buffer, buffer + 1, 4);
    memset(buffer + 12, 'x', 3);
    equal += memcmp(copy, buffer, 0) == 0;
    less += memcmp(copy, buffer, 16) < 0;
    memcpy(buffer, copy, sizeof copy);
    equal += memcmp(copy, buffer, sizeof copy) == 0;
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%s %d %d\n", buffer, equal, less);
    memmove(buffer + 2, buffer, 10);
    printf("%s\n", buffer);
    return 0;
}
