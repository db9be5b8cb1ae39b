#include <stdio.h>
#include <stddef.h>

/* attributes that change the size of a type */
enum __attribute__((packed)) small { S_A, S_B, S_C = 200 };
enum small_neg { N_A = -100, N_B = 100 } __attribute__((packed));
enum __attribute__((__packed__)) medium { M_A, M_B = 300 };
enum plain { P_A, P_B };
struct holder { enum small s; enum medium m; char c; };

typedef unsigned int u8 __attribute__((mode(QI)));
typedef int s16 __attribute__((__mode__(__HI__)));
typedef unsigned int u32 __attribute__((mode(SI)));
typedef int s64 __attribute__((mode(DI)));
typedef unsigned long word __attribute__((mode(word)));

typedef int wide_al __attribute__((aligned(16)));
struct with_al { char c; wide_al v; };
struct arr_al { char c; int v[2] __attribute__((aligned(8))); char d; };
struct low { char c; int v; } __attribute__((aligned(2)));
struct dflt { char c __attribute__((aligned)); };

static enum small next(enum small s) { return s + 55; }

int main(void)
{
    printf("%zu %zu %zu %zu\n", sizeof(enum small), sizeof(enum small_neg), sizeof(enum medium), sizeof(enum plain));
    printf("%zu %zu %zu\n", sizeof(struct holder), offsetof(struct holder, m), offsetof(struct holder, c));
    enum small s = S_C;
    printf("%d %d\n", s, next(s));
    s = next(S_C) + 1;                /* 256 does not fit in one byte */
    printf("%d\n", s);
    enum small_neg n = N_B;
    n -= 150;
    printf("%d %d\n", n, n < 0);

    printf("%zu %zu %zu %zu %zu\n", sizeof(u8), sizeof(s16), sizeof(u32), sizeof(s64), sizeof(word));
    u8 a = 250; a += 10;
    s16 b = 32767; b++;
    u32 c = 0; c--;
    s64 d = 1; d <<= 40;
    printf("%d %d %u %ld\n", a, b, c, (long)d);

    printf("%zu %zu %zu\n", sizeof(wide_al), _Alignof(wide_al), sizeof(struct with_al));
    printf("%zu %zu %zu\n", sizeof(struct arr_al), offsetof(struct arr_al, v), offsetof(struct arr_al, d));
    printf("%zu %zu\n", sizeof(struct low), _Alignof(struct low));
    printf("%zu\n", sizeof(struct dflt));
    struct with_al w[2] = { { 'a', 1 }, { 'b', 2 } };
    w[0].v += w[1].v * 10;
    printf("%d %ld\n", w[0].v, (long)((char *)&w[1] - (char *)&w[0]));
    return 0;
}
