// check: bug
#include <pthread.h>
#include <assert.h>
int x;
void *f(void *arg) { x = 0; return 0; }
void *f2(void *arg) { x++; return 0; }
static int bump(int *q, int n) { if (n <= 0) return *q; *q = n; return bump(q, n - 2); }
int main(void) {
  pthread_t t,u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f2, 0);
  int r = bump(&x, 3);
  assert(!(r == 4 && x==0));
}
