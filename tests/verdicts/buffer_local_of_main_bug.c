// check --errors assertion --memory-model sc: proved
// check --memory-model tso: bug
// check --memory-model tso --unwind 2 --rounds 5: bug
// check --memory-model pso: bug
/* Store buffering on a local variable whose address another thread knows. */
#include <pthread.h>
#include <assert.h>
int y, r0, r1;
void *b(void *p) {
  int *z = p;
  y = 1;
  __sync_synchronize();
  r1 = *z;
  return 0;
}
int main() {
  pthread_t u;
  int l = 0;
  pthread_create(&u, 0, b, &l);
  l = 1;
  r0 = y;
  pthread_join(u, 0);
  if (r0 == 0 && r1 == 0)
    assert(0);
  return 0;
}
