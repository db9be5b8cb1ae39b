// check: proved
// says: readers of a read-write lock do not wait
#include <pthread.h>
pthread_rwlock_t l=PTHREAD_RWLOCK_INITIALIZER;
void *f(void*q){ pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0);
 pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); pthread_join(t,0); }
