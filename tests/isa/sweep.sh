#!/bin/sh
# Decodes what compilers emit for C programs with atomics: all orders and sizes
# of operations, loops, copies, and the programs of tests/programs, with every
# compiler found, at every level of optimisation. Prints the instructions that
# are unknown to the decoders. Slow; run by hand:
#
#     tests/isa/sweep.sh <folder of the test_isa_* programs> [pattern of jobs]
#
# Jobs are named <compiler>-<isa>-<options>, as in clang-ppc64le-O2.
bin=${1:?folder of the built tests, e.g. build/tests}
pattern=${2:-*}
src=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
rc=0

snippets() { # the C files that every job compiles
    {
        echo '#include <stdatomic.h>'
        for type in char short int long '__int128' '_Bool' 'void *'; do
            name=$(echo "$type" | tr -dc a-zA-Z0-9)
            echo "typedef $type t_$name;"
            for order in RELAXED ACQUIRE RELEASE ACQ_REL SEQ_CST; do
                atomics "$name" $order
            done
        done
        for order in relaxed acquire release acq_rel seq_cst; do
            echo "void fence_$order(void)"
            echo "{ atomic_thread_fence(memory_order_$order); }"
        done
    } >"$tmp/atomics.c"
    echo "$tmp/atomics.c"
    find "$src/tests/isa" "$src/tests/programs" "$src/frontend/guest" \
        -name '*.c' ! -path '*/litmus/*' 2>/dev/null # litmus tests are all alike
}

atomics() { # <type> <order>
    case $2 in RELAXED | ACQUIRE | SEQ_CST)
        echo "t_$1 load_$1_$2(t_$1 *p) { return __atomic_load_n(p, __ATOMIC_$2); }"
        echo "_Bool cas_$1_$2(t_$1 *p, t_$1 *e, t_$1 v)
            { return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_$2, __ATOMIC_$2); }
            void spin_$1_$2(t_$1 *p)
            { while (!__atomic_load_n(p, __ATOMIC_$2)); }"
        ;;
    esac
    case $2 in RELAXED | RELEASE | SEQ_CST)
        echo "void store_$1_$2(t_$1 *p, t_$1 v) { __atomic_store_n(p, v, __ATOMIC_$2); }"
        ;;
    esac
    echo "t_$1 swap_$1_$2(t_$1 *p, t_$1 v) { return __atomic_exchange_n(p, v, __ATOMIC_$2); }"
    echo "_Bool weak_$1_$2(t_$1 *p, t_$1 *e, t_$1 v)
        { return __atomic_compare_exchange_n(p, e, v, 1, __ATOMIC_$2, __ATOMIC_RELAXED); }"
    case $1 in Bool | void) return ;; esac
    for op in add sub and or xor nand; do
        echo "t_$1 fetch_${op}_$1_$2(t_$1 *p, t_$1 v) { return __atomic_fetch_$op(p, v, __ATOMIC_$2); }"
        echo "t_$1 ${op}_fetch_$1_$2(t_$1 *p, t_$1 v) { return __atomic_${op}_fetch(p, v, __ATOMIC_$2); }"
        echo "void ${op}_$1_$2(t_$1 *p, t_$1 v) { __atomic_fetch_$op(p, v, __ATOMIC_$2); }"
    done
    echo "void inc_$1_$2(t_$1 *p) { __atomic_fetch_add(p, 1, __ATOMIC_$2); }"
    echo "_Bool bit_$1_$2(t_$1 *p, int n) { return __atomic_fetch_or(p, (t_$1)1 << n, __ATOMIC_$2) >> n & 1; }"
}

job() { # <name> <isa> <compiler and options>
    name=$1 isa=$2
    shift 2
    case $name in $pattern) ;; *) return ;; esac
    test=$bin/test_isa_${isa%le}
    [ -x "$test" ] && command -v "$1" >/dev/null || return
    own=$("$1" -print-file-name=include)
    : >"$tmp/code"
    failed=0
    for source in $sources; do
        "$@" $common -isystem "$own" -c "$source" -o "$tmp/o" 2>/dev/null || {
            failed=$((failed + 1))
            continue
        }
        llvm-objcopy-19 -O binary -j .text "$tmp/o" "$tmp/part" &&
            cat "$tmp/part" >>"$tmp/code"
    done
    "$test" "$isa" "$tmp/code" >"$tmp/unknown" || rc=1
    printf '%s: %s bytes, %s unknown, %s files not compiled\n' "$name" \
        "$(wc -c <"$tmp/code")" "$(wc -l <"$tmp/unknown")" $failed
    sort -k2,2 -u "$tmp/unknown" | sed "s/^/    /" # one a mnemonic
}

sources=$(snippets)
common="-w -I $src -ffreestanding -fbuiltin -nostdinc
    -isystem $src/frontend/guest/include -isystem $src/frontend/include"
for level in O0 O1 O2 O3 Os; do
    clang="clang-19 -$level"
    gcc="-$level -fno-reorder-functions" # all in .text
    for isa in x86_64 ppc64le ppc64 aarch64; do
        job "clang-$isa-$level" $isa \
            $clang --target=$(echo $isa | sed 's/^ppc/powerpc/')-linux-gnu
    done
    for cpu in power9 power10; do
        job "clang-ppc64le-$level-$cpu" ppc64le \
            $clang --target=powerpc64le-linux-gnu -mcpu=$cpu
        job "gcc-ppc64le-$level-$cpu" ppc64le \
            powerpc64le-linux-gnu-gcc-12 $gcc -mtraceback=no -fno-jump-tables -mcpu=$cpu
    done
    for options in -mcx16 -march=x86-64-v3; do
        job "clang-x86_64-$level$options" x86_64 \
            $clang --target=x86_64-linux-gnu $options
        job "gcc-x86_64-$level$options" x86_64 \
            gcc-12 $gcc $options
    done
    for options in -march=armv8.1-a -march=armv8.4-a; do
        job "clang-aarch64-$level$options" aarch64 \
            $clang --target=aarch64-linux-gnu $options
        job "gcc-aarch64-$level$options" aarch64 \
            aarch64-linux-gnu-gcc-12 $gcc $options
    done
    job "gcc-x86_64-$level" x86_64 gcc-12 $gcc
    job "gcc-ppc64le-$level" ppc64le \
        powerpc64le-linux-gnu-gcc-12 $gcc -mtraceback=no -fno-jump-tables
    job "gcc-aarch64-$level" aarch64 \
        aarch64-linux-gnu-gcc-12 $gcc
done
exit $rc
