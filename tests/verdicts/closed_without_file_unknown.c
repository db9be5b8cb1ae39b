// check: no-bug
// says: what fclose() is given to point to in
#include <stdio.h>

int main(void) {
    fclose(NULL);
    return 0;
}
