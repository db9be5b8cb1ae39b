#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdbool.h>

static _Atomic int plain, added, mixed;
static atomic_int fetched;
static atomic_uint bits;
static _Atomic(long) wide = 1L << 40;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int guarded;
static _Atomic unsigned char small = 250;
static struct node { int v; struct node *next; } pool[40];
static _Atomic(struct node *) head;
static atomic_int ready; static int payload;

static void *work(void *arg)
{
    int id = *(int *)arg;
    for (int i = 0; i < 50; i++) {
        plain++;
        ++plain;
        added += 3;
        mixed -= id;
        atomic_fetch_add(&fetched, id);
        int old = atomic_load(&mixed);
        while (!atomic_compare_exchange_weak(&mixed, &old, old + 2 * id)) ;
        while (atomic_flag_test_and_set(&flag)) ;
        guarded++;
        atomic_flag_clear(&flag);
    }
    atomic_fetch_or_explicit(&bits, 1u << id, memory_order_relaxed);
    for (int i = 0; i < 10; i++) {
        struct node *n = &pool[(id - 1) * 10 + i];
        n->v = id;
        n->next = atomic_load(&head);
        while (!atomic_compare_exchange_strong(&head, &n->next, n)) ;
    }
    return NULL;
}
static void *publish(void *arg)
{
    payload = 321;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    int id[4];
    for (int i = 0; i < 4; i++) { id[i] = i + 1; pthread_create(&t[i], NULL, work, &id[i]); }
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    printf("%d %d %d %d %d %u\n", plain, added, mixed, atomic_load(&fetched), guarded, bits);
    int n = 0, s = 0;
    for (struct node *p = head; p; p = p->next) { n++; s += p->v; }
    printf("%d %d\n", n, s);
    pthread_create(&t[0], NULL, publish, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire)) ;
    printf("%d\n", payload);
    pthread_join(t[0], NULL);

    /* values returned, one thread */
    atomic_int a;
    atomic_init(&a, 10);
    int r = atomic_fetch_add(&a, 5); printf("%d %d\n", r, a);
    r = atomic_fetch_sub(&a, 20); printf("%d %d\n", r, a);
    r = atomic_exchange(&a, 0xf0); printf("%d %d\n", r, a);
    r = atomic_fetch_and(&a, 0x3c); printf("%d %d\n", r, a);
    r = atomic_fetch_or(&a, 1); r = atomic_fetch_xor(&a, 0xff); printf("%d %d\n", r, a);
    atomic_store(&a, 7);
    int expect = 6;
    bool ok = atomic_compare_exchange_strong(&a, &expect, 100); printf("%d %d %d\n", ok, expect, a);
    ok = atomic_compare_exchange_strong(&a, &expect, 100); printf("%d %d %d\n", ok, expect, a);
    ok = atomic_compare_exchange_strong_explicit(&a, &expect, 1, memory_order_acq_rel, memory_order_relaxed);
    printf("%d %d %d\n", ok, expect, a);
    r = a++; printf("%d ", r); r = ++a; printf("%d ", r); r = a--; printf("%d ", r); r = (a -= 2); printf("%d %d\n", r, a);
    a *= 3; a |= 1; a <<= 1; a %= 100; a ^= 5; printf("%d\n", a);
    r = (small += 10); printf("%d %d\n", r, small);
    small--; r = small--; printf("%d %d\n", r, small);
    wide += 1; wide >>= 39; printf("%ld\n", wide);
    atomic_bool b = false; ok = atomic_exchange(&b, true); printf("%d %d\n", ok, b);
    int arr[4] = { 1, 2, 3, 4 };
    _Atomic(int *) p = arr;
    p++; p += 1; int *old = atomic_exchange(&p, arr); printf("%d %d\n", *old, *p);
    int in = (a = 9) + 1; printf("%d %d\n", in, a);
    printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_is_lock_free(&a));
    ok = atomic_flag_test_and_set_explicit(&flag, memory_order_acquire);
    atomic_flag_clear_explicit(&flag, memory_order_release);
    printf("%d %d\n", ok, atomic_flag_test_and_set(&flag));
    atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_acquire);
    struct { _Atomic int c; int d; } st = { 4, 5 };
    st.c += st.d; printf("%d %zu\n", st.c, sizeof st);
    return 0;
}
