// expect: nothing
/* snprintf reads another text. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
char shared[4] = "a";
void *write(void *p) { shared[0] = 'b'; return 0; }
int main(void) {
    pthread_t t;
    char own[4];
    pthread_create(&t, 0, write, 0);
    snprintf(own, sizeof own, "%s", "a");
    assert(own[0] == 'a');
    pthread_join(t, 0);
    return 0;
}
