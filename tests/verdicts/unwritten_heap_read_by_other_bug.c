// check --errors assertion: bug
/* Memory of malloc() holds anything, also when another thread reads it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *box;

void *look(void *arg) {
    assert(*box != 4711);
    return 0;
}

int main(void) {
    pthread_t id;
    box = malloc(sizeof *box);
    pthread_create(&id, 0, look, 0);
    pthread_join(id, 0);
    free(box);
    return 0;
}
