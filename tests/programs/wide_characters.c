/* Wide characters and classes of characters, within ASCII. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static int sgn(int v) { return (v > 0) - (v < 0); }

static void narrow(const wchar_t *s) {
    char out[40];
    printf("%d ", (int)wcstombs(out, s, sizeof out));
    printf("%s\n", out);
}

int main(void) {
    unsigned sums[20] = { 0 };
    for (int c = 0; c < 128; c++) {
        sums[0] += (unsigned)c * ((isprint)(c) != 0);
        sums[1] += (unsigned)c * ((isgraph)(c) != 0);
        sums[2] += (unsigned)c * ((iscntrl)(c) != 0);
        sums[3] += (unsigned)c * ((isblank)(c) != 0);
        sums[4] += (unsigned)c * ((ispunct)(c) != 0);
        sums[5] += (unsigned)c * ((isxdigit)(c) != 0);
        sums[6] += (unsigned)c * (iswalnum((wint_t)c) != 0);
        sums[7] += (unsigned)c * (iswpunct((wint_t)c) != 0);
        sums[8] += (unsigned)c * (iswspace((wint_t)c) != 0);
        sums[9] += towupper((wint_t)c);
        sums[10] += towlower((wint_t)c);
        sums[11] += (unsigned)c * (ispunct(c) != 0);
    }
    for (int i = 0; i < 12; i++) printf("%u ", sums[i]);
    printf("%d %d %d\n", iswalpha(WEOF), iswdigit('5') != 0, iswupper('a'));
    printf("%d %d %d %d\n", isascii('a') != 0, isascii(200), toascii(0xe1), btowc(EOF) == WEOF);

    wchar_t a[40], *p;
    narrow(wcscpy(a, L"hello"));
    narrow(wcscat(a, L" you"));
    narrow(wcsncat(a, L"!?", 1));
    narrow(wcschr(a, L'l'));
    narrow(wcsrchr(a, L'o'));
    narrow(wcsstr(a, L"lo"));
    printf("%zu %zu %d %d\n", wcslen(a), wcsnlen(a, 3), sgn(wcscmp(a, L"help")), wcsncmp(a, L"help", 3));
    p = wcsdup(a);
    wmemset(p, L'x', 2);
    narrow(p);
    wmemcpy(p, a, 1);
    wmemmove(p + 1, p, 3);
    narrow(p);
    printf("%d %d\n", sgn(wmemcmp(p, a, 3)), (int)(wmemchr(a, L'l', 5) - a));
    free(p);
    wcsncpy(a, L"ab", 4);
    printf("%d\n", (int)a[3]);

    char one[8];
    wchar_t w = 0;
    printf("%d %d ", mbtowc(&w, "xyz", 3), mbtowc(&w, "", 1));
    printf("%d %d %d\n", mblen("x", 1), mbtowc(NULL, NULL, 0), wctomb(one, L'q'));
    mbstate_t state;
    memset(&state, 0, sizeof state);
    printf("%d %d %d\n", (int)mbrtowc(&w, "k", 1, &state), (int)mbrtowc(&w, "k", 0, &state), mbsinit(&state) != 0);
    printf("%d ", (int)wcrtomb(one, w, &state));
    printf("%c\n", one[0]);
    printf("%d ", (int)mbstowcs(a, "abc", 40));
    printf("%d %d\n", (int)a[2], (int)mbstowcs(NULL, "four", 0));
    return 0;
}
