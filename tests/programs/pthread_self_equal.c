#include <pthread.h>
#include <stdio.h>

static pthread_t main_id;
static pthread_t seen[3];
static int checks[3];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int arrived, released;

static int is_main(void) { return pthread_equal(pthread_self(), main_id) != 0; }
static int calls_same(void) { pthread_t a = pthread_self(); pthread_t b = pthread_self(); return pthread_equal(a, b) != 0; }

static void *who(void *arg)
{
    int k = *(int *)arg;
    pthread_t me = pthread_self();
    checks[k] = is_main() * 4 + calls_same() * 2 + (pthread_equal(me, main_id) != 0);
    pthread_mutex_lock(&m);
    seen[k] = me;
    arrived++;
    pthread_cond_broadcast(&c);
    while (!released) pthread_cond_wait(&c, &m);     /* all alive while they are compared */
    pthread_mutex_unlock(&m);
    return NULL;
}
static void *knows_own(void *arg)
{
    pthread_t *slot = arg;
    pthread_mutex_lock(&m);                /* the creator holds it until the id is stored */
    int same = pthread_equal(*slot, pthread_self()) != 0;
    pthread_mutex_unlock(&m);
    return same ? arg : NULL;
}
static void *join_other(void *arg)         /* a thread other than the creator may join */
{
    void *r;
    pthread_t *t = arg;
    int self = pthread_equal(*t, pthread_self()) != 0;
    int rc = pthread_join(*t, &r);
    return self == 0 && rc == 0 ? r : NULL;
}

int main(void)
{
    main_id = pthread_self();
    printf("%d %d\n", is_main(), calls_same());
    pthread_t t[3];
    int ids[3] = { 0, 1, 2 };
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, who, &ids[i]);
    pthread_mutex_lock(&m);
    while (arrived < 3) pthread_cond_wait(&c, &m);
    int distinct = 0, match = 0, mains = 0;
    for (int i = 0; i < 3; i++) {
        match += pthread_equal(t[i], seen[i]) != 0;
        mains += pthread_equal(seen[i], main_id) != 0;
        for (int j = i + 1; j < 3; j++) distinct += !pthread_equal(seen[i], seen[j]);
    }
    printf("%d %d %d\n", distinct, match, mains);
    released = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    for (int i = 0; i < 3; i++) printf("%d ", checks[i]);
    printf("\n");

    void *r;
    pthread_t one, joiner;
    pthread_mutex_lock(&m);
    pthread_create(&one, NULL, knows_own, &one);
    pthread_mutex_unlock(&m);
    pthread_t copy = one;
    pthread_join(copy, &r);
    printf("%d\n", r == &one);
    pthread_mutex_lock(&m);
    pthread_create(&one, NULL, knows_own, &one);
    pthread_mutex_unlock(&m);
    pthread_create(&joiner, NULL, join_other, &one);
    pthread_join(joiner, &r);
    printf("%d\n", r == &one);
    return is_main() ? 0 : 1;
}
