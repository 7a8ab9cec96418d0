#!/usr/bin/env bash
# Files that reports go to: whether they can be written is found out before the
# work, they are whole or as they were before, and a folder is for one command.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_output_files.sh
set -u
. "${SRC:?}/tests/cli/cli.sh"
sb=$SRC/tests/programs/litmus/sb.c

# A compiler that says that there was work.
cat >clang-noted <<'END'
#!/bin/sh
touch worked
exec clang-19 "$@"
END
chmod +x clang-noted
before_work() { # <option>: exit code 2, and nothing was compiled
    run 2 check --arch=x86_64 --cc="$PWD/clang-noted" "$1" "$sb"
    [ ! -e worked ] || complain "worked first"
    out_empty
}

for option in --json --html --dot; do
    before_work $option=nowhere/file
    err_has "cannot write 'nowhere/file': No such file"
    mkdir -p folder
    before_work $option=folder
    err_has "cannot write 'folder': Is a directory"
done
before_work --bundle=nowhere/folder
err_has "cannot make the folder 'nowhere/folder'"
run 2 explore --dot-all=nowhere/folder "$sb"
err_has "cannot make the folder"
out_empty

# No room on the disk: nothing is written, and the old file stays. The limit on
# the size of files stands in for it; it is one of files in memory, too, so only
# the source is run.
cat >many.c <<'END'
#include <hwcheck.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *writer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= 9; i++)
        atomic_store_explicit(&x, i, memory_order_relaxed);
    return NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    for (int i = 1; i <= 5; i++)
        observe("x", atomic_load_explicit(&x, memory_order_relaxed));
    pthread_join(t, NULL);
}
END
limited() { # <KiB>: explores with JSON into `file`
    last=(explore --json=file many.c)
    (
        ulimit -f "$1"
        exec "$HWCHECK" "${last[@]}" >out 2>err
    )
    [ $? = 2 ] || complain "the exit code is not 2"
    err_has "cannot write 'file': File too large"
    [ "$(cat file)" = old ] || complain "the old file is gone"
    [ "$(echo file*)" = file ] || complain "files were left behind"
}
echo old >file
limited 64
out_has SOUND
echo old >file
limited 1
out_empty # it was known before the work
run 0 explore --json=file many.c
[ "$(wc -c <file)" -gt 70000 ] || complain "the report is too short for this"

# What is no file of its own works as ever.
run 0 check --arch=x86_64 --json=/dev/null "$sb"
[ -c /dev/null ] || complain "/dev/null was replaced"
run 0 check --arch=x86_64 --quiet --json=/dev/stdout "$sb"
out_has '"verdict":	"SOUND"'
"$HWCHECK" check --arch=x86_64 --quiet --json=/dev/stdout "$sb" 2>err | cat >out
out_has '"verdict":	"SOUND"'
mkfifo pipe
cat pipe >got &
run 0 check --arch=x86_64 --json=pipe "$sb"
wait
grep -q '"verdict":	"SOUND"' got || complain "nothing came through the pipe"
run 2 check --arch=x86_64 --json=/dev/full "$sb"
err_has "cannot write '/dev/full': No space left on device"
# A link stays a link, and a file's rights what they are.
echo old >there
chmod 600 there
ln -s there link
run 0 check --arch=x86_64 --json=link "$sb"
[ -L link ] && grep -q SOUND there || complain "the link was replaced"
[ "$(stat -c %a there)" = 600 ] || complain "the file's rights have changed"

# Two commands into one folder: the second comes while the first compiles.
cat >slow-clang <<'END'
#!/bin/sh
touch begun
until [ -e go ]; do sleep 0.02; done
exec clang-19 "$@"
END
chmod +x slow-clang
"$HWCHECK" check --arch=x86_64 --cc="$PWD/slow-clang" --bundle=both "$sb" >first 2>&1 &
pid=$!
until [ -e begun ]; do sleep 0.02; done
run 2 check --arch=x86_64 --bundle=both "$sb"
err_has 'another hwcheck writes into the folder .both.'
touch go
wait $pid || complain "the first command failed: $(cat first)"
[ -s both/report.md ] || complain "the first command wrote no report"
[ "$(ls -A both | grep -c lock)" = 0 ] || complain "a lock was left behind"
run 2 check --arch=x86_64 --bundle=both "$sb"
err_has 'is not empty'
# Nothing to put into it: no folder.
echo 'nonsense' >bad.c
run 2 check --arch=x86_64 --bundle=none bad.c
[ ! -e none ] || complain "an empty folder was left behind"

finish
