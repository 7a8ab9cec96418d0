#!/usr/bin/env bash
# JSON reports: each command, each verdict, errors, several entries, and texts
# that are no UTF-8, held against docs/hwcheck.schema.json.
set -u
. "$SRC/tests/cli/cli.sh"
litmus=$SRC/tests/programs/litmus
python=
for p in python3 /usr/bin/python3; do
    "$p" -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null &&
        python=$p && break
done
[ -n "$python" ] || { echo "FAILED: no python3-jsonschema"; exit 1; }

n=0
# Runs hwcheck and keeps the report as <name>.json.
json() { # <name> <expected exit code> <argument>...
    local name=$1 want=$2
    shift 2
    run "$want" "$@" --json="$name.json" "${after[@]}"
    [ -s "$name.json" ] || complain "no report"
    n=$((n + 1))
}
has() { # <name> <Python about the report r and its first entry e>
    "$python" -c "import json, sys
r = json.load(open(sys.argv[1]))
e = r['entries'][0]
sys.exit(not ($2))" "$1.json" 2>why || complain "$1.json: not $2 $(tail -n 1 why)"
}

after=()
cat >race.c <<'C'
#include <pthread.h>
int x;
void *f(void *p) { x = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); return 0; }
C
cat >refused.c <<'C'
#include <stdlib.h>
int main(void) { return system("true"); }
C
# Names and texts that are no UTF-8, in all places where a program has some.
odd=$(printf 'caf\xe9\xf0\x90.c')
{
    printf '#include <hwcheck.h>\n#include <assert.h>\n#include <stdatomic.h>\n'
    printf 'atomic_int x;\nint main(void) { observe("v\xff", 1); x = 1; // \xc3\n'
    printf '    assert(x == 2 && "\xed\xa0\x80"); return 0; }\n'
} >"$odd"

# check
json sound 0 check --arch=x86_64 "$litmus/mp-rel-acq.c"
has sound "e['verdict'] == 'SOUND' and e['arch'] == 'x86_64' and e['source']['arch'] is None"
has sound "e['machine']['arch'] == 'x86_64' and r['summary']['verdicts']['SOUND'] == 1"
has sound "r['schema'] == 1 and r['report'] == 'check' and r['tool'] == 'hwcheck'"
json miscompiled 1 check --arch=ppc64le --mapping=bad-power-acquire-none "$litmus/mp-rel-acq.c"
has miscompiled "e['verdict'] == 'MISCOMPILED' and e['extra'][0]['culprits']"
json buffering 0 check --arch=aarch64 "$litmus/lb.c"
has buffering "e['extra'][0]['class'] == 'LOAD-BUFFERING'"
json violation 1 check --arch=x86_64 race.c
has violation "e['verdict'] == 'VIOLATION' and e['source']['violations']"
json open 3 check --arch=aarch64 --max-executions=1 "$litmus/sb.c"
has open "e['verdict'] == 'INCONCLUSIVE' and e['gap'] == 'BOUNDED'"
json error 2 check --arch=x86_64 missing.c
has error "e['verdict'] == 'ERROR' and e['arch'] is None and 'missing.c' in e['reason']"
json several 1 check --arch=x86_64,aarch64 --source-model=sc "$litmus/sb.c" "$litmus/mp-rel-acq.c"
has several "r['summary']['entries'] == 4 and [x['arch'] for x in r['entries'][:2]] == ['x86_64', 'aarch64']"
json litmus-check 0 check --arch=x86_64 "$SRC/tests/litmus/c/MP+rel+acq.litmus"
json odd-check 0 check --arch=x86_64 --mapping=bad-x86-sc-store "$odd"
has odd-check "e['program'] == 'caf\\\\xe9\\\\xf0\\\\x90.c'"

# explore
json explored 0 explore "$litmus/sb.c"
has explored "e['arch'] is None and len(e['outcomes']) == 4"
json machine 0 explore --arch=aarch64 "$litmus/sb.c"
has machine "e['arch'] == 'aarch64' and e['compiler']"
json raced 1 explore --all race.c "$odd" "$litmus/sb.c"
has raced "r['summary']['verdicts'] == {'SOUND': 1, 'VIOLATION': 2, 'INCONCLUSIVE': 0, 'ERROR': 0}"
json refused 2 explore "$litmus/sb.c" refused.c
has refused "r['summary']['verdicts']['ERROR'] == 1 and 'system' in r['entries'][1]['reason']"
json bounded 3 explore --max-executions=1 "$litmus/sb.c"

