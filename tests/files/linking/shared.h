#ifndef SHARED_H
#define SHARED_H
#include <pthread.h>

/* Both files know these types, which must be the same in both. */
struct node {
    struct node *next;
    int value;
    struct {
        short low, high;
    } part;
    unsigned flag : 3, rest : 5;
};
typedef struct {
    pthread_mutex_t lock;
    struct node *first;
    int count;
    int (*visit)(struct node *);
} list_t;
/* Only one of them knows what is in it. */
typedef struct secret secret_t;
enum colour { RED, GREEN = 5, BLUE };

extern int shared_counter, several[], defined_there[4];
extern _Thread_local int of_thread;
int tentative;

void push(list_t *list, struct node *node);
int sum(const list_t *list);
secret_t *make_secret(int value);
int tell(const secret_t *secret);
const char *name_there(void);
int calls_there(void);
int undeclared();
struct node returned(int value);

static inline int twice(int value)
{
    return 2 * value;
}
#endif
