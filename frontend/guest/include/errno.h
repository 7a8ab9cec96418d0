#ifndef _ERRNO_H
#define _ERRNO_H

#define EPERM     1
#define ENOENT    2
#define EINTR     4
#define EIO       5
#define EBADF     9
#define EAGAIN    11
#define ENOMEM    12
#define EACCES    13
#define EFAULT    14
#define EBUSY     16
#define EEXIST    17
#define EINVAL    22
#define ENOSPC    28
#define EPIPE     32
#define EDOM      33
#define ERANGE    34
#define EDEADLK   35
#define ENOSYS    38
#define EOVERFLOW 75
#define ENOTSUP   95
#define ETIMEDOUT 110

#define EWOULDBLOCK EAGAIN
#define EDEADLOCK   EDEADLK
#define EOPNOTSUPP  ENOTSUP

int *__errno_location(void);
#define errno (*__errno_location())

#endif
