#ifndef _UNISTD_H
#define _UNISTD_H
#include <sys/types.h>
int usleep(unsigned);
unsigned sleep(unsigned);
_Noreturn void _exit(int);
#endif
