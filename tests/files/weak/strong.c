int chosen(void)
{
    return 2;
}

int __attribute__((weak)) only_weak(void)
{
    return 3;
}

int declared_weak(void)
{
    return 6;
}

int weak_alias(void)
{
    return 8;
}

int chosen_variable = 4;
int variable_without_value;
int __attribute__((weak)) strong_variable = 5;
int only_weak_variable __attribute__((weak)) = 6;
