#include <pthread.h>
#include <stdio.h>

static int counter, total, lock, guarded, flag, payload;
static long wide;
static struct node { int v; struct node *next; } nodes[40], *head;

static void *work(void *arg)
{
    int id = *(int *)arg;
    for (int i = 0; i < 60; i++) {
        __sync_fetch_and_add(&counter, 1);
        __sync_sub_and_fetch(&wide, id);
        int old;
        do old = __sync_fetch_and_add(&total, 0); while (!__sync_bool_compare_and_swap(&total, old, old + id));
        while (__sync_lock_test_and_set(&lock, 1)) ;
        guarded++;
        __sync_lock_release(&lock);
    }
    for (int i = 0; i < 10; i++) {
        struct node *n = &nodes[(id - 1) * 10 + i], *h;
        n->v = id;
        do { h = __sync_val_compare_and_swap(&head, 0, 0); n->next = h; } while (__sync_val_compare_and_swap(&head, h, n) != h);
    }
    return NULL;
}
static void *publish(void *arg)
{
    payload = 64;
    __sync_synchronize();
    __sync_fetch_and_add(&flag, 1);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    int id[4];
    for (int i = 0; i < 4; i++) { id[i] = i + 1; pthread_create(&t[i], NULL, work, &id[i]); }
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    printf("%d %d %ld %d %d\n", counter, total, wide, guarded, lock);
    int n = 0, s = 0;
    for (struct node *p = head; p; p = p->next) { n++; s += p->v; }
    printf("%d %d\n", n, s);
    pthread_create(&t[0], NULL, publish, NULL);
    while (!__sync_fetch_and_or(&flag, 0)) ;
    printf("%d\n", payload);
    pthread_join(t[0], NULL);

    /* fetch first or operate first */
    int a = 10, r;
    r = __sync_fetch_and_add(&a, 5); printf("%d %d; ", r, a);
    r = __sync_add_and_fetch(&a, 5); printf("%d %d; ", r, a);
    r = __sync_fetch_and_sub(&a, 8); printf("%d %d; ", r, a);
    r = __sync_sub_and_fetch(&a, 2); printf("%d %d\n", r, a);
    a = 0x36;
    r = __sync_fetch_and_and(&a, 0x1f); printf("%d %d; ", r, a);
    r = __sync_and_and_fetch(&a, 0x06); printf("%d %d; ", r, a);
    r = __sync_fetch_and_or(&a, 0x30); printf("%d %d; ", r, a);
    r = __sync_or_and_fetch(&a, 1); printf("%d %d; ", r, a);
    r = __sync_fetch_and_xor(&a, 0x0f); printf("%d %d; ", r, a);
    r = __sync_xor_and_fetch(&a, -1); printf("%d %d\n", r, a);
    a = 12;
    r = __sync_fetch_and_nand(&a, 10); printf("%d %d; ", r, a);
    r = __sync_nand_and_fetch(&a, 3); printf("%d %d\n", r, a);

    /* compare and swap */
    a = 5;
    r = __sync_val_compare_and_swap(&a, 5, 6); printf("%d %d; ", r, a);
    r = __sync_val_compare_and_swap(&a, 5, 7); printf("%d %d; ", r, a);
    r = __sync_bool_compare_and_swap(&a, 6, 8); printf("%d %d; ", r, a);
    r = __sync_bool_compare_and_swap(&a, 6, 9); printf("%d %d\n", r, a);
    r = __sync_lock_test_and_set(&a, 1); printf("%d %d; ", r, a);
    r = __sync_lock_test_and_set(&a, 1); printf("%d %d; ", r, a);
    __sync_lock_release(&a); printf("%d\n", a);

    /* other widths */
    unsigned char uc = 255; short sh = -32768; unsigned long ul = 0; long long ll = 1LL << 35;
    r = __sync_add_and_fetch(&uc, 2); printf("%d %d; ", r, uc);
    r = __sync_sub_and_fetch(&sh, 1); printf("%d; ", r);
    printf("%lu; ", __sync_sub_and_fetch(&ul, 1));
    printf("%lld; ", __sync_fetch_and_add(&ll, ll));
    printf("%lld\n", ll);
    int x = 1, y = 2, *p = &x;
    int *old = __sync_val_compare_and_swap(&p, &x, &y); printf("%d %d\n", *old, *p);
    old = __sync_lock_test_and_set(&p, &x); printf("%d %d\n", *old, *p);
    int arr[2] = { 3, 4 }, i = 0;
    __sync_fetch_and_add(&arr[i++], 7); __sync_fetch_and_add(arr + i, -4);
    printf("%d %d %d\n", arr[0], arr[1], i);
    __sync_synchronize();
    return a;
}
