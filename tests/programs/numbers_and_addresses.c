/* div() and friends return structs; numbers that are too large; byte order and addresses; dates as text. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int same(const void *a, const void *b) { return *(const int *)a != *(const int *)b; }
static int order(const void *a, const void *b, void *sign) { return (*(const int *)a - *(const int *)b) * *(int *)sign; }

static void number(const char *text, int base) {
    char *end;
    errno = 0;
    long a = strtol(text, &end, base);
    printf("%ld %d %d ", a, (int)(end - text), errno);
    errno = 0;
    unsigned long b = strtoul(text, NULL, base);
    printf("%lu %d ", b, errno);
    errno = 0;
    unsigned long long c = strtoull(text, NULL, base);
    printf("%llu %d\n", c, errno);
}

static void address(const char *text) {
    struct in_addr in = { 0 };
    char out[INET_ADDRSTRLEN] = "-";
    int ok = inet_aton(text, &in);
    printf("%d %s %08x ", ok, ok ? inet_ntoa(in) : "-", inet_addr(text));
    in.s_addr = 0;
    ok = inet_pton(AF_INET, text, &in);
    printf("%d %s\n", ok, inet_ntop(AF_INET, &in, out, sizeof out));
}

int main(void) {
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(1L << 40, 1000);
    lldiv_t ll = lldiv(-1, 2);
    imaxdiv_t m = imaxdiv(100, 7);
    printf("%d %d %ld %ld %lld %lld %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, m.quot, m.rem);
    printf("%d %d\n", div(9, 4).quot, div(9, 4).rem);
    printf("%jd %jd %ju\n", imaxabs(-5), strtoimax("-12x", NULL, 10), strtoumax("0x1f", NULL, 0));
    printf("%d %d %d\n", ffsl(0), ffsl(8), ffsll(1LL << 40));

    number("9223372036854775807", 10);
    number("9223372036854775808", 10);
    number("-9223372036854775808", 10);
    number("-9223372036854775809", 10);
    number("18446744073709551615", 10);
    number("18446744073709551616", 10);
    number("-99999999999999999999", 10);
    number("0x", 16);
    number("+7fff", 16);
    number("none", 10);

    printf("%x %x %x %x\n", htonl(0x01020304), ntohl(0x01020304), htons(0x0102), ntohs(0x0102));
    address("127.0.0.1");
    address("255.255.255.255");
    address("1.2");
    address("0x7f.1");
    address("256.1.1.1");
    address("1.2.3.4.5");
    address("1.2.3.");
    address("01.2.3.4");
    address("");
    char small[4];
    struct in_addr in = { 0 };
    printf("%d", inet_ntop(AF_INET, &in, small, sizeof small) == NULL);
    printf(" %d\n", errno == ENOSPC);

    int numbers[6] = { 3, 1, 2 }, key = 2, sign = -1;
    size_t count = 3;
    printf("%d\n", (int)((int *)lfind(&key, numbers, &count, sizeof key, same) - numbers));
    key = 9;
    printf("%d", (int)((int *)lsearch(&key, numbers, &count, sizeof key, same) - numbers));
    printf(" %zu\n", count);
    qsort_r(numbers, count, sizeof key, order, &sign);
    printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    int *grown = reallocarray(NULL, 4, sizeof *grown);
    grown[3] = 4;
    printf("%d %d\n", grown[3], reallocarray(grown, (size_t)-1, 8) == NULL);
    free(grown);

    struct tm date = { .tm_sec = 5, .tm_min = 4, .tm_hour = 23, .tm_mday = 9, .tm_mon = 10, .tm_year = 126, .tm_wday = 1 };
    printf("%s%.1f\n", asctime(&date), difftime(100, 58));
    return 0;
}
