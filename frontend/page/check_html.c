#include "frontend/page/check_html.h"

#include "core/mem.h"
#include "frontend/base/cli.h"
#include "frontend/check/check_view.h"
#include "frontend/page/check_svg.h"
#include "frontend/report/report.h"
#include "frontend/subject/sources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* So many outcomes that both sides have are shown at once. */
#define OPEN_ROWS 16
/* Of a longer program only the lines of cycles are shown, and those around. */
#define WHOLE_LINES 300
#define NEAR_LINES  4

static const char style[] =
    ":root{--bg:#fbfbfa;--fg:#1d2125;--dim:#667079;--line:#d9dcdf;"
    "--card:#fff;--bad:#c2261c;--badbg:#fdeceb;--good:#1b7f3b;--warn:#9a6700;"
    "--rf:#c0392b;--co:#2463b8;--fr:#b86a00;--po:#8b949d;--dep:#6f42c1;"
    "--cycle:#b3179b;--hotbg:#fbe9f8;color-scheme:light dark}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e4e7ea;"
    "--dim:#98a2ac;--line:#343a40;--card:#1c2024;--bad:#ff7b72;"
    "--badbg:#3b1d1d;--good:#56d364;--warn:#e3b341;--rf:#ff8a80;--co:#79b8ff;"
    "--fr:#ffb454;--po:#78828c;--dep:#c8a6ff;--cycle:#ff7ce5;"
    "--hotbg:#3a1f36}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:24px;max-width:1500px;background:var(--bg);"
    "color:var(--fg);font:15px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:26px;margin:0}h2{font-size:20px;margin:36px 0 10px}"
    "h3{font-size:16px;margin:22px 0 8px}\n"
    "code,pre,td.m,svg text{font-family:ui-monospace,'DejaVu Sans "
    "Mono',Menlo,Consolas,monospace}code,pre,td.m{font-size:13px}h2 "
    "code{font-size:18px}\n"
    ".verdict{border-left:6px solid var(--warn);padding:10px 18px;"
    "background:var(--card);border-radius:4px;margin-bottom:18px}"
    ".verdict p{margin:4px 0 0}.verdict.bad{border-color:var(--bad)}"
    ".verdict.bad h1{color:var(--bad)}.verdict.good{border-color:var(--good)}"
    ".verdict.good h1{color:var(--good)}\n"
    "dl{display:grid;grid-template-columns:max-content "
    "1fr;gap:3px 18px;margin:0}dt{color:var(--dim)}"
    "dd{margin:0;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse;background:var(--card);margin:6px 0}"
    "th,td{border:1px solid var(--line);padding:4px 10px;text-align:left;"
    "vertical-align:top}th{font-weight:600;color:var(--dim);font-size:13px}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}"
    "tr.bad td{background:var(--badbg)}tr.hot td{background:var(--hotbg)}"
    ".class-bad{color:var(--bad);font-weight:600}.dim{color:var(--dim)}\n"
    ".scroll{overflow-x:auto}"
    ".pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);"
    "gap:16px;align-items:start}.pair.one{grid-template-columns:minmax(0,1fr)}"
    "@media(max-width:1000px){.pair{grid-template-columns:minmax(0,1fr)}}\n"
    "figure{margin:0;padding:12px;background:var(--card);"
    "border:1px solid var(--line);border-radius:6px;overflow-x:auto}"
    "figcaption{margin-bottom:8px}\n"
    "svg.heads{position:absolute}"
    "svg.execution{display:block;margin:0 auto;max-width:100%;height:auto}"
    "svg text{font-size:12px;text-anchor:middle;fill:var(--fg)}"
    "svg text.small{font-size:10px;fill:var(--dim)}"
    "svg text.thread{font-size:13px;font-weight:600;fill:var(--dim)}"
    ".event rect{fill:var(--card);stroke:var(--line)}"
    ".event.hot rect{fill:var(--hotbg);stroke:var(--cycle);stroke-width:1.5}\n"
    ".edge{color:var(--po)}.rf{color:var(--rf)}.co{color:var(--co)}"
    ".fr{color:var(--fr)}.dep{color:var(--dep)}.cycle{color:var(--cycle)}"
    ".culprit{color:var(--bad)}.po{color:var(--po)}"
    ".edge path{fill:none;stroke:currentColor;stroke-width:1.3}"
    ".edge circle,.head path{fill:currentColor}"
    ".edge.dep path{stroke-dasharray:4 3}"
    ".edge.cycle path{stroke-width:2.6}"
    ".edge.culprit path{stroke-width:2.8;stroke-dasharray:7 4}"
    "svg text.label{font-size:10px;fill:currentColor;stroke:var(--card);"
    "stroke-width:4px;paint-order:stroke;stroke-linejoin:round}"
    "svg text.label.cycle,svg text.label.culprit{font-weight:700}\n"
    ".switch{margin:0 4px 8px 0;vertical-align:middle}"
    ".switch+label{margin-right:14px;font-size:13px;cursor:pointer;"
    "user-select:none}"
    ".s-po:not(:checked)~svg .k-po,.s-rf:not(:checked)~svg .k-rf,"
    ".s-co:not(:checked)~svg .k-co,.s-fr:not(:checked)~svg .k-fr,"
    ".s-addr:not(:checked)~svg .k-addr,.s-data:not(:checked)~svg .k-data,"
    ".s-ctrl:not(:checked)~svg .k-ctrl{visibility:hidden}\n"
    "svg.lit .edge:not(.on),svg.lit text.label:not(.on){opacity:.12}"
    "svg.lit .edge.on,svg.lit text.label.on{visibility:visible!important}"
    "svg.lit .edge.on path{stroke-width:2.4}"
    ".event{outline:none;cursor:default}"
    ".event.at rect,.event:focus rect{stroke:var(--fg);stroke-width:2}\n"
    ".legend{color:var(--dim);font-size:13px}.legend b{margin-right:10px}"
    ".missing{background:var(--badbg);border-left:4px solid var(--bad);"
    "padding:8px 14px;border-radius:4px;margin:8px 0}\n"
    "pre.program{background:var(--card);border:1px solid var(--line);"
    "border-radius:6px;padding:10px 0;overflow-x:auto;line-height:1.45}"
    "pre.program span{display:block;padding:0 14px}"
    "pre.program span.hot{background:var(--hotbg);"
    "box-shadow:inset 4px 0 var(--cycle)}"
    "pre.program i{display:inline-block;width:4ch;margin-right:14px;"
    "text-align:right;color:var(--dim);font-style:normal;user-select:none}\n"
    "section.check{margin-top:48px;border-top:3px solid var(--line)}"
    "a{color:inherit}"
    "summary{cursor:pointer;color:var(--dim);margin:6px 0}"
    "footer{margin-top:36px;color:var(--dim);font-size:13px;"
    "overflow-wrap:anywhere}\n";

