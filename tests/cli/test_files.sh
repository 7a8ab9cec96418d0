#!/usr/bin/env bash
# A program of several files, and with flags that change what is linked.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_files.sh
set -u
. "$(dirname "$0")/cli.sh"
files=$SRC/tests/programs/files
both=("$files/main.c" "$files/other.c")
flags=(-- "-I$files/include")

# What has one name in two files is told apart, on both sides.
run 0 --link "${both[@]}" "${flags[@]}"
for isa in x86_64 aarch64 ppc64le ppc64 riscv64; do
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

# The library's own: a fast path that acquires, thread-local zeros.
run 0 "$files/once.c" "$files/zero_tls.c"
out_has '^10 checks: 10 sound'

run 0 "$files/library.c"
out_has '^5 checks: 5 sound'
run 0 --arch=x86_64 "$files/library.c"
out_has ' 1 +1  found=2 items\[0\].key=1 .* missing=1 others=34$'
printf '#include <complex.h>\nint main(void) { return 0; }\n' >complex.c
run 2 --arch=x86_64 complex.c
err_has 'complex.h> is not supported'

# Flags that programs ship with, and what they make compilers call.
run 0 "$files/zero_tls.c" -- -fPIC -fstack-protector-all
out_has '^5 checks: 5 sound'
run 0 --arch=aarch64 "$files/exchange.c" -- -moutline-atomics
out_has '^SOUND: all 4 outcomes'
run 0 trace --arch=aarch64 "$files/exchange.c" -- -moutline-atomics
out_has 'exchange.c:14 .*ldxr '
out_has 'exchange.c:14 .*stlxr '
run 0 --link "${both[@]}" "${flags[@]}" -flto
out_has '^5 checks: 5 sound'
run 1 --link --arch=x86_64 --mapping=bad-x86-sc-store "${both[@]}" \
    "${flags[@]}" -flto
out_has ' 1  mine=&shared@main.c r@main.c=0 r@other.c=0 theirs=&shared@other.c x=1 y=1 +<- forbidden'
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    gcc=(--arch=aarch64 --cc=aarch64-linux-gnu-gcc)
    run 0 --link "${gcc[@]}" "${both[@]}" "${flags[@]}" -flto
    out_has '^SOUND: all 3 outcomes'
    run 0 "${gcc[@]}" "$files/zero_tls.c" -- -fPIC -fstack-protector-all
    run 3 "${gcc[@]}" "$files/pair.c"
    out_has "UNMODELLED.*call of libatomic's __atomic_compare_exchange_16"
fi
run 0 --arch=aarch64 "$files/pair.c"

finish
