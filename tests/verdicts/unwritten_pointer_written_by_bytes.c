// check --errors assertion: proved
/* All bytes of a pointer were written, one by one. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node { char *text; } *node;

void *nothing(void *arg) { return 0; }

int main(void)
{
    pthread_t thread;
    node = malloc(sizeof *node);
    for (unsigned i = 0; i < sizeof *node; i++)
        ((char *)&node->text)[i] = 5;
    pthread_create(&thread, 0, nothing, 0);
    assert(((char *)&node->text)[1] != 7);
    return 0;
}
