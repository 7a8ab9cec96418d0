# From `hwcheck mappings show NAME` to a C program that executes each row of
# the mapping and looks at what comes of it: a thread for each operation, one
# after the other.
#   hwcheck mappings show NAME | awk -f rows.awk [-v own=NAME] > rows.c
# With `own` only the rows that NAME.map itself has: others are tested with the
# mapping that they come from.

function order(o) { return "__ATOMIC_" toupper(o) }

# The new value of an operation in C.
function new_value(op, x, v) {
    if (op == "exchange") return v
    if (op == "fetch_add") return x " + " v
    if (op == "fetch_sub") return x " - " v
    if (op == "fetch_and") return x " & " v
    if (op == "fetch_or") return x " | " v
    if (op == "fetch_xor") return x " ^ " v
    if (op == "fetch_nand") return "~(" x " & " v ")"
    if (op ~ /max$/) return x " > " v " ? " x " : " v
    if (op ~ /min$/) return x " < " v " ? " x " : " v
}

function add(op, line) {
    if (!(op in code)) ops[++n_ops] = op
    code[op] = code[op] "    " line "\n"
    n_lines++
}

# Plain, but for 128 bits, of which plain accesses may take one half.
function get(var) {
    return var == "i128" ? "__atomic_load_n(&i128, __ATOMIC_RELAXED)" : var
}
function set(var, value) {
    return var == "i128" ? "__atomic_store_n(&i128, " value ", __ATOMIC_RELAXED);" : \
        var " = " value ";"
}

function rmw(op, o, bits, noreturn, v, k,    type, name, var, call) {
    type = (op ~ /_u/ ? "uint" : "int") bits "_t"
    var = (op ~ /_u/ ? "u" : "i") bits
    name = op; sub(/_u/, "_", name)
    call = op == "exchange" ? "__atomic_exchange_n" : "__atomic_" name
    call = call "(&" var ", (" type ")" v ", " order(o) ")"
    add(op, "{ " type " x = (" type ")" k ", v = (" type ")" v "; " set(var, "x"))
    if (noreturn)
        add(op, "  " call ";")
    else
        add(op, "  LOOK(" call " == x);")
    add(op, "  LOOK(" get(var) " == (" type ")(" new_value(op, "x", "v") ")); }")
}

function row(op, o, failure, bits, noreturn,    var, type) {
    var = "i" bits; type = "int" bits "_t"
    has_wide = has_wide || bits == 128
    if (op == "load") {
        add(op, set(var, "-5") " LOOK(__atomic_load_n(&" var ", " order(o) ") == -5);")
    } else if (op == "store") {
        add(op, "__atomic_store_n(&" var ", -6, " order(o) "); LOOK(" get(var) " == -6);")
    } else if (op == "idempotent") {
        rmw("fetch_add", o, bits, noreturn, "0", "-4")
        rmw("fetch_and", o, bits, noreturn, "-1", "5")
    } else if (op == "cas") {
        add(op, "{ " type " e = -7; " set(var, "-7"))
        add(op, "  LOOK(__atomic_compare_exchange_n(&" var ", &e, 9, 0, " order(o) ", " order(failure) "));")
        add(op, "  LOOK(" get(var) " == 9 && e == -7);")
        add(op, "  LOOK(!__atomic_compare_exchange_n(&" var ", &e, 3, 1, " order(o) ", " order(failure) "));")
        add(op, "  LOOK(" get(var) " == 9 && e == 9); }")
    } else {
        rmw(op, o, bits, noreturn, "3", "-4")
        rmw(op, o, bits, noreturn, "-9", "5")
        if (bits == 128) rmw(op, o, bits, noreturn, "3", "(((int128_t)7 << 64) - 1)")
    }
}

/^# rows of / { inherited = own != "" && $4 !~ ":" own ".map$" }
inherited { next }
/^[a-z_]+ [a-z_]+ .*=/ && !/^(title|source|isa|cite|bad|flags|op) / {
    op = $1; o = $2; i = 3; failure = ""
    if (o == "plain") next
    if (op == "fence") { add(op, "__atomic_thread_fence(" order(o) ");"); next }
    if (op == "cas") failure = $(i++)
    n = split($i == "*" ? "8,16,32,64" : $i, widths, ",")
    for (w = 1; w <= n; w++) row(op, o, failure, widths[w], $(i + 1) == "noreturn")
}

END {
    print "#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>"
    if (has_wide) print "typedef __int128 int128_t;\ntypedef unsigned __int128 uint128_t;"
    for (bits = 8; bits <= (has_wide ? 128 : 64); bits *= 2)
        printf "static int%d_t i%d; static uint%d_t u%d;\n", bits, bits, bits, bits
    print "#define LOOK(c) assert(c)"
    for (k = 1; k <= n_ops; k++)
        printf "static void *t_%s(void *p)\n{\n%s    return p;\n}\n", ops[k], code[ops[k]]
    print "int main(void)\n{\n    pthread_t t;"
    for (k = 1; k <= n_ops; k++)
        printf "    pthread_create(&t, 0, t_%s, 0);\n    pthread_join(t, 0);\n", ops[k]
    print "    return 0;\n}"
    if (n_lines == 0) exit 1
}
