// check --errors race
/* The first look at the pointer is outside of the lock. */
#include <pthread.h>
#include <stdlib.h>

struct settings {
    int level;
} *settings;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct settings *get(void) {
    if (!settings) {
        pthread_mutex_lock(&lock);
        if (!settings) {
            struct settings *made = malloc(sizeof *made);
            made->level = 3;
            settings = made;
        }
        pthread_mutex_unlock(&lock);
    }
    return settings;
}

void *use(void *arg) {
    return get()->level == 3 ? arg : 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
