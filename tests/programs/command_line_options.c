/* getopt() and getopt_long() on words of our own; the environment that a program sets itself. */
#define _GNU_SOURCE
#include <getopt.h>
#include <pthread.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int verbose;
static const struct option known[] = {
    { "all", no_argument, 0, 'a' },
    { "file", required_argument, 0, 'f' },
    { "level", optional_argument, 0, 'l' },
    { "verbose", no_argument, &verbose, 7 },
    { 0, 0, 0, 0 },
};

static void parse(const char *options, int count, char **words, int is_long) {
    int c, at = -1;
    optind = 1;
    opterr = 0;
    for (;;) {
        c = is_long ? getopt_long(count, words, options, known, &at) : getopt(count, words, options);
        if (c == -1) break;
        printf("%d", c);
        if (c == '?' || c == ':') printf("(%d)", optopt);
        else if (optarg) printf("=%s", optarg);
        printf(" ");
    }
    printf("| %d", optind);
    for (; optind < count; optind++) printf(" %s", words[optind]);
    puts("");
}

int main(void) {
    char *first[] = { "p", "-ab", "-fname", "-f", "other", "-x", "rest", "last", 0 };
    parse("abf:", 8, first, 0);
    char *second[] = { "p", "-a", "--", "-b", 0 };
    parse("ab", 4, second, 0);
    char *third[] = { "p", "-f", 0 };
    parse("f:", 2, third, 0);
    parse(":f:", 2, third, 0);
    char *fourth[] = { "p", "-l", "-l5", "-", 0 };
    parse("l::", 4, fourth, 0);
    char *fifth[] = { "p", "--all", "--file=x", "--file", "y", "--level", "--level=3", "--verb", "-af", "z", "op", 0 };
    parse("af:", 11, fifth, 1);
    printf("%d\n", verbose);
    char *sixth[] = { "p", "--none", "--all=1", "--file", 0 };
    parse(":af:", 4, sixth, 1);
    char *seventh[] = { "p", 0 };
    parse("a", 1, seventh, 0);

    setenv("UNTHREAD_A", "one", 1);
    setenv("UNTHREAD_A", "two", 0);
    printf("%s ", getenv("UNTHREAD_A"));
    setenv("UNTHREAD_A", "three", 1);
    printf("%s ", getenv("UNTHREAD_A"));
    unsetenv("UNTHREAD_A");
    printf("%d ", getenv("UNTHREAD_A") == NULL);
    static char text[] = "UNTHREAD_B=four";
    putenv(text);
    printf("%s ", getenv("UNTHREAD_B"));
    text[11] = 'F';
    printf("%s ", getenv("UNTHREAD_B"));
    printf("%d ", setenv("", "x", 1));
    printf("%d %d\n", errno == EINVAL, getpid() == getpid());

    sigset_t set;
    sigemptyset(&set);
    printf("%d ", sigismember(&set, SIGINT));
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigdelset(&set, SIGTERM);
    printf("%d %d ", sigismember(&set, SIGINT), sigismember(&set, SIGTERM));
    sigfillset(&set);
    printf("%d %d\n", sigismember(&set, SIGTERM), sigaddset(&set, 1000));

    int old = -1;
    printf("%d ", pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
    printf("%d ", old == PTHREAD_CANCEL_ENABLE);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    printf("%d %d ", old == PTHREAD_CANCEL_DISABLE, pthread_setcancelstate(77, NULL) == EINVAL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    printf("%d ", old == PTHREAD_CANCEL_DEFERRED);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
    printf("%d %d\n", old == PTHREAD_CANCEL_ASYNCHRONOUS, pthread_setcanceltype(77, NULL) == EINVAL);
    return 0;
}
