/* What a printed program needs beside the C library when it is compiled and run: atomic sections as one big lock. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t big_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&big_lock); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&big_lock); }
void __VERIFIER_assume(int condition) { if (!condition) _Exit(97); }
void reach_error(void) { abort(); }
void __VERIFIER_error(void) { abort(); }
