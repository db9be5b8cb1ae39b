// check: bug
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
int x = 1;
void *f(void *a) { x = 0; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, f, 0);
#ifdef SLEEP
  sleep(1);
#endif
  int l = x;
  printf("%d\n", 100 / l);
  pthread_join(t, 0);
  return 0;
}
