// check: bug
#include <pthread.h>
#define LOG(x) ((void)0)
int x;
void *f(void *a) { x = 5; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, f, 0);
  int b[2] = {0, 0}, l = x;
  if (b[l]) LOG("set");        /* b[5] */
  if (10 / (5 - l)) LOG("q");  /* 10 / 0 */
  pthread_join(t, 0);
  return 0;
}
