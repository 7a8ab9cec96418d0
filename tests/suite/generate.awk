# Writes the programs that shapes.txt describes as one C file in which each is a
# function test_NAME, for `hwcheck --entry='test_*'`:
#
#   awk -f generate.awk shapes.txt >suite.c
#   awk -v only=NAME ...        that program alone, with a main
#   awk -v every=N -v first=I   one in N, counted from I
#   awk -v list=1 ...           the names, one a line
#   awk -v lang=java|linux|ocaml ...
#                               in the words of <hwcheck/LANG.h>, without what
#                               that language has no words for (imm, tso: C's words)
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
    if (name in program_shape || !can_say(s, parts, n))
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
    if (mode !~ /^(na|rlx|acq|rel|ar|sc)$/)
        fail("no mode '" mode "'")
    mode_order = mode
}

# Each language's words, by what is done and the order: V is the variable, N the
# number, E what a compare-exchange expects.
function set_words(    orders, suffixes, n, i, o, s, key, parts) {
    n = split("rlx acq rel ar sc", orders, " ")
    split("relaxed acquire release acq_rel seq_cst", suffixes, " ")
    for (i = 1; i <= n; i++) {
        o = orders[i]
        s = "memory_order_" suffixes[i]
        words["c", "R", o] = "atomic_load_explicit(&V, " s ")"
        words["c", "W", o] = "atomic_store_explicit(&V, N, " s ")"
        words["c", "G", o] = "atomic_thread_fence(" s ")"
        words["c", "x", o] = "atomic_exchange_explicit(&V, N, " s ")"
        words["c", "a", o] = "atomic_fetch_add_explicit(&V, N, " s ")"
        words["c", "c", o] = "cas(&V, E, N, " s ", " (o == "rel" ? \
            "memory_order_relaxed" : o == "ar" ? "memory_order_acquire" : s) ")"
    }
    words["c", "R", "na"] = "V"
    words["c", "W", "na"] = "V = N"
    # IMM has C's orders, but seq_cst for fences only.
    for (key in words) {
        split(key, parts, SUBSEP)
        if (parts[3] != "na" && (parts[3] != "sc" || parts[2] == "G"))
            words["imm", parts[2], parts[3]] = words[key]
        # x86 code that is translated: moves, mfence, locked instructions.
        if (parts[3] == (parts[2] ~ /[RW]/ ? "rlx" : "sc"))
            words["tso", parts[2], parts[3]] = words[key]
    }

    n = split("na rlx acq sc", orders, " ")
    split("Plain Opaque Acquire Volatile", suffixes, " ")
    for (i = 1; i <= n; i++)
        words["java", "R", orders[i]] = "get" suffixes[i] "(V)"
    orders[3] = "rel"
    suffixes[3] = "Release"
    for (i = 1; i <= n; i++)
        words["java", "W", orders[i]] = "set" suffixes[i] "(V, N)"
    n = split("acq rel sc", orders, " ")
    split("Acquire Release", suffixes, " ")
    suffixes[3] = ""
    for (i = 1; i <= n; i++) {
        o = orders[i]
        words["java", "x", o] = "getAndSet" suffixes[i] "(V, N)"
        words["java", "a", o] = "getAndAdd" suffixes[i] "(V, N)"
        words["java", "c", o] = "compareAndExchange" suffixes[i] "(V, E, N)"
    }
    words["java", "G", "acq"] = "acquireFence()"
    words["java", "G", "rel"] = "releaseFence()"
    words["java", "G", "sc"] = "fullFence()"

    words["linux", "R", "rlx"] = "READ_ONCE(V)"
    words["linux", "R", "acq"] = "smp_load_acquire(&V)"
    words["linux", "W", "rlx"] = "WRITE_ONCE(V, N)"
    words["linux", "W", "rel"] = "smp_store_release(&V, N)"
    n = split("rlx acq rel sc", orders, " ")
    split("_relaxed _acquire _release", suffixes, " ")
    suffixes[4] = ""
    for (i = 1; i <= n; i++) {
        words["linux", "x", orders[i]] = "xchg" suffixes[i] "(&V, N)"
        words["linux", "c", orders[i]] = "cmpxchg" suffixes[i] "(&V, E, N)"
    }
    words["linux", "G", "acq"] = "smp_rmb()"
    words["linux", "G", "rel"] = "smp_wmb()"
    words["linux", "G", "sc"] = "smp_mb()"

    words["ocaml", "R", "na"] = "caml_get(V)"
    words["ocaml", "W", "na"] = "caml_set(V, N)"
    words["ocaml", "R", "sc"] = "Atomic_get(V)"
    words["ocaml", "W", "sc"] = "Atomic_set(V, N)"
    words["ocaml", "x", "sc"] = "Atomic_exchange(V, N)"
    words["ocaml", "a", "sc"] = "Atomic_fetch_and_add(V, N)"
}

