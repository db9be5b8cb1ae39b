#include <stdio.h>
#include <limits.h>

enum color { RED, GREEN, BLUE = 10, CYAN, MAGENTA = -3, YELLOW, LAST = YELLOW + BLUE, };
typedef enum { OFF, ON } state_t;
enum flags { F_A = 1 << 0, F_B = 1 << 1, F_C = 1 << 2, F_ALL = F_A | F_B | F_C };
enum pos { P0, P1 = 4000000000u };
enum big { BIG = 0x100000000LL, BIGGER };
enum same { S1 = 5, S2 = 5, S3 };
enum { WIDTH = 3, HEIGHT = WIDTH * 2, CELLS = WIDTH * HEIGHT, CH = 'c', SZ = sizeof(long), NEG = ~0 };
enum depends { D0 = sizeof(enum color), D1, D2 = D1 ? D1 * 2 : 0, D3 = (int)2.9 };

static int grid[CELLS];
static const char *const names[] = { [RED] = "red", [GREEN] = "green", [BLUE] = "blue", [CYAN] = "cyan" };

static enum color turn(enum color c)
{
    switch (c) {
    case RED: return GREEN;
    case GREEN: return BLUE;
    case BLUE: return CYAN;
    default: return RED;
    }
}

struct lamp { state_t st; enum level { LOW, MID, HIGH } lv; };

int main(void)
{
    printf("%d %d %d %d %d %d %d\n", RED, GREEN, BLUE, CYAN, MAGENTA, YELLOW, LAST);
    printf("%d %d %d %d %d %d\n", WIDTH, HEIGHT, CELLS, CH, SZ, NEG);
    printf("%d %d %d %d\n", D0, D1, D2, D3);
    printf("%zu %zu %zu\n", sizeof grid / sizeof grid[0], sizeof(enum color), sizeof(RED));
    printf("%zu %zu\n", sizeof(enum big), sizeof(state_t));
    printf("%lld %lld\n", (long long)BIG, (long long)BIGGER);
    printf("%u\n", P1);
    printf("%d %d %d\n", S1 == S2, S3, F_ALL);

    enum color c = RED;
    for (int k = 0; k < 5; k++) {
        printf("%s ", names[c]);
        c = turn(c);
    }
    printf("\n");

    /* an enum object of a type without negatives is unsigned, with negatives signed */
    enum color neg = MAGENTA;
    enum flags fl = F_ALL;
    printf("%d %d\n", neg < 0, (fl - 8) > 0);
    fl &= ~F_B;
    printf("%d\n", fl);
    fl = fl | F_B ^ F_A;
    printf("%d\n", fl);
    c = 7;
    c++;
    printf("%d\n", c);
    printf("%d\n", _Generic(RED, int: 1, unsigned: 2, default: 3));
    printf("%d\n", _Generic(fl, int: 1, unsigned: 2, default: 3));
    printf("%d\n", _Generic(neg, int: 1, unsigned: 2, default: 3));

    struct lamp a = { ON, HIGH };
    enum level lv = MID;
    printf("%d %d %d\n", a.st, a.lv, lv);

    {   /* an inner enumeration hides the outer constants */
        enum { RED = 100, GREEN };
        enum color { PINK = 55 };
        enum color z = PINK;
        printf("%d %d %d\n", RED, GREEN, z);
    }
    printf("%d\n", RED);
    {
        int RED = 9;
        printf("%d %d\n", RED, GREEN);
    }
    state_t s = !OFF;
    printf("%s\n", s == ON ? "on" : "off");
    enum color *pc = &c;
    *pc = CYAN;
    printf("%d\n", c);
    return HEIGHT;
}
