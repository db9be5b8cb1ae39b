// expect: assertion failed
/* memmove copies byte by byte, and another thread may write in between. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
char buffer[2] = "aa";
void *write(void *p) { buffer[0] = 'b'; buffer[1] = 'b'; return 0; }
void *copy(void *p) {
    char own[2];
    memmove(own, buffer, 2);
    assert(!(own[0] == 'a' && own[1] == 'b'));
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, write, 0);
    pthread_create(&b, 0, copy, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
