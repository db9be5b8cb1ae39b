// check --errors division: bug
/* The smallest number divided by -1 does not fit, used or not. */
#include <limits.h>
#include <pthread.h>

int number = 7;

void *shrink(void *arg) {
    number = INT_MIN;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, shrink, 0);
    (void)(number % -1);
    pthread_join(id, 0);
    return 0;
}
