// check: bug
#include <stdio.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
char *p;
void *f(void*a){ free(p); return 0; }
int main(){ p=malloc(2); p[0]='a'; p[1]=0; pthread_t t; pthread_create(&t,0,f,0);
#ifdef SLEEP
 sleep(1);
#endif
 printf("%s!\n",p); pthread_join(t,0); }
