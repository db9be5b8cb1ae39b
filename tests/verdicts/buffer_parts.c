// check --memory-model pso: proved
// check --memory-model pso --unwind 2 --rounds 5: unknown
/* A word and a byte of it wait: the states know, formulas refuse. */
union {unsigned i; unsigned char c[4];} w;
#include <pthread.h>
void*t0(void*a){ w.i=2; w.c[0]=1; return 0; }
void*t1(void*a){ int r=w.i; r=w.i; return 0; }
int main(){ pthread_t t,u; pthread_create(&t,0,t0,0); pthread_create(&u,0,t1,0); return 0; }
