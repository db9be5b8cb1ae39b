// expect: assertion failed
/* Names that the simulation would like to use belong to the program. */
#include <assert.h>
#include <pthread.h>
struct G { int J, pc; };
int r, k, S, pc, cs, ct, active, next, error, at, guess, s, step, stop, size;
struct G J;
void *assume_(void *arg) {
    int round = r + k + S + pc + cs + ct + active + next + error + at + guess + s + step + stop + size;
    r = round + 1;
    J.J = r;
    return 0;
}
int main(void) {
    pthread_t returned, seq_create;
    pthread_create(&returned, 0, assume_, 0);
    pthread_create(&seq_create, 0, assume_, 0);
    pthread_join(returned, 0);
    pthread_join(seq_create, 0);
    k = S = pc = cs = ct = active = next = error = at = guess = s = step = stop = size = 0;
    assert(J.J == 2);
    return 0;
}
