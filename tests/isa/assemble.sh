#!/bin/sh
# Prints a table of instructions with its bytes made anew from the assembly, by
# the options in its line `# assemble:`. To fill in new lines, leave their first
# column empty and write the output over the table.
set -e
options=$(sed -n 's/^# assemble: *//p' "$1")
awk -F' *[|] *' '/^#/ || NF < 3 { next } { print $2 }' "$1" |
    eval llvm-mc-19 "$options" --show-encoding |
    sed -n 's/.*encoding: *\[\(.*\)\].*/\1/p' |
    sed "s/0x//g; s/'//g; s/A/00/g; s/,//g" |
    awk -v table="$1" '
        { bytes[++n] = $0; if (length > width) width = length }
        END {
            while ((getline line < table) > 0) {
                if (line ~ /^#/ || split(line, part, / *[|] ?/) < 3)
                    print line
                else
                    printf "%-*s | %-26s | %s\n", width, bytes[++i], part[2],
                        part[3]
            }
        }'
