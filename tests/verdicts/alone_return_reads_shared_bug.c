// check --errors assertion: bug
#include <pthread.h>
#include <assert.h>
int x1 = 0;
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER,PTHREAD_MUTEX_INITIALIZER};
static int get1(void) { return x1; }
void *f2(void *arg) {
  int l0 = 0, l1 = 0, n16 = 0;
  if (2 != 2) {
  } else {
      l1 = get1();
  pthread_mutex_lock(&m[1]);
    x1 = l1;
  }
}
void *f1(void *arg) {
  int l0 = 0, l1 = 0, n5 = 0, n9 = 0;
    do {
      x1--;
  } while (++n9 < 2);
  pthread_mutex_lock(&m[0]);
}
int main(void) {
  pthread_t t1, t2; int l0 = 0, l1 = 0;
  pthread_create(&t1, 0, f1, 0);
  pthread_create(&t2, 0, f2, 0);
  pthread_join(t1, 0);
  assert(!(x1 == -1));
}
