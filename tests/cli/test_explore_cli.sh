#!/usr/bin/env bash
# The command line from outside: exit codes, messages, streams and signals.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_explore_cli.sh
set -u
. "$(dirname "$0")/cli.sh"
demo=$SRC/tests/programs/demo.c
race=$SRC/tests/programs/violations/data_race.c

# More executions than anyone can wait for.
cat >long.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *writer(void *arg)
{
    for (int i = 0; i < 6; i++)
        atomic_store_explicit(&x, i, memory_order_relaxed);
    return arg;
}
int main(void)
{
    pthread_t t[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], 0, writer, 0);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], 0);
}
END
echo 'int main(void) { return 0; }' >ok.c
echo 'int main(void) { return 0 }' >broken.c

# Verdicts.
run 1 explore "$race"
out_has '^VIOLATION: data race on '
out_has '^  conflict: '
run 1 explore "$demo"
out_has "^VIOLATION: assertion 'seen == 42' failed \(demo\.c:[0-9]+\)"
out_has '^program     '
out_has '^model       rc11'
out_has '^  rf:  '
out_has '^  co:  '
out_has 'demo\.c:[0-9]+  '
err_empty
run 0 explore "$demo" -- -DFIXED
out_has '^SOUND: no violation in [0-9]+ executions'
out_has '^executions  [0-9]+ complete, 0 blocked$'
run 0 explore --model=sc --quiet ok.c
out_has '^SOUND: '
[ "$(wc -l <out)" = 1 ] || complain "--quiet prints more than the verdict"
run 3 explore --max-executions=5 long.c
out_has '^INCONCLUSIVE \(BOUNDED\): '
run 3 explore --timeout=0.2 long.c
out_has '^INCONCLUSIVE \(TIMEOUT\): '
run 1 explore --all "$demo"
out_has '^violation 1: assertion'

# Bad usage and input: a message on stderr, nothing on stdout, exit code 2.
run 2 explore
err_has "^hwcheck: no program given; usage: hwcheck explore"
out_empty
run 2 explore --modle=sc ok.c
err_has "did you mean '--model'\?"
run 2 explroe ok.c
err_has "did you mean 'explore'\?"
run 2 explore --model=nonsense ok.c
err_has '^hwcheck: .*nonsense'
out_empty
run 2 explore missing.c
err_has 'missing\.c'
run 2 explore .
err_has '^hwcheck: '
run 2 explore broken.c
err_has 'broken\.c:1'
run 2 explore broken.c ok.c
out_has '^SOUND'

# Several programs, one after the other; the gravest exit code counts.
run 1 explore ok.c "$demo" ok.c
[ "$(grep -c '^program  ' out)" = 3 ] || complain "expected three reports"

# Help.
for words in '--help' 'help' '-h' 'help explore' 'explore --help' \
    'explore -help' 'models --help'; do
    # shellcheck disable=SC2086
    run 0 $words
    out_has '^Usage: hwcheck'
    out_has '^Exit codes:'
done
run 0 --version
out_has '^hwcheck [0-9]'
run 0 models
out_has '^ *rc11 '
run 0 models show rc11
out_has '^ *acyclic|^ *irreflexive'
run 2 models show nonsense
err_has 'nonsense'

# The option table of README.md is the program's own.
run 0 help --markdown
sed -n '/^| option |/,/^$/p' "$SRC/README.md" | sed '/^$/d' >table
cmp -s table out || complain "README.md has another option table"

# JSON: one object on stdout, nothing else; tools that may be missing check it.
run 1 explore --json "$race"
[ "$(head -c 1 out)" = '{' ] || complain "stdout does not begin with '{'"
[ "$(tail -n 1 out)" = '}' ] || complain "stdout does not end with '}'"
out_has '"verdict":[[:space:]]*"VIOLATION"'
out_has '"kind":[[:space:]]*"data race"'
err_empty
if command -v jq >/dev/null; then
    jq -es 'length == 1 and (.[0].entries[0].violations[0].events | length > 4)' out \
        >jq.out || complain "jq refuses the JSON"
fi
run 2 explore --json broken.c
out_has '"verdict":[[:space:]]*"ERROR"'
run 0 explore --json=report.json ok.c
out_has '^SOUND'
grep -q '"verdict":[[:space:]]*"SOUND"' report.json || complain "no JSON file"
run 1 explore --json ok.c "$demo"
out_has '"entries":[[:space:]]*2,'

# Graphs.
run 1 explore --dot=bad.dot "$demo"
grep -q 'cluster_2' bad.dot || complain "no graph of the violation"
run 0 explore --dot=first.dot ok.c
grep -q '^digraph' first.dot || complain "no graph of the first execution"
run 0 explore --dot-all=all "$demo" -- -DFIXED
[ "$(find all -name '*.dot' | wc -l)" -ge 2 ] || complain "too few graphs"
if command -v dot >/dev/null; then
    dot -Tsvg -o bad.svg bad.dot || complain "dot refuses the graph"
fi
run 3 explore --dot-all=many --max-executions=1003 long.c
err_has "'many' has the first 1000 of 1003 executions"
[ "$(find many -name '*.dot' | wc -l)" = 1000 ] || complain "not 1000 graphs"

# Files that cannot be written: a message and exit code 2, before the work if
# that can be known.
for option in --json=/nonexistent/x --dot=/nonexistent/x; do
    run 2 explore "$option" ok.c
    out_empty
    err_has '^hwcheck: cannot write'
done
for option in --json=/dev/full --dot=/dev/full; do
    run 2 explore "$option" ok.c
    out_has '^SOUND'
    err_has '^hwcheck: cannot write'
done
run 2 explore --dot-all=/nonexistent/x ok.c
err_has '^hwcheck: cannot make the folder'
last=(explore ok.c '>/dev/full')
"$HWCHECK" explore ok.c >/dev/full 2>err
[ $? = 2 ] || complain "a full stdout is not an error"
err_has 'cannot write the report: No space left'
last=(explore ok.c '>&-')
"$HWCHECK" explore --json=closed.json ok.c >&- 2>err
[ $? = 2 ] || complain "a closed stdout is not an error"
grep -q '^{' closed.json || complain "a closed stdout spoils the JSON file"
last=(explore '| true')
"$HWCHECK" explore --outcomes=0 "$demo" 2>err | true
err_empty

# Ctrl-C: a partial report and exit code 3.
for signal in INT TERM; do
    last=(explore long.c "(SIG$signal)")
    # A background job of a script ignores SIGINT; env gives it back.
    env --default-signal=INT "$HWCHECK" explore long.c >out 2>err &
    pid=$!
    sleep 1.5
    kill -"$signal" "$pid"
    wait "$pid"
    code=$?
    [ "$code" = 3 ] || complain "exit code $code after SIG$signal, expected 3"
    out_has '^INCONCLUSIVE \(INTERRUPTED\): '
    out_has '^executions  [1-9]'
done

# Functions have names, not the addresses of this run.
cat >function.c <<'END'
void f(void) {}
void (*pointer)(void);
int main(void)
{
    pointer = f;
    return 0;
}
END
for arch in '' --arch=x86_64 --arch=ppc64; do
    run 0 explore $arch function.c
    out_has ' pointer=&f$'
done

# Colours and progress are for terminals.
run 1 explore "$demo"
! grep -q $'\033' out err || complain "escape codes in a file"

finish