# Has the language words for all of it, and no variable that is both atomic and
# not, unless it is Java?
function can_say(s, modes, n,    i, v, sort) {
    delete sort
    for (i = 1; i <= n; i++) {
        if (modes[i] == "-")
            continue
        split_mode(modes[i])
        if (!((lang, mode_op != "" ? mode_op : hole[s, i - 1, "what"],
               mode_order) in words))
            return 0
        v = hole[s, i - 1, "variable"]
        if (v == "" || lang == "java")
            continue
        if (v in sort && sort[v] != (mode_order == "na"))
            return 0
        sort[v] = mode_order == "na"
    }
    return 1
}

function expression(what, v, value, thread,    text) {
    text = words[lang, mode_op != "" ? mode_op : what, mode_order]
    if (what == "G" && mode_op != "") {
        v = "own" thread
        value = 1
        use_own[thread] = 1
    }
    if (mode_op == "a" && what == "R")
        value = 0
    sub(/, N/, ", " value, text)
    sub(/= N/, "= " value, text)
    sub(/, E/, ", " (what == "R" ? 9 : 0), text)
    return put_variable(text, name_of(v))
}

# In place of the V that is a word of its own.
function put_variable(text, v,    at) {
    at = match(text, /(^|[(&])V([,)]| =|$)/)
    if (!at)
        return text
    at += index(substr(text, at, RLENGTH), "V") - 1
    return substr(text, 1, at - 1) v substr(text, at + 1)
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
    text = expression(what, v, hole[s, h, "value"], \
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
        printf "%s %s;\n", v in plain ? "int" : type, name_of(v)
    }
    for (t = 1; t <= n_threads[s]; t++)
        if (t in use_own)
            printf "%s %s;\n", type, name_of("own" t)
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
    if (!is_c) {
        print "#include <hwcheck/" lang ".h>\n#include <pthread.h>"
        return
    }
    print "#include <pthread.h>\n#include <stdatomic.h>\n"
    print "/* What was there. A macro, so that orders are constants. */"
    print "#define cas(a, expected, desired, success, failure) \\"
    print "    ({ \\"
    print "        int seen = (expected); \\"
    print "        atomic_compare_exchange_strong_explicit((a), &seen, (desired), (success), \\"
    print "                                                (failure)); \\"
    print "        seen; \\"
    print "    })"
}

function wanted(i,    name) {
    if (only)
        return program[i] == only
    return !every || i % every == first % every
}

BEGIN {
    if (lang == "")
        lang = "c"
    is_c = lang == "c" || lang == "imm" || lang == "tso"
    type = is_c ? "atomic_int" : "int"
    set_words()
    skip = 0
}
{ sub(/^#.*|[ \t]+#.*/, "") }
/^[ \t]*$/ { next }
/^shape / { read_shape(substr($0, 7)); next }
/^language / { skip = !index(" " $0 " ", " " lang " "); next }
/^vary / && skip { next }
/^vary / { read_vary(substr($0, 6)); next }
{ fail("expected a shape, vary or language line") }
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
