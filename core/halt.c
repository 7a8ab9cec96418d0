#include "core/halt.h"

#include <math.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#define SECONDS_MAX 1e8 /* three years */

static volatile sig_atomic_t flag, signals;
static volatile pid_t child;
static double limit_s;

static void on_signal(int number)
{
    if (number == SIGALRM || signals++ == 0) {
        if (flag == HALT_NONE)
            flag = number == SIGALRM ? HALT_TIMEOUT : HALT_INTERRUPTED;
        return;
    }
    if (child > 0)
        kill(-child, SIGKILL);
    signal(number, SIG_DFL);
    raise(number); /* comes when this handler has returned */
}

/* Writing a report is not to fail because of them: calls go on, but for those
 * that wait with a time limit. A thread of the program under test may be
 * running, whose stack is small. */
static void handle(int number)
{
    struct sigaction action = {.sa_handler = on_signal,
                               .sa_flags = SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void halt_catch(void)
{
    handle(SIGINT);
    handle(SIGTERM);
}

void halt_after(double seconds)
{
    double whole;
    if (seconds > SECONDS_MAX)
        return;
    limit_s = seconds;
    struct itimerval timer = {{0, 0}, {0, 0}};
    timer.it_value.tv_usec = (suseconds_t)(modf(seconds, &whole) * 1e6);
    timer.it_value.tv_sec = (time_t)whole;
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
        timer.it_value.tv_usec = 1; /* 0 would be never */
    handle(SIGALRM);
    setitimer(ITIMER_REAL, &timer, NULL);
}

double halt_remaining(void)
{
    struct itimerval timer;
    if (limit_s <= 0 || getitimer(ITIMER_REAL, &timer) != 0)
        return 0;
    return (double)timer.it_value.tv_sec +
           (double)timer.it_value.tv_usec * 1e-6;
}

enum halt halt_reason(void)
{
    return (enum halt)flag;
}

const volatile sig_atomic_t *halt_flag(void)
{
    return &flag;
}

void halt_print(char *buf, size_t cap)
{
    if (flag == HALT_TIMEOUT)
        snprintf(buf, cap, "stopped after %g seconds", limit_s);
    else
        snprintf(buf, cap, "%s", flag == HALT_NONE ? "" : "interrupted");
}

bool halt_fail_at(struct err *err, const char *where)
{
    char text[100];
    halt_print(text, sizeof text);
    return err_set(err, ERR_STOPPED, "%s%s", text, where);
}

bool halt_fail(struct err *err)
{
    return halt_fail_at(err, "");
}

void halt_child(pid_t group)
{
    child = group;
}
