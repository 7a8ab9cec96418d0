#!/usr/bin/env bash
# Each scheme that is known to be wrong has a program in tests/programs/mapping
# that finds it out.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_mapping_programs.sh
: "${HWCHECK:?}" "${SRC:?}"
programs=$SRC/tests/programs/mapping
for bad in $("$HWCHECK" mappings | awk '/ bad: / { print $1 }'); do
    grep -q "^// expect: mapping=$bad .*verdict=MISCOMPILED" "$programs"/*.c || {
        echo "FAILED: no program shows that $bad is bad"
        exit 1
    }
done
