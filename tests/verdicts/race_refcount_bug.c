// check --errors race: bug
/* Both threads decrement a plain reference count, and nothing orders the two decrements. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    int refs;
    int value;
};

static void *user(void *arg)
{
    struct object *o = arg;
    int copy = o->value;
    if (o->refs-- == 1)
        free(o);
    return copy == 8 ? arg : NULL;
}

int main(void)
{
    pthread_t a, b;
    struct object *o = malloc(sizeof *o);
    if (o == NULL)
        return 1;
    o->refs = 2;
    o->value = 8;
    pthread_create(&a, NULL, user, o);
    pthread_create(&b, NULL, user, o);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
