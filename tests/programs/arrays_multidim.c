#include <stdio.h>

static int cube[2][3][4];
static int tri[][3] = { { 1 }, { 1, 2 }, { 1, 2, 3 } };
static char words[][6] = { "zero", "one", "two", "three" };

static int trace(int m[3][3]) { int t = 0; for (int i = 0; i < 3; i++) t += m[i][i]; return t; }
static int total(int (*m)[3], int rows)
{
    int t = 0;
    for (int i = 0; i < rows; i++) for (int j = 0; j < 3; j++) t += m[i][j];
    return t;
}
static int flat(const int *p, int n) { int t = 0; while (n--) t = t * 2 + *p++; return t; }
static int (*second(int (*m)[3]))[3] { return m + 1; }
static void mul(int a[2][3], int b[3][2], int c[2][2])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 3; k++) c[i][j] += a[i][k] * b[k][j];
        }
}
static size_t plane(int c[][3][4]) { return sizeof(c[0]); }

struct board { char cell[3][3]; int score[2][2]; };
static struct board spoil(struct board b) { b.cell[1][1] = '#'; b.score[1][0]++; return b; }

int main(void)
{
    int n = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                cube[i][j][k] = n++;
    printf("%d %d %d\n", cube[1][2][3], cube[0][2][1], *cube[1][1]);
    printf("%zu %zu %zu %zu\n", sizeof cube, sizeof cube[0], sizeof cube[0][0], sizeof cube[0][0][0]);
    printf("%zu %zu\n", sizeof(cube + 0), plane(cube));
    printf("%d %d\n", ***cube, *(*(*(cube + 1) + 2) + 2));
    printf("%ld\n", (long)(&cube[1][0][0] - &cube[0][2][3]));
    int *line = cube[1][0];
    printf("%d %d\n", line[0], line[3]);
    int (*pl)[3][4] = &cube[1];
    printf("%d %d\n", (*pl)[2][0], pl[-1][2][0]);

    printf("%d %d %zu\n", trace(tri), total(tri, 3), sizeof tri / sizeof *tri);
    printf("%d\n", flat(&tri[0][0], 3));
    (*second(tri))[2] = 50;
    printf("%d %d\n", tri[1][2], total(tri + 1, 2));

    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        printf("%s%c", words[i], i == 3 ? '\n' : ',');
    words[1][0] = 'O'; words[3][4] = '\0';
    printf("%s %s %d %zu\n", words[1], words[3], words[0][5], sizeof words);
    printf("%s\n", &words[2][1]);

    int a[2][3] = { 1, 2, 3, 4, 5, 6 }, b[3][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 } }, c[2][2];
    mul(a, b, c);
    printf("%d %d %d %d\n", c[0][0], c[0][1], c[1][0], c[1][1]);

    int i = 0;
    i++;
    a[1][i] = a[i][1] * 2;
    printf("%d %d\n", a[1][1], i);

    struct board x = { { "abc", "def", "ghi" }, { { 1, 2 }, { 3, 4 } } }, y;
    y = spoil(x);
    printf("%c%c %d%d\n", x.cell[1][1], y.cell[1][1], x.score[1][0], y.score[1][0]);
    struct board all[2] = { x, y };
    printf("%c%c %d\n", all[1].cell[1][1], all[0].cell[2][2], all[1].score[1][1]);
    printf("%c\n", spoil(x).cell[1][1]);

    int *jag[3] = { tri[2], tri[1], tri[0] };
    printf("%d %d %d\n", jag[0][2], jag[1][2], *jag[2]);
    return 0;
}
