#!/bin/sh
# Runs one fuzz target over the files of a folder:
#   run.sh <program> <inputs to try> <folder>
# The same inputs each time, whatever the machine: the seed is fixed, and so is
# the order of the files; and nothing goes by addresses, which differ from run to
# run. With FUZZ_SECONDS it goes by them, by the clock and by a fresh seed, and
# goes on from what it found before. Findings stay beside the program.
program=$1
inputs=$2
seeds=$3
set -- -timeout=60 -print_final_stats=1 -artifact_prefix="$program."
[ -f "$seeds.dict" ] && set -- "$@" -dict="$seeds.dict"
if [ -n "$FUZZ_SECONDS" ]; then
    mkdir -p "$program.corpus"
    exec "$program" "$@" -max_total_time="$FUZZ_SECONDS" "$program.corpus" \
        "$seeds"
fi
find "$seeds" -type f | LC_ALL=C sort | paste -s -d, | tr -d '\n' \
    >"$program.inputs"
exec "$program" "$@" -seed=1 -runs="$inputs" -use_cmp=0 -reload=0 \
    -seed_inputs="@$program.inputs"
