#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct list { int v; struct list *next; };

static int *gp = (int[]){ 10, 20, 30 };
static struct point *gs = &(struct point){ 1, 2 };
static char *gc = (char[]){ "editable" };
static const struct list *gl = &(struct list){ 1, &(struct list){ 2, &(struct list){ 3, 0 } } };
static int gi = sizeof(int[]){ 1, 2, 3, 4 };

static int sum(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
static struct point add(struct point a, struct point b) { return (struct point){ a.x + b.x, a.y + b.y }; }
static int dot(const struct point *a, const struct point *b) { return a->x * b->x + a->y * b->y; }
static int depth(int n)
{
    struct point *p = &(struct point){ n, n * n };
    int r = n ? depth(n - 1) : 0;
    return r + p->y - p->x;          /* each call has its own object */
}

int main(void)
{
    gp[1]++; gs->y *= 5; gc[0] = 'E';
    printf("%d %d %s %d\n", sum(gp, 3), gs->y, gc, gi);
    for (const struct list *l = gl; l; l = l->next) printf("%d ", l->v);
    printf("\n");

    printf("%d\n", sum((int[]){ 1, 2, 3, 4 }, 4));
    printf("%d\n", sum((int[5]){ [4] = 9 }, 5));
    struct point p = add((struct point){ 1, 2 }, (struct point){ .y = 3 });
    printf("%d %d\n", p.x, p.y);
    printf("%d\n", dot(&(struct point){ 2, 3 }, &(struct point){ 4, 5 }));
    p = (struct point){ p.y, p.x };  /* reads the old p first */
    printf("%d %d\n", p.x, p.y);
    printf("%d %d\n", (struct point){ 7, 8 }.y, ((int[]){ 5, 6, 7 })[1]);

    /* lvalues: may be modified and have their address taken */
    int *q = &(int){ 5 };
    *q += 3;
    printf("%d %d\n", *q, ++(int){ 9 });
    (struct point){ 1, 1 }.x = 4;
    int n = 0;
    int *z = (int[]){ n++, n + 10 > 0, 3 };
    printf("%d %d %d\n", z[0], z[2], n);
    printf("%d %d\n", (int){ 3 } + (char){ 4 }, !(int){ 0 });

    /* in a loop: initialised afresh at each evaluation */
    for (int i = 0; i < 3; i++) {
        int *t = (int[3]){ i, i * i };
        printf("%d %d %d;", t[0], t[1], t[2]);
        t[2] = 99;
    }
    printf("\n");
    /* one object in the block, given a new value on each pass */
    struct point *last = 0; int same = 0, i = 0;
again:
    {
        struct point *now = &(struct point){ i, -i };
        same += now->x == i && now->y == -i;
        now->x = 1000;
        if (++i < 4) goto again;
    }
    printf("%d\n", same);

    const char **names = (const char *[]){ "a", "bc", "def", 0 };
    int len = 0;
    while (*names) len += strlen(*names++);
    printf("%d\n", len);
    printf("%zu %zu\n", sizeof(struct point){ 1 }, sizeof((char[]){ "four" }));
    char *s = (char[10]){ "abc" };
    strcat(s, "def");
    printf("%s %d\n", s, s[9]);
    printf("%d\n", depth(5));
    struct list l = { 0, (struct list[]){ { 1 }, { 2 } } };
    printf("%d %d\n", l.next->v, l.next[1].v);
    int k = 1 ? (union { int i; char c; }){ 66 }.c : 0;
    printf("%c %d\n", k, *(const int[]){ 31 });
    struct point (*pa)[2] = &(struct point[2]){ { 1, 2 }, { 3, 4 } };
    printf("%d\n", (*pa)[1].x);
    return (int){ 3 };
}
