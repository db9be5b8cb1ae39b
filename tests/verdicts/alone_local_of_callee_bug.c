// check: bug
#include <pthread.h>
void *f(void*q){ *(int*)q=1; return 0; }
void start(pthread_t*t){ int loc=0; pthread_create(t,0,f,&loc); }
int main(){ pthread_t t; start(&t); pthread_join(t,0); }
