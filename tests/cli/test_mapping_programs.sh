#!/usr/bin/env bash
# Schemes that are known to be wrong are found out by their smallest programs,
# and those that repair them are not (tests/programs/mapping). None may be left
# without such a program.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_mapping_programs.sh
: "${HWCHECK:?}" "${SRC:?}"
programs=$SRC/tests/programs/mapping
for bad in $("$HWCHECK" mappings | awk '/ bad: / { print $1 }'); do
    grep -q "^// expect: mapping=$bad .*verdict=MISCOMPILED" "$programs"/*.c || {
        echo "FAILED: no program shows that $bad is bad"
        exit 1
    }
done
exec "$SRC/tests/cli/expect.sh" "$programs"
