// expect: nothing
/* vsnprintf reads another text through its list of arguments. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
char shared[4] = "a";
void *write(void *p) { shared[0] = 'b'; return 0; }
void print(char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(to, 4, format, list);
    va_end(list);
}
int main(void) {
    pthread_t t;
    char own[4];
    pthread_create(&t, 0, write, 0);
    print(own, "%s", "a");
    assert(own[0] == 'a');
    pthread_join(t, 0);
    return 0;
}
