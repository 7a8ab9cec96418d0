# Writes the programs that shapes.txt describes as one C file in which each is a
# function test_NAME, for `hwcheck --entry='test_*'`:
#
#   awk -f generate.awk shapes.txt >suite.c
#   awk -v only=NAME ...        that program alone, with a main
#   awk -v every=N -v first=I   one in N, counted from I
#   awk -v list=1 ...           the names, one a line
#   awk -v lang=java|linux ...  the same for another language, without what it
#                               has no words for
#
# What is chosen depends on shapes.txt alone. A hole is an access or a gap;
# holes are numbered from 0 in the order of the text.

function fail(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
    exit 1
}

# ---- shapes

# Notes a hole: what (W, R or G), thread, variable, value, mode ("": open).
function add_hole(s, what, thread, variable, value, mode, guarded,    h) {
    h = n_holes[s]++
    hole[s, h, "what"] = what
    hole[s, h, "thread"] = thread
    hole[s, h, "variable"] = variable
    hole[s, h, "value"] = value
    hole[s, h, "mode"] = mode
    hole[s, h, "guarded"] = guarded
}

function add_access(s, word, thread,    parts, access, value, guarded) {
    split(word, parts, ".")
    access = parts[1]
    guarded = sub(/^\?/, "", access)
    if (access !~ /^(R[a-z]|W[a-z](=[1-9])?)$/)
        fail("expected an access such as Rx, Wx=2 or ?Wx.rel, got '" word "'")
    value = access ~ /=/ ? substr(access, 4) : 1
    add_hole(s, substr(access, 1, 1), thread, substr(access, 2, 1), value,
             parts[2], guarded)
}

function read_shape(line,    s, threads, n, words, k, i, j, open) {
    if (!match(line, /^[A-Za-z0-9.+-]+:/))
        fail("expected a name and a colon")
    s = substr(line, 1, RLENGTH - 1)
    if (s in n_threads)
        fail("a second shape '" s "'")
    n = split(substr(line, RLENGTH + 1), threads, "|")
    n_threads[s] = n
    n_holes[s] = 0
    for (i = 1; i <= n; i++) {
        k = split(threads[i], words, " ")
        open = 0 # is an access waiting for its gap?
        for (j = 1; j <= k; j++) {
            if (words[j] == "-" || words[j] ~ /^\./) {
                add_hole(s, "G", i, "", "",
                         words[j] == "-" ? "-" : substr(words[j], 2), 0)
                open = 0
                continue
            }
            if (open)
                add_hole(s, "G", i, "", "", "", 0)
            add_access(s, words[j], i)
            open = 1
        }
    }
}

# ---- covers: which modes the holes get together

# A generator of our own, so that every awk chooses alike.
function random(n) {
    seed = (seed * 16807) % 2147483647
    return seed % n
}

# Sets open[0..n_open-1], levels and level: the modes that each may have.
function set_levels(s,    h, what, modes, n, i) {
    n_open = 0
    for (h = 0; h < n_holes[s]; h++) {
        what = hole[s, h, "what"]
        if (hole[s, h, "mode"] != "")
            n = split(hole[s, h, "mode"], modes, ",")
        else
            n = split(vary[what], modes, ",")
        if (n == 0)
            fail("no modes for " what " of " s)
        levels[n_open] = n
        for (i = 0; i < n; i++)
            level[n_open, i] = modes[i + 1]
        n_open++
    }
}

function emit_row(s,    h, modes) {
    modes = ""
    for (h = 0; h < n_open; h++)
        modes = modes (h ? " " : "") level[h, row[h]]
    add_program(s, modes)
}

function cover_all(s,    h) {
    for (h = 0; h < n_open; h++)
        row[h] = 0
    for (;;) {
        emit_row(s)
        for (h = n_open - 1; h >= 0 && ++row[h] == levels[h]; h--)
            row[h] = 0
        if (h < 0)
            return
    }
}

# Every mode of each hole once, the others by chance.
function cover_each(s,    most, h, i, shift) {
    most = 0
    for (h = 0; h < n_open; h++) {
        if (levels[h] > most)
            most = levels[h]
        shift[h] = random(levels[h])
    }
    for (i = 0; i < most; i++) {
        for (h = 0; h < n_open; h++)
            row[h] = i < levels[h] ? (i + shift[h]) % levels[h] \
                                   : random(levels[h])
        emit_row(s)
    }
}

