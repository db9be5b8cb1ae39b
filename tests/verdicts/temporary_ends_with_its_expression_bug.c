// check --errors memory: bug
/* What a function returns lives until the end of the full expression (C11 6.2.4). */
struct pair { int part[2]; };

struct pair make(void)
{
    struct pair pair = { { 1, 2 } };
    return pair;
}

int main(void)
{
    int *part = make().part;
    return *part;
}
