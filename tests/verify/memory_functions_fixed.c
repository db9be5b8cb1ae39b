// expect: nothing
/* Only the second byte changes, and not to what is asserted. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
char buffer[2] = "aa";
void *write(void *p) { buffer[1] = 99; return 0; }
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