/* Lights up the edges of the event that is pointed at or has the focus. No
 * character in it that XML would want escaped. */
static const char script[] =
    "document.querySelectorAll('svg.execution').forEach(function(svg){"
    "function light(event){var g=event.target.closest('.event'),"
    "lit=g ? '.at-'+g.dataset.event : null;"
    "svg.classList.toggle('lit',!!g);"
    "svg.querySelectorAll('.edge,text.label').forEach(function(e){"
    "e.classList.toggle('on',lit ? e.matches(lit) : false)});"
    "svg.querySelectorAll('.event').forEach(function(e){"
    "e.classList.toggle('at',e===g)})}"
    "function dark(){light({target:svg})}"
    "svg.addEventListener('mouseover',light);"
    "svg.addEventListener('mouseleave',dark);"
    "svg.addEventListener('focusin',light);"
    "svg.addEventListener('focusout',dark)});\n";

/* In a page of many checks each name is used by each. */
static void print_id(const char *name, uint32_t number, FILE *out)
{
    fprintf(out, " id=\"%s", name);
    if (number)
        fprintf(out, "-%" PRIu32, number);
    fputc('"', out);
}

/* ---- the program */

static void read_program(struct html_source *s, const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t cap = 0;
    if (!in)
        return;
    bool empty = getdelim(&text, &cap, '\0', in) <= 0;
    fclose(in);
    s->text = text;
    for (char *at = empty ? NULL : text, *next; at && *at; at = next) {
        s->lines = mem_resize(s->lines, (s->n + 1) * sizeof *s->lines);
        s->lines[s->n++] = at;
        char *end = at + strcspn(at, "\n");
        next = *end ? end + 1 : end;
        *end = '\0';
        if (end > at && end[-1] == '\r')
            end[-1] = '\0';
    }
    s->hot = mem_resize(NULL, s->n + 1);
    memset(s->hot, 0, s->n + 1);
}