# How many pairs that are still missing does hole h with mode m add?
function gain(h, m,    k, n) {
    n = 0
    for (k = 0; k < n_open; k++)
        if (row[k] >= 0 && k != h)
            n += k < h ? ((k, row[k], h, m) in missing) \
                       : ((h, m, k, row[k]) in missing)
    return n
}

function fill_row(    h, m, start, best, most, i, k) {
    for (h = 0; h < n_open; h++) {
        if (row[h] >= 0)
            continue
        start = random(levels[h])
        best = -1
        for (i = 0; i < levels[h]; i++) {
            m = (start + i) % levels[h]
            if (best < 0 || gain(h, m) > most) {
                best = m
                most = gain(h, m)
            }
        }
        row[h] = best
    }
    for (h = 0; h < n_open; h++)
        for (k = h + 1; k < n_open; k++)
            delete missing[h, row[h], k, row[k]]
}

# Greedy: each row has the first pair that is missing and as many more as
# possible.
function cover_pairs(s,    h, k, i, j, x) {
    if (n_open < 2) {
        cover_all(s)
        return
    }
    for (h = 0; h < n_open; h++)
        for (k = h + 1; k < n_open; k++)
            for (i = 0; i < levels[h]; i++)
                for (j = 0; j < levels[k]; j++)
                    missing[h, i, k, j] = 1
    for (h = 0; h < n_open; h++)
        for (k = h + 1; k < n_open; k++)
            for (i = 0; i < levels[h]; i++)
                for (j = 0; j < levels[k]; j++) {
                    if (!((h, i, k, j) in missing))
                        continue
                    for (x = 0; x < n_open; x++)
                        row[x] = -1
                    row[h] = i
                    row[k] = j
                    fill_row()
                    emit_row(s)
                }
}

function read_vary(line,    sides, words, n, i, s) {
    if (split(line, sides, "=") != 2)
        fail("expected COVER MODES = SHAPES")
    n = split(sides[1], words, " ")
    delete vary
    for (i = 2; i <= n; i++)
        if (words[i] ~ /^[WRG]:./)
            vary[substr(words[i], 1, 1)] = substr(words[i], 3)
        else
            fail("expected W:, R: or G: and modes, got '" words[i] "'")
    n = split(sides[2], shapes, " ")
    for (i = 1; i <= n; i++) {
        s = shapes[i]
        if (!(s in n_threads))
            fail("no shape '" s "'")
        seed = 1
        set_levels(s)
        if (words[1] == "all")
            cover_all(s)
        else if (words[1] == "each")
            cover_each(s)
        else if (words[1] == "pairs")
            cover_pairs(s)
        else
            fail("expected all, each or pairs, got '" words[1] "'")
    }
}

# ---- programs

function add_program(s, modes,    name, parts, n, i, at) {
    n = split(modes, parts, " ")
    name = s
    at = 0
    for (i = 1; i <= n; i++) {
        if (hole[s, i - 1, "thread"] != at)
            name = name "_"
        at = hole[s, i - 1, "thread"]
        if (parts[i] != "-")
            name = name "_" (hole[s, i - 1, "what"] == "G" ? "F" : "") parts[i]
    }
    gsub(/[^A-Za-z0-9_]/, "_", name)
    if (name in program_shape)
        return
    program_shape[name] = s
    program_modes[name] = modes
    program[n_programs++] = name
}

# Splits a mode into global mode_unused, mode_op ("": load, store, fence) and
# mode_order.
function split_mode(mode) {
    mode_unused = sub(/^u/, "", mode)
    mode_op = ""
    if (mode ~ /^[xac](rlx|acq|rel|ar|sc)$/) {
        mode_op = substr(mode, 1, 1)
        mode = substr(mode, 2)
    }
    if (!(mode in order))
        fail("no mode '" mode "'")
    mode_order = mode
}

# The order of a compare-exchange that fails: no releasing part.
function failure_order(o) {
    return o == "rel" ? "rlx" : o == "ar" ? "acq" : o
}

function c_expression(what, v, value, thread,    a) {
    a = mode_order == "na" ? "" : ", " order[mode_order]
    if (what == "G" && mode_op == "")
        return "atomic_thread_fence(" order[mode_order] ")"
    if (what == "G") {
        v = "own" thread
        value = 1
        use_own[thread] = 1
    }
    v = name_of(v)
    if (mode_op == "x")
        return "atomic_exchange_explicit(&" v ", " value a ")"
    if (mode_op == "a")
        return "atomic_fetch_add_explicit(&" v ", " \
            (what == "R" ? 0 : value) a ")"
    if (mode_op == "c")
        return "cas(&" v ", " (what == "R" ? 9 : 0) ", " value a ", " \
            order[failure_order(mode_order)] ")"
    if (mode_order == "na")
        return what == "R" ? v : v " = " value
    if (what == "R")
        return "atomic_load_explicit(&" v a ")"
    return "atomic_store_explicit(&" v ", " value a ")"
}

