#!/bin/sh
# Fails when a folder includes a header that it may not see: one of another
# folder of ours, or a third party's. Run from the root.
rc=0

fail() { # <why> <offending lines>
    [ -n "$2" ] || return
    printf '%s:\n%s\n' "$1" "$2"
    rc=1
}

# The #include lines of a folder that match a pattern.
includes() { # <folder> <pattern>
    grep -rnE "^ *# *include +$2" "$1" --include='*.[ch]' |
        grep -v '^frontend/main\.c:' # it composes all the others
}

allow() { # <folder> <third-party prefixes, |> <folders that it may see>...
    dir=$1
    third=$2
    shift 2
    ours=$(printf '%s|' "$dir" "$@")
    fail "$dir/ may include only $dir $*" \
        "$(includes "$dir" '"[a-z-]+/' | grep -vE "include +\"(${ours%|})/")"
    fail "$dir/ may not use this library" \
        "$(includes "$dir" '<(llvm|clang|cjson|elfutils|dwarf|capstone|libelf|gelf|qemu)' |
            grep -vE "include +<($third)")"
    fail "$dir/: a path must start at the root" "$(includes "$dir" '"\.\.?/')"
}

none='^$'
allow core "$none"
allow models "$none" core
allow mappings "$none" core
allow hw capstone core
allow qemu-plugin "$none" core hw
allow frontend 'llvm-c|cjson|elfutils|dwarf|libelf|gelf' core hw mappings
exit $rc