static void read_programs(struct html_sources *s, const struct sources *files)
{
    s->files = mem_resize(NULL, (files->n + 1) * sizeof *s->files);
    memset(s->files, 0, (files->n + 1) * sizeof *s->files);
    for (; s->n < files->n; s->n++) {
        s->files[s->n].path = files->files[s->n];
        read_program(&s->files[s->n], files->files[s->n]);
    }
}

static void release_programs(struct html_sources *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        free(s->files[i].text);
        free(s->files[i].lines);
        free(s->files[i].hot);
    }
    free(s->files);
}

/* How many characters at their ends two paths share, from the last on. */
static size_t common_end(const char *a, const char *b)
{
    size_t n = strlen(a), k = strlen(b), same = 0;
    while (same < n && same < k && a[n - 1 - same] == b[k - 1 - same])
        same++;
    return same;
}

/* Debug information has paths of its own: of the files of that name it is the
 * one whose folder is most like. */
struct html_source *html_find_source(const struct html_sources *s,
                                     const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    struct html_source *best = NULL;
    size_t most = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const char *path = s->files[i].path, *at = strrchr(path, '/');
        size_t same = common_end(path, file);
        if (strcmp(at ? at + 1 : path, base) == 0 && same > most) {
            best = &s->files[i];
            most = same;
        }
    }
    return best;
}

const char *html_source_line(const struct html_source *s, uint32_t line)
{
    if (line == 0 || line > s->n)
        return "";
    return s->lines[line - 1] + strspn(s->lines[line - 1], " \t");
}

/* Is a line of a cycle near? In a short program all lines are. */
static bool is_near(const struct html_source *s, uint32_t line)
{
    uint32_t from = line < NEAR_LINES ? 0 : line - NEAR_LINES;
    for (uint32_t i = from; i < s->n && i <= line + NEAR_LINES; i++)
        if (s->hot[i])
            return true;
    return s->n <= WHOLE_LINES;
}

static bool has_hot_line(const struct html_source *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->hot[i])
            return true;
    return false;
}

static void print_program(const struct html_source *s, FILE *out)
{
    fputs("<h3><code>", out);
    html_text(s->path, out);
    fputs("</code></h3>\n<pre class=\"program\">", out);
    for (uint32_t i = 0; i < s->n; i++) {
        if (!is_near(s, i))
            continue;
        if (i > 0 && !is_near(s, i - 1))
            fputs("<span><i>...</i></span>", out);
        fprintf(out, "<span%s><i>%" PRIu32 "</i>",
                s->hot[i] ? " class=\"hot\"" : "", i + 1);
        html_text(s->lines[i], out);
        fputs("</span>", out);
    }
    fputs("</pre>\n", out);
}

/* All files; of a long one the lines near a cycle. */
static void print_programs(const struct html_sources *s, FILE *out)
{
    bool any = false;
    if (s->n == 0 || s->files[0].n == 0)
        return;
    for (uint32_t i = 0; i < s->n; i++)
        any |= has_hot_line(&s->files[i]);
    fputs("<h2", out);
    print_id("program", s->number, out);
    fprintf(out, ">Program</h2>\n%s",
            any ? "<p class=\"dim\">Marked: the lines of the cycles.</p>\n"
                : "");
    for (uint32_t i = 0; i < s->n; i++)
        if (s->files[i].n > 0 &&
            (s->files[i].n <= WHOLE_LINES || has_hot_line(&s->files[i])))
            print_program(&s->files[i], out);
        else if (s->files[i].n > 0) {
            fputs("<p class=\"dim\"><code>", out);
            html_text(s->files[i].path, out);
            fprintf(out, "</code>: %" PRIu32 " lines, none in a cycle</p>\n",
                    s->files[i].n);
        }
}

/* ---- the head */

