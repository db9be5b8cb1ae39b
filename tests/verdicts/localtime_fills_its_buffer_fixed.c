// check --errors assertion: proved
/* localtime_r() writes the fields of the struct it is given, within their ranges. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

struct tm when;

void *ask(void *arg) {
    time_t now = time(0);
    localtime_r(&now, &when);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, ask, 0);
    pthread_join(id, 0);
    assert(when.tm_mon >= 0 && when.tm_mon <= 11);
    return 0;
}
