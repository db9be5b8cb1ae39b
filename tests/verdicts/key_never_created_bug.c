// check: bug
// says: a key of thread-specific data is used that does not exist
#include <pthread.h>

pthread_key_t key;

int main(void) {
    pthread_setspecific(key, &key);
    return 0;
}
