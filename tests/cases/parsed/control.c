/* Loops become `while (1)`, switch becomes jumps. */
int g(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i == 3) continue;
        do s++; while (s < i);
    }
    switch (n) {
    case 1:
    case 2 ... 4: s = 1; break;
    default: s = 2;
    case -1: s++;
    }
again:
    if (s > 100) goto out;
    s *= 2;
    goto again;
out:
    return s;
}
int main(void) { return g(5); }
