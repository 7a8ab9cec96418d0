#!/usr/bin/env bash
# Whole data structures as machine code, under the model of the machine: as many
# complete executions as on the source side, so waiting loops cost nothing.
#   HWCHECK=<binary> SRC=<root> tests/cli/test_machine_counts.sh
set -u
: "${HWCHECK:?the binary to test}" "${SRC:?the root of the project}"
failed=0
. "$SRC/tests/cli/isas.sh"
read -ra isas <<<"$(all_isas)"
[ "${#isas[@]}" -gt 0 ] || failed=1
if [ "${HWC_FAST:-0}" = 1 ]; then isas=(ppc64le); fi
while read -r program executions; do
    for isa in "${isas[@]}"; do
        out=$("$HWCHECK" explore --quiet --timeout=120 --arch="$isa" \
            "$SRC/tests/programs/real/$program.c" 2>&1)
        [ "$out" = "SOUND: no violation in $executions executions" ] && continue
        failed=1
        echo "FAILED: $program on $isa: not $executions executions: $out"
    done
done <<'TABLE'
treiber 40
ms_queue 34
chase_lev 38
mcs 6
ticket 2
seqlock 3
rwlock 34
spinlock 2
TABLE
exit $failed
