// check --errors no-race: no-bug
// says: after its block or its iteration has ended
#include <pthread.h>
int *g;
void *f(void *a){ int *q=g; if(q) *q=1; return 0; }
int main(){ pthread_t t; pthread_create(&t,0,f,0);
 for(int i=0;i<2;i++){ int z=0; if(i==0) g=&z; else { pthread_join(t,0); g=0; } }
 return 0;
}
