#include <stdio.h>

/* tentative definitions: together they make one zero object */
int t1;
int t1;
extern int t1;
/* declaration, tentative, real */
extern int t2;
int t2;
int t2 = 5;
extern int t2;
/* static first, extern later keeps internal linkage */
static int hidden;
static int hidden = 8;
extern int hidden;
/* incomplete array completed later, use in between */
extern int arr[];
static int first(void) { return arr[0]; }
int arr[4] = { 11, 12, 13, 14 };
extern int arr[4];
extern int arr[];
/* open tentative array gets one element unless completed */
int open_arr[];
int open_arr[3];
/* incomplete structure completed later */
struct late;
extern struct late obj;
struct late *late_ptr;
static int late_value(struct late *);
struct late { int v; struct late *self; };
struct late obj = { 21, &obj };
static int late_value(struct late *l) { return l->self->v; }
/* functions declared several times, in several ways */
int fun();
int fun(int a, int);
extern int fun(int, int b);
int fun(int x, int y) { return x * 10 + y; }
int fun(int, int);
static int later(void);
int mixed(int), plain, *ptr, many[2];
typedef int fn(int);
fn by_typedef;
static const char *msg(void);
int (*fp_arr[])(int);
int const1;

static int use_outer(void)
{
    int t2 = 100;                    /* hides the global */
    {
        extern int t2;               /* the global again */
        t2++;
        return t2;
    }
}
static int local_proto(int v)
{
    int by_typedef(int);             /* function declarations in a block */
    extern int mixed(int), defined_below;
    defined_below += v;
    return by_typedef(v) + mixed(v);
}
static int hide_by_param(int t1) { return t1 + 1; }
static int after(void) { extern int defined_below; return defined_below; }

int main(void)
{
    printf("%d %d %d\n", t1, t2, hidden);
    t1 = 3; hidden++;
    printf("%d %d\n", t1, hidden);
    printf("%d %zu %d\n", first(), sizeof arr / sizeof *arr, arr[3]);
    open_arr[2] = 9;
    printf("%d %d %zu\n", open_arr[0], open_arr[2], sizeof open_arr);
    late_ptr = &obj;
    printf("%d %d\n", late_value(late_ptr), obj.self == late_ptr);
    printf("%d\n", fun(4, 2));
    printf("%d %s\n", later(), msg());
    printf("%d\n", use_outer());
    printf("%d\n", t2);
    printf("%d\n", local_proto(3));
    printf("%d\n", after());
    printf("%d %d\n", hide_by_param(50), t1);
    printf("%d %d %d\n", plain, ptr == 0, many[1]);
    printf("%d\n", fp_arr[1](6));
    extern const char *const table[];
    printf("%s %s\n", table[0], table[1]);
    extern int const1;
    printf("%d\n", const1);
    return defined_below_sum();
}

int defined_below = 40;
int mixed(int a) { return a * 2; }
int by_typedef(int a) { return a + 1000; }
static int later(void) { return hidden * 2; }
static const char *msg(void) { return "from below"; }
int (*fp_arr[2])(int) = { mixed, by_typedef };
int const1 = sizeof fp_arr / sizeof *fp_arr;
const char *const table[] = { "t0", "t1" };
int defined_below_sum() { return defined_below + t1 - 4; }
