#include <pthread.h>
#include <stdio.h>
#include <stdbool.h>

static int counter, total, payload, ready;
static unsigned bits;
static bool lock;
static int guarded;

static void *work(void *arg)
{
    int id = *(int *)arg;
    for (int i = 0; i < 60; i++) {
        __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
        int old = __atomic_load_n(&total, __ATOMIC_SEQ_CST), want;
        do want = old + id; while (!__atomic_compare_exchange_n(&total, &old, want, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
        while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) ;
        guarded++;
        __atomic_clear(&lock, __ATOMIC_RELEASE);
    }
    __atomic_or_fetch(&bits, 1u << id, __ATOMIC_SEQ_CST);
    return NULL;
}
static void *publish(void *arg)
{
    payload = 99;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    int id[4];
    for (int i = 0; i < 4; i++) { id[i] = i + 1; pthread_create(&t[i], NULL, work, &id[i]); }
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    printf("%d %d %u %d %d\n", counter, total, bits, guarded, lock);
    pthread_create(&t[0], NULL, publish, NULL);
    while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) ;
    printf("%d\n", payload);
    pthread_join(t[0], NULL);

    /* the generic forms work through pointers */
    int a = 5, v = 7, r = 0;
    __atomic_load(&a, &r, __ATOMIC_SEQ_CST); printf("%d ", r);
    __atomic_store(&a, &v, __ATOMIC_SEQ_CST); printf("%d ", a);
    v = 8; __atomic_exchange(&a, &v, &r, __ATOMIC_SEQ_CST); printf("%d %d %d\n", a, v, r);
    int expect = 1, want = 50;
    bool ok = __atomic_compare_exchange(&a, &expect, &want, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %d %d\n", ok, expect, a);
    ok = __atomic_compare_exchange(&a, &expect, &want, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("%d %d %d\n", ok, expect, a);

    /* _n forms */
    __atomic_store_n(&a, 20, __ATOMIC_RELAXED);
    r = __atomic_exchange_n(&a, 30, __ATOMIC_ACQ_REL); printf("%d %d\n", r, a);
    expect = 30; ok = __atomic_compare_exchange_n(&a, &expect, 31, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); printf("%d %d\n", ok, a);
    ok = __atomic_compare_exchange_n(&a, &expect, 32, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); printf("%d %d %d\n", ok, expect, a);

    /* old value against new value */
    a = 12;
    r = __atomic_fetch_add(&a, 3, 5); printf("%d %d; ", r, a);
    r = __atomic_add_fetch(&a, 3, 5); printf("%d %d; ", r, a);
    r = __atomic_fetch_sub(&a, 8, 5); printf("%d %d; ", r, a);
    r = __atomic_sub_fetch(&a, 4, 5); printf("%d %d\n", r, a);
    a = 0x3c;
    r = __atomic_fetch_and(&a, 0x0f, 0); printf("%d %d; ", r, a);
    r = __atomic_and_fetch(&a, 0x08, 0); printf("%d %d; ", r, a);
    r = __atomic_fetch_or(&a, 0x30, 0); printf("%d %d; ", r, a);
    r = __atomic_or_fetch(&a, 1, 0); printf("%d %d; ", r, a);
    r = __atomic_fetch_xor(&a, 0xff, 0); printf("%d %d; ", r, a);
    r = __atomic_xor_fetch(&a, 0xff, 0); printf("%d %d\n", r, a);
    r = __atomic_fetch_nand(&a, 0x19, __ATOMIC_SEQ_CST); printf("%d %d; ", r, a);
    r = __atomic_nand_fetch(&a, 0xff, __ATOMIC_SEQ_CST); printf("%d %d\n", r, a);

    /* widths wrap; pointers go by bytes */
    unsigned char uc = 250; unsigned short us = 1; long l = 1L << 40; unsigned long long ull = 0;
    r = __atomic_add_fetch(&uc, 10, 5); printf("%d %d; ", r, uc);
    r = __atomic_fetch_nand(&uc, 6, 5); printf("%d %d; ", r, uc);
    r = __atomic_sub_fetch(&us, 2, 5); printf("%d; ", r);
    printf("%ld; ", __atomic_add_fetch(&l, 1, 5));
    printf("%llu\n", __atomic_sub_fetch(&ull, 1, 5));
    int arr[3] = { 1, 2, 3 }, *p = arr;
    int *old = __atomic_fetch_add(&p, sizeof(int), 5); printf("%d %d\n", *old, *p);
    old = __atomic_exchange_n(&p, arr + 2, 5); printf("%d %d\n", *old, *p);
    char f = 0;
    ok = __atomic_test_and_set(&f, 5); printf("%d ", ok);
    ok = __atomic_test_and_set(&f, 5); printf("%d ", ok);
    __atomic_clear(&f, 5); printf("%d\n", f);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    printf("%d %d\n", __atomic_always_lock_free(sizeof(int), 0), __atomic_is_lock_free(sizeof(long), &l));
    int i = 0; __atomic_fetch_add(&arr[i++], 10, 5); printf("%d %d\n", arr[0], i);
    return 0;
}
