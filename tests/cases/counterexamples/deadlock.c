/* The logger asks for the configuration while the configuration writes to the log. */
#include <pthread.h>

pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER, config_lock = PTHREAD_MUTEX_INITIALIZER;
int verbose, lines;

void write_log(void) {
    pthread_mutex_lock(&log_lock);
    pthread_mutex_lock(&config_lock);
    if (verbose) lines++;
    pthread_mutex_unlock(&config_lock);
    pthread_mutex_unlock(&log_lock);
}

void *set_verbose(void *arg) {
    pthread_mutex_lock(&config_lock);
    verbose = 1;
    pthread_mutex_lock(&log_lock);
    lines++;
    pthread_mutex_unlock(&log_lock);
    pthread_mutex_unlock(&config_lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set_verbose, 0);
    write_log();
    pthread_join(t, 0);
    return 0;
}
