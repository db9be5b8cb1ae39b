// check --errors assertion: bug
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
char text[4] = "a";
void *t(void *p) { text[0] = 'b'; text[0] = 'a'; return 0; }
int main(void) {
    pthread_t h;
    char out[8];
    pthread_create(&h, 0, t, 0);
    sprintf(out, "%s", text);
    assert(out[0] == 'a');
    return 0;
}
