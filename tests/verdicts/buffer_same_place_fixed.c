// check --memory-model tso: proved
// check --memory-model pso: proved
// check --memory-model pso --unwind 2 --rounds 5: proved
/* Atomic and plain stores to one place stay in order. */
#include <pthread.h>
#include <assert.h>
int y,x;
void*t0(void*arg){
  y=2;
  __atomic_store_n(&y,1,__ATOMIC_RELAXED);
  x=y;
  y=2;
  return 0;
}
int main(){
  pthread_t t;
  pthread_create(&t,0,t0,0);
  pthread_join(t,0);
  if(y!=2)assert(0);
  return 0;
}
