/* strtol and friends with their end pointers; sscanf on known text. */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *end;
    printf("%ld ", strtol("  -42xyz", &end, 10));
    printf("[%s]\n", end);
    printf("%ld %ld %ld\n", strtol("0x1fg", &end, 0), strtol("0755", 0, 0), strtol("z", 0, 36));
    printf("%lu %llu\n", strtoul("4294967295", 0, 10), strtoull("18446744073709551615", 0, 10));
    printf("%ld %ld\n", strtol("99999999999999999999", 0, 10), strtol("-99999999999999999999", 0, 10));
    int a = 0, b = 0, n = sscanf("12, 34", "%d, %d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("7 x", "%d %d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    return 0;
}
