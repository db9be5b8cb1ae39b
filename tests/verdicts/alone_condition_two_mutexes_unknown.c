// check: no-bug
// says: one mutex at a time
#include <pthread.h>
pthread_mutex_t m[2]={PTHREAD_MUTEX_INITIALIZER,PTHREAD_MUTEX_INITIALIZER}; pthread_cond_t c=PTHREAD_COND_INITIALIZER;
void*f(void*q){ pthread_mutex_t*p=q; pthread_mutex_lock(p); pthread_cond_wait(&c,p); pthread_mutex_unlock(p); return 0; }
int main(){ pthread_t a,b; pthread_create(&a,0,f,m); pthread_create(&b,0,f,m+1); while(1) pthread_cond_broadcast(&c); }
