# The names of the ISAs that hwcheck has, for tests that run on all of them.
all_isas() {
    "$HWCHECK" check '--arch=?' none.c 2>&1 |
        sed -n 's/^.*; there are \(.*\), and all$/\1/p' | tr -d ,
}
