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
