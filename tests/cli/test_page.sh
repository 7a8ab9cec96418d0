#!/usr/bin/env bash
# The page for browsers: switches for relations, edges of an event, all files of
# the program; and, if there is a Chromium, what they do in it.
set -u
. "$SRC/tests/cli/cli.sh"
file_has() { grep -qE -e "$2" "$1" || complain "$1 lacks '$2'"; }

# A deque on Power: 150 ctrl edges would cover everything.
real=$SRC/tests/programs/real
run 1 check --quiet --arch=ppc64le --mapping="$real/weak-power-fence.map" \
    --html=deque.html "$real/chase_lev.c"
file_has deque.html 'class="switch s-ctrl" id="g0-0-m-ctrl"/>'
file_has deque.html 'class="switch s-rf" id="g0-0-m-rf" checked="checked"/>'
file_has deque.html '<label class="dep" for="g0-0-m-ctrl">ctrl <span class="dim">[0-9]+</span>'
file_has deque.html '<g class="event" data-event="c" tabindex="0">'
file_has deque.html 'class="edge dep k-ctrl at-[a-z]+ at-[a-z]+"'
# A failure is as forbidden as an outcome.
file_has deque.html 'forbidden by the source'
file_has deque.html '<td class="m">bottom=.*! assertion .*class-bad">forbidden'

# What the text says beside verdict and outcomes.
run 0 check --quiet --arch=x86_64 --target-model=armv8 --html=warned.html \
    "$SRC/tests/programs/litmus/sb.c"
file_has warned.html '<dt>warning</dt><dd>model armv8 is about another machine than x86_64'
cat >statics.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static int seen;
atomic_int x;
void *f(void *p) { seen = atomic_load(&x); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; pthread_join(t, 0); }
C
run 0 check --quiet --arch=x86_64 --html=statics.html statics.c
file_has statics.html '<dt>kept by us</dt><dd>seen</dd>'
run 0 check --quiet --arch=x86_64 --observe=external --html=statics.html statics.c
file_has statics.html '<dt>not compared</dt><dd>seen</dd>'

# Each id once.
ids() { grep -oE ' id="[^"]*"' "$1" | sort | uniq -d; }
[ -z "$(ids deque.html)" ] || complain "ids that occur twice: $(ids deque.html)"

# No label stands on another: width 6.1 a character, 10 high.
awk -F'"' '
    /<svg .*class="execution"/ { n = 0 }
    /^<text class="label/ {
        text = $7; sub(/^>/, "", text); sub(/<.*/, "", text)
        gsub(/&[a-z]+;/, "x", text)
        w = length(text) * 6.1; marked = $2 ~ /cycle|culprit/
        for (i = 0; i < n; i++)
            if (!(marked && m[i]) && $4 - w / 2 < x[i] + h[i] && x[i] - h[i] < $4 + w / 2 &&
                $6 - y[i] < 10 && y[i] - $6 < 10) {
                print "labels meet: " text " at " $4 "," $6; bad = 1
            }
        x[n] = $4; y[n] = $6; h[n] = w / 2; m[n++] = marked
    }
    END { exit bad }' deque.html >why || complain "$(head -n 3 why)"

# All files, also headers in other folders, with the lines of the cycle.
mkdir -p inc/deep
cat >inc/deep/flag.h <<'C'
#include <stdatomic.h>
extern atomic_int x, y;
static inline void raise_x(void) { atomic_store_explicit(&x, 1, memory_order_relaxed); }
C
echo '#include "deep/flag.h"' >inc/all.h
cat >sb.c <<'C'
#include <all.h>
#include <pthread.h>
atomic_int x, y;
int r1, r2;
void *f(void *p) { raise_x(); r1 = atomic_load_explicit(&y, memory_order_relaxed); return p; }
void *g(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed); r2 = atomic_load_explicit(&x, memory_order_relaxed); return p; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
C
run 1 check --quiet --arch=x86_64 --source-model=sc --html=sb.html sb.c -- -Iinc
file_has sb.html '<h3><code>sb.c</code></h3>'
file_has sb.html '<h3><code>inc/all.h</code></h3>'
file_has sb.html '<h3><code>inc/deep/flag.h</code></h3>'
file_has sb.html '<span class="hot"><i>3</i>static inline void raise_x'
! grep -q 'stdatomic.h</code></h3>' sb.html || complain "a system header is shown"
if command -v xmllint >/dev/null; then
    xmllint --noout sb.html deque.html 2>why || complain "no XML: $(head -n 2 why)"
fi

# What happens: a script in a copy of the page plays the user.
browser=$(command -v chromium || command -v chromium-browser || :)
if [ -n "$browser" ]; then
    sed '/^<\/body>/d; /^<\/html>/d' deque.html >played.html
    cat >>played.html <<'JS'
<script>
var said = [];
function say(what, is) { said.push(what + '=' + is); }
var svg = document.querySelector('figure.machine svg.execution');
var ctrl = svg.querySelector('.k-ctrl'), rf = svg.querySelector('.edge.k-rf');
function seen(e) { return getComputedStyle(e).visibility; }
say('ctrl', seen(ctrl)); say('rf', seen(rf));
document.querySelector('label[for=g0-0-m-ctrl]').click();
say('ctrl-on', seen(ctrl));
document.querySelector('label[for=g0-0-m-ctrl]').click();
say('ctrl-off', seen(ctrl));
var box = document.getElementById('g0-0-m-rf');
box.focus(); say('switch-focus', document.activeElement === box);
box.click(); say('rf-off', seen(rf));
var name = Array.from(ctrl.classList).find(function(c) { return c.indexOf('at-') === 0; }).slice(3);
var event = svg.querySelector('[data-event=' + name + ']');
event.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
say('hover', seen(ctrl)); say('lit', svg.classList.contains('lit'));
say('own', Array.from(svg.querySelectorAll('.edge')).every(function(e) {
    return e.classList.contains('on') === e.classList.contains('at-' + name); }));
svg.dispatchEvent(new MouseEvent('mouseleave'));
say('left', seen(ctrl) + svg.classList.contains('lit'));
event.focus(); say('focus', seen(ctrl));
event.blur(); say('blur', seen(ctrl));
document.body.setAttribute('data-said', said.join(' '));
</script></body></html>
JS
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu \
        --user-data-dir="$tmp/profile" --dump-dom "file://$tmp/played.html" >dom 2>why
    grep -q 'data-said="ctrl=hidden rf=visible ctrl-on=visible ctrl-off=hidden switch-focus=true rf-off=hidden hover=visible lit=true own=true left=hiddenfalse focus=visible blur=hidden"' dom ||
        complain "in $browser: $(grep -o 'data-said="[^"]*"' dom)"
fi
finish
