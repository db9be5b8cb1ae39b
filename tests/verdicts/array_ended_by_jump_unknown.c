// check --errors assertion,memory: no-bug
// says: uses of an array of main()
/* A jump backward over its declaration ends an array. */
int *kept;

int main(void) {
    int n = 2, times = 0;
again:;
    if (times == 1)
        *kept = 3;
    int list[n];
    kept = list;
    list[0] = 1;
    times++;
    if (times < 2)
        goto again;
    return 0;
}