function name_of(v) {
    return only ? v : "t" number "_" v
}

# One statement; results go to r0, r1, ...
function statement(s, h, mode,    what, v, text) {
    what = hole[s, h, "what"]
    v = hole[s, h, "variable"]
    if (mode == "-")
        return ""
    split_mode(mode)
    if (v != "" && mode_order == "na")
        plain[v] = 1
    text = c_expression(what, v, hole[s, h, "value"],
                        hole[s, h, "thread"]) ";\n"
    if (!mode_unused && (what == "R" || mode_op != "")) {
        text = name_of("r" n_results) " = " text
        last_result = n_results++
    }
    if (hole[s, h, "guarded"])
        text = "if (" guard ")\n        " text
    if (what == "R")
        guard = name_of("r" last_result)
    return "    " text
}

function write_program(name,    s, modes, n, h, t, bodies, variables, i, v) {
    s = program_shape[name]
    split(program_modes[name], modes, " ")
    n_results = 0
    delete plain
    delete use_own
    delete bodies
    variables = ""
    for (h = 0; h < n_holes[s]; h++) {
        t = hole[s, h, "thread"]
        v = hole[s, h, "variable"]
        if (v != "" && !index(variables, v))
            variables = variables v
        bodies[t] = bodies[t] statement(s, h, modes[h + 1])
    }
    printf "\n/* %s: %s */\n", s, program_modes[name]
    for (i = 1; i <= length(variables); i++) {
        v = substr(variables, i, 1)
        printf "%s %s;\n", v in plain ? "int" : "atomic_int", name_of(v)
    }
    for (t = 1; t <= n_threads[s]; t++)
        if (t in use_own)
            printf "atomic_int %s;\n", name_of("own" t)
    for (i = 0; i < n_results; i++)
        printf "int %s;\n", name_of("r" i)
    for (t = 1; t <= n_threads[s]; t++)
        printf "static void *%s(void *unused)\n{\n%s    return unused;\n}\n",
               name_of("P" t), bodies[t]
    write_start(s, only ? "main" : "test_" name)
}

function write_start(s, name,    t) {
    printf "int %s(void)\n{\n    pthread_t t[%d];\n", name, n_threads[s]
    for (t = 1; t <= n_threads[s]; t++)
        printf "    pthread_create(&t[%d], 0, %s, 0);\n", t - 1,
               name_of("P" t)
    for (t = 1; t <= n_threads[s]; t++)
        printf "    pthread_join(t[%d], 0);\n", t - 1
    print "    return 0;\n}"
}

function write_head() {
    print "/* Generated from tests/suite/shapes.txt. */"
    print "#include <pthread.h>\n#include <stdatomic.h>\n"
    print "static inline int cas(atomic_int *a, int expected, int desired,"
    print "                      memory_order success, memory_order failure)"
    print "{"
    print "    atomic_compare_exchange_strong_explicit(a, &expected, desired, success,"
    print "                                            failure);"
    print "    return expected;"
    print "}"
}

function wanted(i,    name) {
    if (only)
        return program[i] == only
    return !every || i % every == first % every
}

BEGIN {
    order["na"] = ""
    order["rlx"] = "memory_order_relaxed"
    order["acq"] = "memory_order_acquire"
    order["rel"] = "memory_order_release"
    order["ar"] = "memory_order_acq_rel"
    order["sc"] = "memory_order_seq_cst"
}
{ sub(/^#.*|[ \t]+#.*/, "") }
/^[ \t]*$/ { next }
/^shape / { read_shape(substr($0, 7)); next }
/^vary / { read_vary(substr($0, 6)); next }
{ fail("expected a shape or vary line") }
END {
    if (failed)
        exit 1
    if (!list)
        write_head()
    for (number = 0; number < n_programs; number++)
        if (wanted(number)) {
            n_written++
            if (list)
                print program[number]
            else
                write_program(program[number])
        }
    if (only && !n_written) {
        print "no program '" only "'" > "/dev/stderr"
        exit 1
    }
    if (!list && !only)
        print "\nint main(void)\n{\n    return 0;\n}"
}