# trace
json traced 0 trace "$litmus/sb.c"
has traced "e['verdict'] == 'DONE' and e['arch'] is None"
json traced-machine 0 trace --arch=ppc64le "$litmus/sb.c"
has traced-machine "e['arch'] == 'ppc64le' and e['threads'][1]['events'][0]['instruction']"
json traced-not 2 trace refused.c
has traced-not "e['verdict'] == 'ERROR'"

# explain
json allowed 0 explain --outcome='r1=0 /\ r2=0' "$litmus/sb.c"
has allowed "e['verdict'] == 'ALLOWED'"
json forbidden 0 explain --model=sc --outcome='r1=0 /\ r2=0' "$litmus/sb.c"
has forbidden "e['verdict'] == 'FORBIDDEN' and e['cycle']"
json impossible 0 explain --outcome='r1=7' "$litmus/sb.c"
json explained-litmus 0 explain "$SRC/tests/litmus/ppc/MP+lwsync+addr.litmus"
has explained-litmus "e['arch'] == 'ppc64le'"
json explained-not 2 explain --outcome='q=1' "$litmus/sb.c"
has explained-not "e['verdict'] == 'ERROR'"
json explained-no-litmus 2 explain missing.litmus
has explained-no-litmus "e['verdict'] == 'ERROR'"

# litmus: what herd's log has
ppc=$SRC/tests/litmus/ppc/MP+lwsync+addr.litmus
json no 0 litmus "$ppc" "$SRC/tests/litmus/c/MP+rel+acq.litmus"
out_has '^Test MP\+lwsync\+addr Allowed'
has no "e['verdict'] == 'No' and e['arch'] == 'ppc64le' and e['model'] == 'power'"
has no "[s['text'] for s in e['states']] == ['1:r4=0; 1:r5=0;', '1:r4=0; 1:r5=1;', '1:r4=1; 1:r5=1;']"
has no "(e['observation'], e['positive'], e['negative']) == ('Never', 0, 3) and e['hash'] is None"
has no "r['entries'][1]['arch'] is None and r['entries'][1]['model'] == 'rc11'"
sed 's/^PPC .*/&\nHash=abc123/' "$ppc" >"$(printf 'hash\xfc.litmus')"
json hash 0 litmus hash*.litmus
has hash "e['hash'] == 'abc123'"
json litmus-error 2 litmus "$ppc" missing.litmus
has litmus-error "r['summary']['verdicts'] == {'Ok': 0, 'No': 1, 'Undef': 0, 'INCONCLUSIVE': 0, 'ERROR': 1}"
json cut 3 litmus --max-executions=1 "$ppc"
has cut "not e['complete'] and 'stopped after 1' in e['reason']"
cat >undef.litmus <<'C'
C undef
{}
P0 (int *x) { *x = 1; }
P1 (int *x) { int r0 = *x; }
exists (1:r0=1)
C
json undef 0 litmus undef.litmus
has undef "e['verdict'] == 'Undef' and e['flag'] and e['complete']"
# Ended before it began: there is a report all the same.
for command in check explore litmus; do
    file=$litmus/sb.c
    [ $command != litmus ] || file=$ppc
    json stopped-$command 3 $command --timeout=0.001 --arch=ppc64le "$file" "$file"
    has stopped-$command "r['summary']['verdicts']['INCONCLUSIVE'] == 2 and e['gap'] == 'TIMEOUT'"
done
run 0 litmus --json "$ppc"
[ "$(head -c 1 out)" = '{' ] || complain "--json is not alone on stdout"

"$python" "$SRC/tests/cli/validate.py" "$SRC/docs/hwcheck.schema.json" ./*.json >why 2>&1 ||
    { cat why; complain "reports are not as the schema says"; }
[ "$(ls ./*.json | wc -l)" = "$n" ] || complain "there are not $n reports"
finish
