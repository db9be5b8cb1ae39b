/* Statics of two files stay apart, and everything else with one name is one thing. */
#include "shared.h"
#include <assert.h>
#include <stdio.h>

/* Another one of this tag is in the other file. */
struct own {
    char name[8];
    int number;
};
#pragma pack(1)
struct tight {
    char one;
    int four;
};

static int hidden = 1;
static int calls;
int shared_counter = 3;
int several[] = { 1, 2, 3 };
list_t list = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int helper(int value)
{
    static int kept = 10;
    kept += value;
    calls++;
    return kept + hidden;
}

static const char *name_here(void)
{
    return __func__;
}

static const char *same_name(void)
{
    return __func__;
}

static void *add(void *arg)
{
    for (int i = 0; i < 2; i++) {
        struct node node = { .value = i };
        pthread_mutex_lock(&list.lock);
        list.count += node.value;
        pthread_mutex_unlock(&list.lock);
    }
    of_thread = 7;
    return arg;
}

int main(void)
{
    struct node nodes[2] = { { .value = 4, .flag = 5 }, { .value = 6, .part = { 1, 2 } } };
    struct own own = { "main", 1 };
    pthread_t thread;

    push(&list, &nodes[0]);
    push(&list, &nodes[1]);
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    printf("%d %d\n", sum(&list), list.count);
    int first = helper(1), second = helper(2);
    printf("%d %d %d\n", first, second, calls);
    printf("%d %d %d\n", shared_counter, tentative, defined_there[2]);
    printf("%d %s %d\n", tell(make_secret(9)), own.name, own.number);
    printf("%s %s %s\n", name_here(), name_there(), same_name());
    printf("%d %d %d\n", calls_there(), twice(4), undeclared(1, 2));
    printf("%d %d\n", (int)sizeof(struct tight), BLUE);
    printf("%d %d\n", returned(12).value, returned(13).part.high);
    printf("%d %d\n", of_thread, list.visit(&nodes[1]));
    return 0;
}
