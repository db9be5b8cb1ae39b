// expect: assertion failed
/* stat() may fail; what it fills in has a size that is not negative. */
#include <assert.h>
#include <sys/stat.h>

int main(void) {
    struct stat s;
    s.st_size = -1;
    int result = stat("file", &s);
    assert(s.st_size >= 0);
    return 0;
}
