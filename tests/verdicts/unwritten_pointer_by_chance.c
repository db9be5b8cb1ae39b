// check: no-bug
// says: valid addresses in memory that was allocated and not written
/* Memory that nobody wrote may hold the address by chance: nobody tries that, and nothing is proved. */
#include <assert.h>
#include <stdlib.h>

static int x;

int main(void) {
    int **block = malloc(sizeof *block);
    assert(*block != &x);
    free(block);
    return 0;
}
