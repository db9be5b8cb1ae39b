// check --errors assertion,memory: no-bug
// says: uses of an array of main()
/* The array of the iteration before has ended. */
int *kept;

int main(void) {
    for (int i = 0; i < 2; i++) {
        if (kept)
            *kept = 5;
        int list[2 + i];
        kept = list;
    }
    return 0;
}
