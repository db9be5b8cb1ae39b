/* A definition that is weak makes way for another one; an inline definition serves if there is no other. */
#include <stdio.h>

int chosen(void);
int only_weak(void);
int unused(void);
inline int in_line(void)
{
    return 4;
}
extern int in_line(void);

__attribute__((weak)) int chosen(void)
{
    return 1;
}

int declared_weak(void) __attribute__((weak));
int declared_weak(void)
{
    return 5;
}

__attribute__((weak)) int chosen_variable = 1;
__attribute__((weak)) int variable_without_value = 2;
int strong_variable = 3;
extern int only_weak_variable;

static int own(void)
{
    return 7;
}
int weak_alias(void) __attribute__((weak, alias("own")));
int strong_alias(void) __attribute__((alias("own")));

int main(void)
{
    printf("%d %d %d\n", chosen(), only_weak(), in_line());
    printf("%d %d %d\n", declared_weak(), weak_alias(), strong_alias());
    printf("%d %d %d %d\n", chosen_variable, variable_without_value, strong_variable, only_weak_variable);
    return 0;
}
