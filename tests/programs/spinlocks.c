#include <pthread.h>
#include <stdio.h>
#include <errno.h>

static pthread_spinlock_t sl, set[2];
static int counter, max_inside, inside;
struct stack { pthread_spinlock_t lock; int top, v[64]; } st;

static const char *name(int rc) { return rc == 0 ? "ok" : rc == EBUSY ? "EBUSY" : "other"; }
static void *attempt(void *arg)
{
    int rc = pthread_spin_trylock(&sl);
    if (rc == 0) pthread_spin_unlock(&sl);
    *(int *)arg = rc;
    return NULL;
}
static const char *elsewhere(void)
{
    pthread_t t;
    int rc = -1;
    pthread_create(&t, NULL, attempt, &rc);
    pthread_join(t, NULL);
    return name(rc);
}
static void *count(void *arg)
{
    for (int i = 0; i < 50; i++) {
        pthread_spin_lock(&sl);
        if (++inside > max_inside) max_inside = inside;
        counter++;
        inside--;
        pthread_spin_unlock(&sl);
    }
    return NULL;
}
static void *count_try(void *arg)
{
    int left = 50;
    while (left) {
        if (pthread_spin_trylock(&sl) != 0) continue;
        counter += 2;
        left--;
        pthread_spin_unlock(&sl);
    }
    return NULL;
}
static void *pusher(void *arg)
{
    int base = *(int *)arg;
    for (int i = 0; i < 20; i++) {
        pthread_spin_lock(&st.lock);
        st.v[st.top++] = base + i;
        pthread_spin_unlock(&st.lock);
    }
    return NULL;
}

int main(void)
{
    printf("%d\n", pthread_spin_init(&sl, PTHREAD_PROCESS_PRIVATE));
    printf("%s\n", elsewhere());
    printf("%s\n", name(pthread_spin_lock(&sl)));
    printf("%s %s\n", elsewhere(), name(pthread_spin_trylock(&sl)));
    printf("%s\n", name(pthread_spin_unlock(&sl)));
    printf("%s\n", name(pthread_spin_trylock(&sl)));
    printf("%s\n", elsewhere());
    pthread_spin_unlock(&sl);
    printf("%s\n", elsewhere());

    for (int i = 0; i < 2; i++) pthread_spin_init(&set[i], 0);
    pthread_spin_lock(&set[0]);
    printf("%s", name(pthread_spin_trylock(&set[0])));
    printf(" %s\n", name(pthread_spin_trylock(&set[1])));
    for (int i = 0; i < 2; i++) { pthread_spin_unlock(&set[i]); pthread_spin_destroy(&set[i]); }

    pthread_t t[3];
    pthread_create(&t[0], NULL, count, NULL);
    pthread_create(&t[1], NULL, count, NULL);
    pthread_create(&t[2], NULL, count_try, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    printf("%d %d\n", counter, max_inside);

    pthread_spin_init(&st.lock, PTHREAD_PROCESS_PRIVATE);
    int base[3] = { 0, 100, 200 }, sum = 0, n[3] = { 0 };
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, pusher, &base[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    for (int i = 0; i < st.top; i++) { sum += st.v[i]; n[st.v[i] / 100]++; }
    printf("%d %d %d %d %d\n", st.top, sum, n[0], n[1], n[2]);
    printf("%d %d\n", pthread_spin_destroy(&st.lock), pthread_spin_destroy(&sl));
    return 0;
}
