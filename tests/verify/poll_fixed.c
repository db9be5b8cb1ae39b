// expect: nothing
/* poll() says for every descriptor what happened, and nothing that was not asked for but errors. */
#include <assert.h>
#include <poll.h>

int main(void) {
    struct pollfd files[2] = { { 0, POLLIN, 77 }, { -1, POLLIN, 77 } };
    int ready = poll(files, 2, 1000);
    if (ready >= 0) {
        assert(ready == (files[0].revents != 0));
        assert((files[0].revents & ~(POLLIN | POLLERR | POLLHUP | POLLNVAL)) == 0);
        assert(files[1].revents == 0);
    } else assert(files[0].revents == 77);
    return 0;
}
