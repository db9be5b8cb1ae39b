// check --errors assertion,memory: no-bug
// says: uses of an array of main()
/* An array of variable length ends with its block: nobody sees that here, so that nothing is proved. */
int *kept;

int main(void) {
    int n = 2;
    {
        int list[n];
        kept = list;
        list[0] = 1;
    }
    *kept = 2;
    return 0;
}
