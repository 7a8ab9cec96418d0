#!/bin/sh
# Fails when a room, that is a folder, includes a header that it may not see:
# one of another room of ours, or a third party's. A room may see itself and
# what is named here, nothing else, and each room must be named. Run from the
# root.
rc=0

fail() { # <why> <offending lines>
    [ -n "$2" ] || return
    printf '%s:\n%s\n' "$1" "$2"
    rc=1
}

# The #include lines of the files that stand in a room itself and match.
includes() { # <room> <pattern>
    grep -nE "^ *# *include +$2" "$1"/*.[ch] /dev/null
}

third='(llvm|clang|cjson|elfutils|dwarf|capstone|libelf|gelf|qemu)[^>]*'
rooms=

allow() { # <room> <third-party prefixes, |> <what it may see>...
    dir=$1
    library=$2
    shift 2
    rooms="$rooms $dir"
    ours=$(printf '%s/[a-z0-9_]+\\.h|' "$dir" "$@")
    fail "$dir/ may include only $dir $*" "$(includes "$dir" '"[a-z-]+/' |
        grep -vE "include +\"(${ours%|})\"")"
    fail "$dir/ may not use this library" "$(includes "$dir" "<$third" |
        grep -vE "include +<($library)")"
    fail "$dir/: a path must start at the root" "$(includes "$dir" '"' |
        grep -vE 'include +"([a-z-]+/|isa_tags\.h|guest_isa\.h)')" # by CMake
}

none='^$'
allow core "$none"

cat=models/cat
allow $cat/text "$none" core
allow $cat/plan "$none" core $cat/text
allow $cat/run "$none" core $cat/plan
allow $cat/reference "$none" core $cat/plan
allow $cat "$none" core $cat/plan $cat/run $cat/reference
allow models "$none" core $cat $cat/text

allow mappings "$none" core
allow hw capstone core
for dir in hw/isa/*/; do # which do not see each other
    allow "${dir%/}" capstone core hw
done
for dir in hw/isa/*/guest; do
    allow "$dir" "$none"
done
allow hw/qemu "$none" core hw
hw='hw hw/qemu' # nobody names an ISA's room

allow qemu-plugin "$none" core $hw

below="core $hw" # and each room what stands above it, as far as it needs
f=frontend
allow $f/base "$none" $below
allow $f/target 'llvm-c|elfutils|dwarf|libelf|gelf' $below mappings $f/base
allow $f/source llvm-c $below $f/base $f/target
allow $f/subject "$none" $below mappings $f/base $f/source $f/target
below="$below mappings $f/base $f/target $f/subject"
allow $f/report cjson $below
below="$below $f/report"
allow $f/explain cjson $below
allow $f/check cjson $below $f/explain $f/source
allow $f/page "$none" $below $f/check
allow $f/bundle "$none" $below $f/check $f/page
allow $f/litmus 'cjson|llvm-c' $below
allow $f/commands 'cjson|elfutils|llvm-c' $below $f/explain $f/check \
    $f/page $f/bundle $f/litmus
# The library of programs under QEMU, and what programs may include.
allow $f/guest "$none" core $hw $f/include/hwcheck
allow $f/guest/include "$none"
allow $f/guest/include/sys "$none"
allow $f/include "$none" $f/include
allow $f/include/hwcheck "$none"
rooms="$rooms $f" # main.c alone, which composes all the others

for dir in $(find core models mappings hw qemu-plugin frontend -name '*.[ch]' |
    sed 's,/[^/]*$,,' | sort -u); do
    case " $rooms " in
    *" $dir "*) ;;
    *) fail "$dir/ is not among the rooms of tests/check_layers.sh" "$dir" ;;
    esac
done
fail "main.c stands alone in frontend/" \
    "$(find frontend -maxdepth 1 -name '*.[ch]' ! -name main.c)"
exit $rc