void html_begin(const char *title, FILE *out)
{
    fputs("<!DOCTYPE html>\n"
          "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
          "<head><meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\"/>\n<title>",
          out);
    html_text(title, out);
    fprintf(out, "</title>\n<style>%s</style></head>\n<body>\n", style);
    svg_print_heads(out);
}

static void print_verdict(const struct check *c, uint32_t number, FILE *out)
{
    bool bad = c->verdict == CHECK_MISCOMPILED || c->verdict == CHECK_UNDEFINED;
    fprintf(out, "<header class=\"verdict %s\">\n<h1>%s",
            bad                         ? "bad"
            : c->verdict == CHECK_SOUND ? "good"
                                        : "open",
            check_verdict_name(c->verdict));
    if (c->verdict == CHECK_INCONCLUSIVE)
        fprintf(out, " (%s)", report_gap(c->gap));
    fputs("</h1>\n<p", out);
    print_id("reason", number, out);
    fputc('>', out);
    html_text(c->reason, out);
    fputs("</p>\n</header>\n", out);
}

static void print_fact(const char *name, const char *value, FILE *out)
{
    if (!value[0])
        return;
    fprintf(out, "<dt>%s</dt><dd>", name);
    html_text(value, out);
    fputs("</dd>\n", out);
}

static void print_model(const char *name, const struct check_side *side,
                        FILE *out)
{
    const struct model *m = &side->model;
    char text[600];
    snprintf(text, sizeof text,
             "%s%s%s%s; %" PRIu64 " executions, %" PRIu64 " blocked", m->name,
             m->title && m->title[0] ? " — " : "", m->title ? m->title : "", "",
             side->explore.executions, side->explore.blocked);
    print_fact(name, text, out);
}

static void print_warnings(const struct explore *x, FILE *out)
{
    char text[1000];
    for (uint32_t i = 0; i < x->n_warnings; i++) {
        check_print_warning(x, i, text, sizeof text);
        print_fact("warning", text, out);
    }
}

/* What the outcomes alone do not say. */
static void print_remarks(const struct check *c, FILE *out)
{
    const struct explore *x = &c->source->explore;
    char text[900];
    print_warnings(x, out);
    for (uint32_t i = 0; i < x->n_violations; i++) {
        compare_violation(x, &x->violations[i], text, sizeof text);
        print_fact("source fails", text, out);
    }
    if (!c->target->explored)
        return;
    print_warnings(&c->target->explore, out);
    print_fact("kept by us", c->kept ? c->kept : "", out);
    print_fact("not compared", c->compare.missing ? c->compare.missing : "",
               out);
}

static void print_facts(const struct check *c, uint32_t number, FILE *out)
{
    const struct target *t = &c->target->subject.target;
    char name[CHECK_NAME_BYTES];
    check_print_name(c, name, sizeof name);
    fputs("<dl", out);
    print_id("facts", number, out);
    fputs(">\n", out);
    print_fact("program", name, out);
    print_model("source model", c->source, out);
    if (c->target->explored) {
        print_model("machine model", c->target, out);
        print_fact("target", c->isa->name, out);
        print_fact("compiler", t->compiler, out);
        print_fact("flags", t->flags, out);
        print_fact("mapping", t->mapping, out);
        if (c->mapping && c->mapping->title)
            print_fact("", c->mapping->title, out);
    }
    print_remarks(c, out);
    fputs("</dl>\n", out);
}

/* ---- outcomes */

static void print_count(uint64_t n, FILE *out)
{
    if (n)
        fprintf(out, "<td class=\"n\">%" PRIu64 "</td>", n);
    else
        fputs("<td class=\"n dim\">–</td>", out);
}

static void print_row(const struct check_row *r, FILE *out)
{
    bool bad = r->extra && !r->extra->buffering && !r->extra->open &&
               !r->extra->may_buffer && !r->extra->allowed;
    fprintf(out, "<tr%s><td class=\"m\">", bad ? " class=\"bad\"" : "");
    html_text(r->text[0] ? r->text : "(nothing written)", out);
    fputs("</td>", out);
    print_count(r->source, out);
    print_count(r->machine, out);
    fprintf(out, "<td%s>%s</td></tr>\n", bad ? " class=\"class-bad\"" : "",
            !r->extra ? r->machine ? "allowed" : "only in the source"
                      : check_extra_text(r->extra));
}

