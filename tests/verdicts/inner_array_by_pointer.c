// check --errors memory: proved
/* Through a pointer only the end of the whole object counts, in formulas as in the interpreter. */
struct pair { int part[2]; int other; } pair;

int main(void)
{
    int *part = pair.part;
    part[2] = 1;
    return 0;
}
