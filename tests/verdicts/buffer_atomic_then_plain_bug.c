// check --keep-going --errors assertion --memory-model pso --unwind 2 --rounds 5: bug
// check --errors assertion --memory-model tso --unwind 2 --rounds 5: bug
/* An atomic store waits, and a plain one to the same place after it. */
#include <pthread.h>
#include <assert.h>
char c;
void*t0(void*arg){
  __atomic_store_n(&c,1,__ATOMIC_RELAXED);
  return 0;
}
void*t1(void*arg){
  __atomic_store_n(&c,2,__ATOMIC_RELAXED);
  c=0;
  return 0;
}
int main(){
  pthread_t t,u;
  pthread_create(&t,0,t0,0);
  pthread_create(&u,0,t1,0);
  pthread_join(t,0);
  pthread_join(u,0);
  if(c==0)assert(0);
  if(c==1)assert(0);
  if(c==2)assert(0);
}
