// check --errors no-race: no-bug|proved
// check --errors assertion --unwind 5: no-bug|proved
/* A loop over a text that may end at any of its steps, and a write after it of which the first half is never seen last. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
char bytes[4], text[4] = "x";
int order;
void *reader(void *arg) {
    char seen[2];
    order = strcmp(text, "ab");
    memcpy(seen, bytes, 2);
    assert(seen[0] <= seen[1]);
    return 0;
}
void *writer(void *arg) {
    strcpy(text, "ab");
    *(short *)bytes = 257;
    return 0;
}
int main(void) {
    pthread_t writing, reading;
    pthread_create(&writing, 0, writer, 0);
    pthread_create(&reading, 0, reader, 0);
    pthread_join(writing, 0);
    pthread_join(reading, 0);
    return 0;
}
