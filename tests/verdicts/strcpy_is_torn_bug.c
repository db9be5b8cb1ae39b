// check --errors assertion: bug
/* A text is copied letter by letter. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

char word[3] = "xx";

void *write_word(void *arg) {
    strcpy(word, "yy");
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, write_word, 0);
    __VERIFIER_atomic_begin();
    int same = word[0] == word[1];
    __VERIFIER_atomic_end();
    assert(same);
    return 0;
}
