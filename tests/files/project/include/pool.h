void pool_add(int value);
int pool_total(void);
