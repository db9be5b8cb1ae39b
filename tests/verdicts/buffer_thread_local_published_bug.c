// check --memory-model tso: proved
// check --memory-model pso: bug
// check --memory-model pso --unwind 2 --rounds 5: bug
/* The address of a thread-local variable reaches memory before its value does. */
#include <pthread.h>
#include <assert.h>
_Thread_local int l; int *q;
void *b(void *p) {
  int *z = q;
  if (z && *z != 1)
    assert(0);
  return 0;
}
int main() {
  pthread_t u;
  pthread_create(&u, 0, b, 0);
  l = 1;
  q = &l;
  pthread_join(u, 0);
  return 0;
}
