#!/usr/bin/env bash
# A program of several files, and with flags that change what is linked.
#   HWCHECK=<binary> SRC=<project root> tests/test_files.sh
set -u
. "$(dirname "$0")/cli.sh"
files=$SRC/tests/programs/files
both=("$files/main.c" "$files/other.c")
flags=(-- "-I$files/include")

# What has one name in two files is told apart, on both sides.
run 0 --link "${both[@]}" "${flags[@]}"
for isa in x86_64 aarch64 ppc64le ppc64; do
    out_has "main.c +$isa +3 +3 +SOUND$"
done
run 1 --link --arch=x86_64 --mapping=bad-x86-sc-store "${both[@]}" "${flags[@]}"
out_has '^program .*main.c .*other.c'
out_has ' 1  mine=&shared@main.c r@main.c=0 r@other.c=0 theirs=&shared@other.c x=1 y=1 +<- forbidden'
out_has 'other.c:22 '
run 0 explore --link "${both[@]}" "${flags[@]}"
out_has 'r@main.c=0 r@other.c=1 '
run 0 trace --link --arch=aarch64 "${both[@]}" "${flags[@]}"
out_has 'other.c:22 .*stlr'
run 0 explain --link --outcome='r@main.c=0 r@other.c=0' "${both[@]}" "${flags[@]}"
out_has '^FORBIDDEN'

run 2 --arch=x86_64 "${both[0]}" "${flags[@]}"
err_has "main.c:[0-9]+: function 'fill' is not supported, and is not defined in the program"
run 2 --link --arch=x86_64 "${both[0]}" "${both[@]}" "${flags[@]}"
err_has "'mine'.* multiply defined"
run 2 --link "${both[0]}" none.c "${flags[@]}"
err_has "cannot read 'none.c'"
run 2 --link "${both[1]}" "${flags[@]}"
err_has 'there is no main function'
run 2 check --link "${both[0]}" "$SRC/tests/litmus/x.litmus"
err_has "x.litmus' is a litmus test"
run 2 explore --link --elf --arch=x86_64 "${both[@]}"
err_has 'linked already'

finish