static void print_rows(const struct check_row *rows, uint32_t n, bool extra,
                       FILE *out)
{
    fputs("<div class=\"scroll\"><table><tr><th>outcome</th><th>source</th>"
          "<th>machine</th><th>class</th></tr>\n",
          out);
    for (uint32_t i = 0; i < n; i++)
        if (!rows[i].extra == !extra)
            print_row(&rows[i], out);
    fputs("</table></div>\n", out);
}

/* What is wrong comes first; the rest may be long. */
static void print_outcomes(const struct check *c, uint32_t number, FILE *out)
{
    uint32_t n, n_extra = 0;
    struct check_row *rows = check_rows_new(c, &n);
    for (uint32_t i = 0; i < n; i++)
        n_extra += rows[i].extra != NULL;
    fputs("<h2", out);
    print_id("outcomes", number, out);
    fputs(">Outcomes</h2>\n<p class=\"dim\">Final values, "
          "and the number of executions that end so.</p>\n",
          out);
    if (n_extra)
        print_rows(rows, n, true, out);
    if (n > n_extra) {
        fprintf(out,
                "<details%s><summary>%" PRIu32 " outcome%s of the "
                "source</summary>\n",
                n - n_extra <= OPEN_ROWS ? " open=\"open\"" : "", n - n_extra,
                n - n_extra == 1 ? "" : "s");
        print_rows(rows, n, false, out);
        fputs("</details>\n", out);
    }
    free(rows);
}

/* ---- all of it */

static void print_witnesses(const struct check *c,
                            const struct html_sources *sources, FILE *out)
{
    uint32_t n = 0, left = 0;
    for (uint32_t i = 0; i < c->n_extras; i++) {
        const struct check_extra *e = &c->extras[i];
        bool shown = check_extra_is_shown(e) && n < CHECK_EXPLAINED;
        n += shown;
        left += !shown && strcmp(check_extra_class(e), "MISCOMPILED") == 0;
        if (shown)
            check_html_witness(c, e, sources, out);
    }
    if (n && left)
        fprintf(out,
                "<p class=\"dim\">%" PRIu32 " more that the source "
                "forbids %s not explained here.</p>\n",
                left, left == 1 ? "is" : "are");
}

void html_end(const struct options *o, FILE *out)
{
    fprintf(out, "<footer>hwcheck %s: <code>", HWCHECK_VERSION);
    for (uint32_t i = 0; i < o->argc; i++) {
        fputs(i ? " " : "", out);
        html_text(o->argv[i], out);
    }
    fprintf(out, "</code></footer>\n<script>%s</script>\n</body>\n</html>\n",
            script);
}

/* `number`: of the section, from 1; 0: the page is of one check. */
static void print_check(const struct check *c, uint32_t number, FILE *out)
{
    struct html_sources sources = {.number = number};
    struct sources files;
    sources_find(&files, c->options, c->isa, c->path);
    read_programs(&sources, &files);
    print_verdict(c, number, out);
    print_facts(c, number, out);
    if (c->target->explored)
        print_outcomes(c, number, out);
    if (c->verdict == CHECK_MISCOMPILED)
        print_witnesses(c, &sources, out);
    print_programs(&sources, out);
    release_programs(&sources);
    sources_release(&files);
}

void check_html_print(const struct check *c, FILE *out)
{
    char name[CHECK_NAME_BYTES], title[CHECK_NAME_BYTES + 100];
    check_print_name(c, name, sizeof name);
    snprintf(title, sizeof title, "%s: %s on %s",
             check_verdict_name(c->verdict), name, c->isa->name);
    html_begin(title, out);
    print_check(c, 0, out);
    html_end(c->options, out);
}

void check_html_section(const struct check *c, uint32_t number, FILE *out)
{
    char name[CHECK_NAME_BYTES];
    check_print_name(c, name, sizeof name);
    fputs("<section class=\"check\"", out);
    print_id("check", number, out);
    fputs(">\n<h2><code>", out);
    html_text(name, out);
    fprintf(out, "</code> on %s</h2>\n", c->isa->name);
    print_check(c, number, out);
    fputs("</section>\n", out);
}
