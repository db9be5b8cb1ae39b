// expect: wrong use of a lock
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; int value; };
int main(void) {
    struct box *b = malloc(sizeof *b);
    pthread_mutex_lock(&b->lock);
    pthread_mutex_unlock(&b->lock);
    return 0;
}
