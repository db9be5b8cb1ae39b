int helper_of_nobody(void)
{
    return 1;
}

int main(void)
{
    return helper_of_nobody() - 1;
}
