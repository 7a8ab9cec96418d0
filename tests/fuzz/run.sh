#!/bin/sh
# Runs one fuzz target: run.sh <program> <folder of seeds, may be missing>.
# Findings and the grown corpus stay beside the program.
program=$1
seeds=$2
mkdir -p "$program.corpus"
set -- -max_total_time="${FUZZ_SECONDS:-5}" -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$program." "$program.corpus"
[ -d "$seeds" ] && set -- "$@" "$seeds"
[ -f "$seeds.dict" ] && set -- -dict="$seeds.dict" "$@"
exec "$program" "$@"
