/* Functions that run before main and after it, and other names of a function. */
#include <stdio.h>
#include <stdlib.h>

static int order;

__attribute__((constructor)) static void last(void)
{
    order = order * 10 + 3;
}

__attribute__((constructor(200))) static void second(void)
{
    order = order * 10 + 2;
}

__attribute__((constructor(101))) static void first(void)
{
    order = order * 10 + 1;
}

__attribute__((destructor)) static void after(void)
{
    printf("destructor %d\n", order);
}

static void handler(void)
{
    printf("handler\n");
    order++;
}

static int counted(void)
{
    static int calls;
    return ++calls;
}
int also_counted(void) __attribute__((alias("counted")));

int main(void)
{
    atexit(handler);
    printf("%d\n", order);
    counted();
    also_counted();
    printf("%d %d\n", counted(), also_counted == counted);
    return 0;
}
