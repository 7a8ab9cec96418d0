// The C library that programs under test may use.
//
// expect: model=rc11 executions=1 blocked=0 verdict=SOUND
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char buffer[32], other[32];

int main(void)
{
    strcpy(buffer, "one");
    strcat(buffer, ",two");
    assert(strlen(buffer) == 7 && strnlen(buffer, 3) == 3);
    assert(!strcmp(buffer, "one,two") && strcmp(buffer, "one") > 0);
    assert(!strncmp(buffer, "one...", 3) && strncmp("a", "b", 1) < 0);
    assert(strchr(buffer, ',') == buffer + 3 && !strchr(buffer, 'x'));
    assert(strrchr(buffer, 'o') == buffer + 6);
    strncpy(other, buffer, sizeof other);
    assert(memcmp(other, buffer, 8) == 0 && other[31] == 0);
    memmove(buffer + 1, buffer, 8);
    memcpy(other + 8, buffer, 8);
    assert(!strcmp(buffer, "oone,two") && other[8] == 'o');
    memset(other, 'z', 4);
    assert(memchr(other, ',', 8) == NULL && memchr(other, 't', 8) != NULL);

    int *p = malloc(3 * sizeof *p);
    for (int k = 0; k < 3; k++)
        p[k] = k;
    p = realloc(p, 10 * sizeof *p);
    assert(p[2] == 2);
    free(p);
    p = calloc(4, 4);
    assert(p[3] == 0);
    free(p);
    void *aligned = NULL;
    assert(posix_memalign(&aligned, 256, 10) == 0 && (long)aligned % 256 == 0);
    free(aligned);
    free(NULL);

    assert(sqrt(2.25) == 1.5 && fabs(-1.0) == 1 && pow(2, 10) == 1024);
    assert(floor(-0.5) == -1 && fmod(7, 4) == 3 && abs(-3) == 3);
    srand(1);
    int r = rand();
    srand(1);
    assert(rand() == r && r >= 0);
    assert(time(NULL) == 0 && errno == 0);
    errno = ERANGE;
    assert(errno == ERANGE);
    sched_yield();
    usleep(10);
    printf("%d %s\n", r, buffer);
    fprintf(stderr, "text\n");
    puts("");
    fflush(stdout);
    exit(0);
}
