// check --errors assertion: no-bug
// says: valid addresses in memory that was allocated and not written
/* One byte of a pointer is written, the others hold anything: formulas try null and an address where nothing is only. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node { char *text; } *node;

void *nothing(void *arg) { return 0; }

int main(void)
{
    pthread_t thread;
    node = malloc(sizeof *node);
    ((char *)&node->text)[0] = 5;
    pthread_create(&thread, 0, nothing, 0);
    assert(((char *)&node->text)[1] != 7);
    return 0;
}
