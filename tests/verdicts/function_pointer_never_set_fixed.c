// check --errors memory: proved
/* One entry of a table of functions was forgotten. */
#include <pthread.h>

int total;

void add(int n) {
    total += n;
}

void take(int n) {
    total -= n;
}

void (*table[3])(int) = {add, take, add};
int choice;

void *choose(void *arg) {
    choice = 2;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, choose, 0);
    table[choice](1);
    pthread_join(id, 0);
    return 0;
}
