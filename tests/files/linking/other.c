#include "shared.h"
#include <stdlib.h>

struct own {
    long other[2];
};
struct secret {
    struct own own;
    int value;
};
struct loose {
    char one;
    int four;
};

static int hidden = 100;
static int calls;
int defined_there[4] = { 0, 1, sizeof(struct loose) };
_Thread_local int of_thread = 21;

static int helper(int value)
{
    static int kept = 1000;
    kept += value;
    calls++;
    return kept + hidden;
}

static const char *same_name(void)
{
    return __func__;
}

static int visited(struct node *node)
{
    return node->value + node->part.low + node->flag;
}

void push(list_t *list, struct node *node)
{
    helper(0);
    node->next = list->first;
    list->first = node;
    list->visit = visited;
    shared_counter++;
    tentative += several[2];
}

int sum(const list_t *list)
{
    int sum = 0;
    for (const struct node *node = list->first; node; node = node->next)
        sum += twice(node->value) + node->flag + node->part.high;
    return sum;
}

secret_t *make_secret(int value)
{
    static secret_t secret;
    secret.value = helper(value);
    return &secret;
}

int tell(const secret_t *secret)
{
    return secret->value;
}

const char *name_there(void)
{
    return same_name();
}

int calls_there(void)
{
    return calls;
}

int undeclared(int a, int b)
{
    return a - b;
}

struct node returned(int value)
{
    struct node node = { .value = value, .part.high = 3 };
    return node;
}
