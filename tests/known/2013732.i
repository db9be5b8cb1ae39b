typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } pthread_attr_t;
struct bits { unsigned lo : 3; unsigned hi : 5; int mid : 4; _Bool on : 1; };
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_assert(int);
void exit(int);
struct bits bf;
_Bool taken;
short winners;
void *f1(void *arg);
void *f1(void *arg) {
    int l = 0;
    for (int i14 = 0; i14 < 2; i14++) { { struct bits made; made.hi = 0; l = made.lo & 1; bf.hi = made.hi; }  }
    if (!taken) { taken = 1; winners++; }
    if (l == 1) exit(0);
    return 0;
}
int main(void) {
    int mine = 0;
    unsigned long t1;
    pthread_create(&t1, 0, f1, &mine);
    if (!taken) { taken = 1; winners++; }
    pthread_join(t1, 0);
    __VERIFIER_assert(winners == 1);
    return 0;
}
