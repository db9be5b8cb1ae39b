// check --errors assertion: bug
/* strtok_r() cuts a line into words, with a place to remember for each thread. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

char line[] = "ab,,c";
int words;

void *cut(void *arg) {
    char *rest;
    for (char *word = strtok_r(line, ",", &rest); word; word = strtok_r(0, ",", &rest))
        words++;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, cut, 0);
    pthread_join(id, 0);
    assert(words == 3);
    return 0;
}
