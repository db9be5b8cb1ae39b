// expect: nothing
/* read() may give fewer bytes than it was asked for, and leaves the others alone. */
#include <assert.h>
#include <unistd.h>

int main(void) {
    char buffer[2] = { 5, 5 };
    long n = read(0, buffer, 2);
    assert(n >= -1 && n <= 2);
    if (n == 0) assert(buffer[0] == 5 && buffer[1] == 5);
    return 0;
}
