#ifndef _ERRNO_H
#define _ERRNO_H

#define ENOMEM  12
#define EBUSY   16
#define EINVAL  22
#define EDEADLK 35

#endif
