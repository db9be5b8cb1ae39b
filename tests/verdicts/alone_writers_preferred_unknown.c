// check: no-bug|unknown
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>
#include <stdio.h>
pthread_rwlock_t l;
void *f(void*q){ pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); return 0; }
int main(){ pthread_rwlockattr_t a; pthread_rwlockattr_init(&a); pthread_rwlockattr_setkind_np(&a,PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP); pthread_rwlock_init(&l,&a); pthread_t t; pthread_rwlock_rdlock(&l); pthread_create(&t,0,f,0);
#ifdef S
sleep(1);
#endif
pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);pthread_rwlock_unlock(&l);pthread_join(t,0); puts("done");}
