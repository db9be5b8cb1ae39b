// check : proved
/* What is expected may be of another type of the same size. */
int x;
int main(){ unsigned c=0; __atomic_compare_exchange_n(&x,&c,1,0,__ATOMIC_SEQ_CST,__ATOMIC_RELAXED); return 0; }
