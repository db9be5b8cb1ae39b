// check --errors assertion --memory-model pso --unwind 5 --rounds 6: bug
// check --errors assertion --memory-model pso: bug
/* The bytes of a string reach memory in any order. */
#include <pthread.h>
#include <assert.h>
#include <string.h>
char s[3]; int f;
void *a(void *p) {
  strcpy(s, "ab");
  if(s[0]!='a'||strcmp(s,"ab"))assert(0);
  return 0;
}
void *b(void *p) {
  char x = s[0], y = s[1];
  if (x == 0 && y == 'b')
    assert(0);
  return 0;
}
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if(strcmp(s,"ab"))assert(0);
  return 0;
}
