/* Handlers that the program calls itself by raising signals, and the sets that masks are made of. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int seen, with_info;

static void note(int number)
{
    seen = seen * 100 + number;
}

static void note_info(int number, siginfo_t *info, void *context)
{
    with_info = number;
}

int main(void)
{
    struct sigaction action, old;
    sigset_t set, before;

    printf("%d\n", signal(SIGUSR1, note) == SIG_DFL);
    raise(SIGUSR1);
    printf("%d\n", seen);
    printf("%d\n", signal(SIGUSR1, SIG_IGN) == note);
    raise(SIGUSR1);
    printf("%d\n", seen);
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    sigemptyset(&action.sa_mask);
    printf("%d\n", sigaction(SIGUSR2, &action, &old));
    printf("%d\n", old.sa_handler == SIG_DFL);
    pthread_kill(pthread_self(), SIGUSR2);
    printf("%d\n", seen);
    action.sa_sigaction = note_info;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    printf("%d %d\n", seen, with_info);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigdelset(&set, SIGINT);
    printf("%d %d\n", sigismember(&set, SIGTERM), sigismember(&set, SIGINT));
    printf("%d\n", pthread_sigmask(SIG_BLOCK, &set, &before));
    printf("%d\n", sigismember(&before, SIGTERM));
    sigprocmask(SIG_UNBLOCK, &set, &before);
    printf("%d\n", sigismember(&before, SIGTERM));
    printf("%d", sigaction(SIGKILL, &action, NULL));
    printf(" %d\n", errno == EINVAL);
    raise(SIGCHLD);
    printf("%d\n", raise(0));
    return 0;
}
