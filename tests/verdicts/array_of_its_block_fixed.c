// check --errors assertion,memory: proved
/* Nobody knows the array after its block. */
int main(void) {
    int n = 2, sum = 0;
    for (int i = 0; i < 2; i++) {
        int list[n + i];
        int *last = list + n - 1;
        *last = i;
        sum += list[n - 1];
    }
    return sum;
}
