// check: proved
#include <pthread.h>

pthread_key_t key;

int main(void) {
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &key);
    return 0;
}
