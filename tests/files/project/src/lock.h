void take(void);
void give(void);
