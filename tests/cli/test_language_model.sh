#!/usr/bin/env bash
# The header of a language chooses its model, if nothing else does.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_language_model.sh
set -u
. "$(dirname "$0")/cli.sh"
programs=$SRC/tests/programs

run 0 explore "$programs/java/volatile4.c"
out_has '^model +jam21 '
out_has 'model jam21: the program includes <hwcheck/java.h>'
run 0 --arch=aarch64 "$programs/linux/publish.c"
out_has '^source +lkmm '
out_has 'model lkmm: the program includes <hwcheck/linux.h>'
run 0 explore "$programs/ocaml/publish.c"
out_has 'model ocaml: the program includes <hwcheck/ocaml.h>'
run 2 explain "$programs/java/volatile4.c"
err_has 'under jam21 '

# Through a header of the program.
echo '#include <hwcheck/java.h>' >own.h
{
    echo '#include "own.h"'
    grep -v 'hwcheck/java.h' "$programs/java/volatile4.c"
} >indirect.c
run 0 explore indirect.c
out_has 'model jam21: the program includes'

# What the user or the mapping names comes first.
run 0 explore --model=rc11 "$programs/java/volatile4.c"
out_has '^model +rc11 '
out_lacks 'the program includes'
run 0 --arch=aarch64 --source-model=sc "$programs/mapping/sb_volatile.c"
out_has '^source +sc '
run 0 --arch=ppc64le --mapping=java-volatile-repaired \
    "$programs/mapping/sb_volatile.c"
out_lacks 'the program includes'
# A litmus test is C, whatever our text of it includes.
run 0 check --arch=aarch64 "$SRC/tests/litmus/c/IRIW+sc.litmus"
out_has '^source +rc11 '
out_lacks 'the program includes'

printf '#include <hwcheck/java.h>\n#include <hwcheck/ocaml.h>\nint main(void) { return 0; }\n' >two.c
run 2 explore two.c
err_has 'two.c: includes <hwcheck/java.h> and <hwcheck/ocaml.h>'

finish
