// check --errors no-race: proved|no-bug
// check --errors assertion,deadlock --rounds 2: no-bug|proved
/* A node is written before it is published. Another thread looks, in a branch that it does not take, at memory that
   nobody has allocated yet. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node first;
struct node *head;
void *publisher(void *arg) {
    struct node *next = malloc(sizeof *next);
    next->value = 2;
    next->next = 0;
    first.next = next;
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = 1;
    head = fresh;
    return 0;
}
void *creator(void *arg) {
    pthread_t publishing;
    if (first.next) {
        assert(first.next->value == 2);
        first.next->value = 3;
    }
    pthread_create(&publishing, 0, publisher, 0);
    pthread_join(publishing, 0);
    return 0;
}
void *reader(void *arg) {
    struct node *found = head;
    if (found) assert((found->value & 1) == 1);
    return 0;
}
int main(void) {
    pthread_t reading, creating;
    pthread_create(&reading, 0, reader, 0);
    pthread_create(&creating, 0, creator, 0);
    pthread_join(reading, 0);
    pthread_join(creating, 0);
    return 0;
}
