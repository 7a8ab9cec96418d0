#include "frontend/page/check_index.h"

#include "frontend/base/output.h"
#include "frontend/check/check_view.h"
#include "frontend/page/check_html.h"
#include "frontend/page/check_svg.h"
#include "frontend/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A browser should be able to show the page. */
#define SECTIONS_MAX 100
/* So many rows that are sound are shown at once. */
#define OPEN_ROWS 40

static void open_text(struct index_text *t)
{
    t->out = open_memstream(&t->text, &t->n);
}

static void close_text(struct index_text *t)
{
    if (t->out)
        fclose(t->out);
    free(t->text);
}

void check_index_init(struct check_index *x)
{
    memset(x, 0, sizeof *x);
    open_text(&x->flagged);
    open_text(&x->sound);
    open_text(&x->sections);
}

void check_index_release(struct check_index *x)
{
    close_text(&x->flagged);
    close_text(&x->sound);
    close_text(&x->sections);
    memset(x, 0, sizeof *x);
}

/* ---- rows */

static void print_name(const struct check *c, const char *href, FILE *out)
{
    char name[CHECK_NAME_BYTES];
    check_print_name(c, name, sizeof name);
    if (href) {
        fputs("<a href=\"", out);
        html_text(href, out);
        fputs("\">", out);
    }
    html_text(name, out);
    fputs(href ? "</a>" : "", out);
}

/* `href`: where more of it stands; NULL: nowhere. */
static void print_row(const struct check *c, const char *href, FILE *out)
{
    bool bad = c->verdict == CHECK_MISCOMPILED || c->verdict == CHECK_UNDEFINED;
    fprintf(out, "<tr%s><td class=\"m\">", bad ? " class=\"bad\"" : "");
    print_name(c, href, out);
    fprintf(out,
            "</td><td>%s</td><td class=\"n\">%" PRIu32
            "</td><td class=\"n\">%" PRIu32 "</td><td%s>%s",
            c->isa->name, c->outcomes[0].n, c->outcomes[1].n,
            bad ? " class=\"class-bad\"" : "", check_verdict_name(c->verdict));
    if (c->verdict == CHECK_INCONCLUSIVE)
        fprintf(out, " (%s)", report_gap(c->gap));
    if (c->verdict == CHECK_SOUND && c->n_buffering)
        fputs(" (and LOAD-BUFFERING)", out);
    fputs("</td><td>", out);
    if (c->verdict != CHECK_SOUND)
        html_text(c->reason, out);
    fputs("</td></tr>\n", out);
}

void check_index_add(struct check_index *x, const struct check *c,
                     const char *page)
{
    char section[40];
    check_counts_add(&x->counts, c);
    if (!x->flagged.out || !x->sound.out || !x->sections.out)
        return;
    if (c->verdict == CHECK_SOUND) {
        print_row(c, page, x->sound.out);
        return;
    }
    if (!page && x->n_sections == SECTIONS_MAX)
        x->n_left++;
    else if (!page) {
        check_html_section(c, ++x->n_sections, x->sections.out);
        snprintf(section, sizeof section, "#check-%" PRIu32, x->n_sections);
        page = section;
    }
    print_row(c, page, x->flagged.out);
}

void check_index_add_error(struct check_index *x, const char *path,
                           const struct err *err)
{
    x->counts.n_errors++;
    if (!x->flagged.out)
        return;
    fputs("<tr class=\"bad\"><td class=\"m\">", x->flagged.out);
    html_text(path, x->flagged.out);
    fputs("</td><td></td><td></td><td></td><td class=\"class-bad\">ERROR</td>"
          "<td>",
          x->flagged.out);
    html_text(err->text, x->flagged.out);
    fputs("</td></tr>\n", x->flagged.out);
}

/* ---- the page */

static uint32_t n_flagged(const struct check_index *x)
{
    return check_counts_all(&x->counts) - x->counts.n[CHECK_SOUND];
}

/* "MISCOMPILED 2, SOUND 17 (1 and LOAD-BUFFERING)" */
static void print_counts(const struct check_index *x, FILE *out)
{
    static const enum check_verdict order[] = {
        CHECK_MISCOMPILED, CHECK_UNDEFINED, CHECK_INCONCLUSIVE, CHECK_SOUND};
    const char *comma = x->counts.n_errors ? ", " : "";
    if (x->counts.n_errors)
        fprintf(out, "ERROR %" PRIu32, x->counts.n_errors);
    for (uint32_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!x->counts.n[order[i]])
            continue;
        fprintf(out, "%s%s %" PRIu32, comma, check_verdict_name(order[i]),
                x->counts.n[order[i]]);
        comma = ", ";
    }
    if (x->counts.n_buffering)
        fprintf(out, " (%" PRIu32 " and LOAD-BUFFERING)",
                x->counts.n_buffering);
}

static void print_table(const struct index_text *rows, FILE *out)
{
    fputs("<div class=\"scroll\"><table><tr><th>program</th><th>target</th>"
          "<th>source</th><th>machine</th><th>verdict</th><th></th></tr>\n",
          out);
    fwrite(rows->text, 1, rows->n, out);
    fputs("</table></div>\n", out);
}

static void print_page(const struct check_index *x, const struct options *o,
                       FILE *out)
{
    uint32_t flagged = n_flagged(x), sound = x->counts.n[CHECK_SOUND];
    html_begin(flagged ? "hwcheck: not all is sound" : "hwcheck: all is sound",
               out);
    fprintf(out, "<header class=\"verdict %s\">\n<h1>",
            x->counts.n[CHECK_MISCOMPILED] + x->counts.n[CHECK_UNDEFINED]
                ? "bad"
            : flagged ? "open"
                      : "good");
    print_counts(x, out);
    fprintf(out,
            "</h1>\n<p>of %" PRIu32 " check%s; the columns are numbers of "
            "outcomes.</p>\n</header>\n",
            flagged + sound, flagged + sound == 1 ? "" : "s");
    if (flagged)
        print_table(&x->flagged, out);
    if (x->n_left)
        fprintf(out,
                "<p class=\"dim\">The last %" PRIu32 " have no section here; "
                "--bundle=DIR makes a folder for each.</p>\n",
                x->n_left);
    if (sound) {
        fprintf(out, "<details%s><summary>%" PRIu32 " sound</summary>\n",
                sound <= OPEN_ROWS ? " open=\"open\"" : "", sound);
        print_table(&x->sound, out);
        fputs("</details>\n", out);
    }
    fwrite(x->sections.text, 1, x->sections.n, out);
    html_end(o, out);
}

/* Closes the stream, so that text and n are all of it. */
static bool end_text(struct index_text *t)
{
    bool good = t->out && !ferror(t->out);
    if (t->out && fclose(t->out) != 0)
        good = false;
    t->out = NULL;
    return good && t->text;
}

bool check_index_write(struct check_index *x, const struct options *o,
                       const char *path, struct err *err)
{
    bool flagged = end_text(&x->flagged), sound = end_text(&x->sound);
    if (!end_text(&x->sections) || !flagged || !sound)
        return err_set(err, ERR_SYSTEM, "no memory for the page '%s'", path);
    struct output out;
    if (!output_open(&out, path, err))
        return false;
    print_page(x, o, out.file);
    return output_close(&out, err);
}
