// check --errors race: bug
/* The atomic pointer is published before the second field is written, so that write races with the reader. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int key;
    int value;
};

static _Atomic(struct node *) head;

static void *builder(void *arg)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        return NULL;
    n->key = 1;
    atomic_store(&head, n);
    n->value = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct node *n;
    int sum = 0;
    pthread_create(&t, NULL, builder, NULL);
    n = atomic_load(&head);
    if (n != NULL)
        sum = n->key + n->value;
    pthread_join(t, NULL);
    free(atomic_load(&head));
    return sum;
}
