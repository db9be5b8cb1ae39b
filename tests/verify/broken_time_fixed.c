// expect: nothing
/* localtime_r() may fail, and else fills the fields within their ranges. */
#include <assert.h>
#include <time.h>

int main(void) {
    struct tm t = { .tm_mon = 77 };
    time_t now = 0;
    struct tm *result = localtime_r(&now, &t);
    if (!result) return 0;
    assert(result == &t && t.tm_mon >= 0 && t.tm_mon <= 11 && t.tm_mday >= 1 && t.tm_mday <= 31);
    assert(t.tm_hour < 24 && t.tm_min < 60 && t.tm_sec <= 60 && t.tm_wday <= 6 && t.tm_yday <= 365);
    return 0;
}
