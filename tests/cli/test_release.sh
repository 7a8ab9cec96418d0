#!/usr/bin/env bash
# What a release has: an installation that works alone, the manual page,
# completions, versions.
set -u
. "$SRC/tests/cli/cli.sh"
build=$(dirname "$HWCHECK")

run 0 --version
out_has '^hwcheck [0-9]+\.[0-9]+'
out_has '^  LLVM +19\.'
out_has '^  Capstone +[0-9]+\.'
out_has '^  libdw +[0-9]'
out_has '^  cJSON +[0-9]'
out_has '^  clang-19 .*version 19'
out_has '^  qemu-ppc64le +(qemu-ppc64le version|not found)'
err_empty
PATH=/nonexistent "$HWCHECK" --version >out 2>err </dev/null || complain "--version needs other programs"
out_has '^  qemu-aarch64 +not found'

# ---- the manual page: each option and command, no word that roff takes amiss
run 0 help --man
cp out hwcheck.1
for option in $("$HWCHECK" help --markdown | sed -n 's/^| `--\([a-z-]*\).*/\1/p'); do
    grep -q "^\.B \\\\-\\\\-${option//-/\\\\-}" hwcheck.1 || complain "the manual lacks --$option"
done
if command -v man >/dev/null; then
    LC_ALL=C MANWIDTH=80 man --warnings -l hwcheck.1 >page 2>why </dev/null || complain "man refuses it"
    [ ! -s why ] || complain "man warns: $(head -n 2 why)"
    grep -q -- '--source-model=NAME|FILE.cat' page || complain "the page lacks an option"
    grep -q "1:r1=1 /\\\\ 1:r3=0" page || complain "the page lost a backslash"
fi
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning hwcheck.1 >why || complain "mandoc: $(head -n 2 why)"
fi

# ---- completions
run 2 help --completion=tcsh
err_has "expected 'bash', 'zsh' or 'fish', got 'tcsh'"
for shell in bash zsh fish; do
    run 0 help --completion=$shell
    cp out completion.$shell
    command -v $shell >/dev/null || continue
    $shell -n completion.$shell 2>why || complain "$shell: $(head -n 1 why)"
done
mkdir -p bin && ln -sf "$HWCHECK" bin/hwcheck && touch prog.c mine.cat
complete_bash() { # <word>...: what bash offers for the last
    PATH=$tmp/bin:$PATH bash -c '. ./completion.bash; COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1)); _hwcheck; printf "%s\n" "${COMPREPLY[@]}"' - "$@"
}
offers() { # <expected> <word>...
    local want=$1
    shift
    complete_bash "$@" | grep -qxF -e "$want" || complain "no '$want' for: $*"
}
offers_not() {
    local want=$1
    shift
    ! complete_bash "$@" | grep -qxF -e "$want" || complain "'$want' for: $*"
}
offers explore hwcheck ex
offers prog.c hwcheck pr
offers --bundle= hwcheck --b
offers --json hwcheck litmus --j
offers_not --bundle= hwcheck litmus --b
offers ppc64le hwcheck --arch = ppc
offers external hwcheck check --observe = e
offers rc11 hwcheck explore --model = rc
offers mine.cat hwcheck explore --model = mi
offers bad-x86-sc-store hwcheck --mapping = bad-x86-sc-s
offers power hwcheck models show po
offers trace hwcheck help tr
offers_not --bundle= hwcheck prog.c -- --b
for o in $("$HWCHECK" help --markdown | sed -n 's/^| `\(--[a-z-]*\).*/\1/p'); do
    for s in bash zsh; do
        grep -q -e "$o" completion.$s || complain "$s does not complete $o"
    done
    grep -q -e "-l ${o#--} " completion.fish || complain "fish does not complete $o"
done
if command -v fish >/dev/null; then
    PATH=$tmp/bin:$PATH fish -c 'source completion.fish; complete -C "hwcheck check --observe="' >out 2>err
    out_has 'external'
fi

# ---- an installation, in a place of its own
cmake --install "$build" --prefix "$tmp/prefix" >why 2>&1 || complain "install: $(tail -n 2 why)"
for f in bin/hwcheck lib/hwcheck/hwcheck-plugin.so lib/hwcheck/guest/link.ld \
    lib/hwcheck/guest/ppc64.o lib/hwcheck/guest/include/hwcheck.h include/hwcheck.h \
    include/hwcheck/java.h share/hwcheck/models/rc11.cat \
    share/hwcheck/mappings/c11-aarch64.map share/man/man1/hwcheck.1 \
    share/bash-completion/completions/hwcheck share/zsh/site-functions/_hwcheck \
    share/fish/vendor_completions.d/hwcheck.fish share/doc/hwcheck/LICENSE \
    share/doc/hwcheck/docs/hwcheck.schema.json; do
    [ -s "prefix/$f" ] || complain "not installed: $f"
done
[ ! -e prefix/lib/hwcheck/guest/obj ] || complain "parts of the build are installed"
# Nothing of source or build tree is opened: moved, and looked at by strace, if
# that is there.
mv prefix elsewhere
cp "$SRC/tests/programs/litmus/sb.c" sb.c
trace=()
# (LeakSanitizer does not work under it.)
export ASAN_OPTIONS=detect_leaks=0
strace -o /dev/null true 2>/dev/null &&
    trace=(strace -f -qq -e trace=open,openat,execve -o opened)
env -u SRC PATH="$PATH" "${trace[@]}" elsewhere/bin/hwcheck --arch=all sb.c >out 2>err </dev/null ||
    complain "the installed hwcheck fails"
out_has '^5 checks: 5 sound'
if [ -e opened ]; then
    ! grep -F -e "\"$SRC/" -e "\"$build/" opened >why || complain "it opens $(head -n 1 why)"
fi
finish
