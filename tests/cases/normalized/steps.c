/* x, y, z and the list are shared; the locals are not. */
#include <pthread.h>
struct node { int value; struct node *next; } *head;
struct pair { int a, b; } source, target;
int x, y, z, limit = 3;
_Atomic int counter;
void *work(void *arg) {
    int local = 0;
    z = x + y;
    if (x && y > local) local++;
    while (head && head->value < limit) head = head->next;
    target = source;
    counter++;
    x = local ? y : z;
    return 0;
}
int main(void) {
    pthread_t a, b;
    source.a = 1;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
