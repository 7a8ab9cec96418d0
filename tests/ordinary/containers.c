/* Containers: lists, stacks, queues, tables, trees. */
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

struct node {
    struct node *next;
    int value;
};

/* A list that is filled, reversed and summed. */
static int list_sum, list_first;

static void *use_list(void *unused)
{
    struct node *list = NULL, *reversed = NULL;
    for (int i = 1; i <= 3; i++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){list, PLANT(i, i * i)};
        list = n;
    }
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    list_first = reversed->value;
    while (reversed) {
        struct node *next = reversed->next;
        list_sum = 10 * list_sum + reversed->value;
        free(reversed);
        reversed = next;
    }
    return unused;
}

int test_list(void)
{
    both(use_list, skip);
    return 0;
}

/* A list of static nodes under a lock. */
static struct node nodes[2];
static struct node *head;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int i)
{
    pthread_mutex_lock(&head_lock);
    nodes[i].value = 10 + i;
    nodes[i].next = head;
    head = &nodes[PLANT(i, 0)];
    pthread_mutex_unlock(&head_lock);
}

static void *push_first(void *unused)
{
    push(0);
    return unused;
}

static void *push_second(void *unused)
{
    push(1);
    return unused;
}

int test_locked_list(void)
{
    both(push_first, push_second);
    return 0;
}

/* A stack in an array. */
static struct {
    int top, item[4];
} stack;
static int popped;

static void *use_stack(void *unused)
{
    for (int i = 0; i < 4; i++)
        stack.item[stack.top++] = i;
    popped = stack.item[--stack.top];
    popped += PLANT(10, 9) * stack.item[--stack.top];
    return unused;
}

int test_stack(void)
{
    both(use_stack, skip);
    return 0;
}

/* A ring of one producer and one consumer. */
static int ring[2];
static atomic_uint written, taken;
static int received[2];

static void *produce(void *unused)
{
    for (unsigned i = 0; i < 2; i++) {
        unsigned at = atomic_load_explicit(&written, RELAXED);
        ring[at % 2] = (int)(7 + i);
        atomic_store_explicit(&written, at + 1, RELEASE);
    }
    return unused;
}

static void *take_from_ring(void *unused)
{
    for (unsigned i = 0; i < 2; i++) {
        unsigned at = atomic_load_explicit(&taken, RELAXED);
        if (at == atomic_load_explicit(&written, ACQUIRE))
            break;
        received[i] = ring[PLANT(at % 2, 0)];
        atomic_store_explicit(&taken, at + 1, RELEASE);
    }
    return unused;
}

int test_ring(void)
{
    both(produce, take_from_ring);
    return 0;
}

/* A queue of a list with a dummy node, in turn. */
static struct {
    struct node *first, *last;
    struct node dummy;
    int n;
} queue;

static void *enqueue(void *unused)
{
    queue.first = queue.last = &queue.dummy;
    for (int i = 0; i < 2; i++) {
        nodes[i] = (struct node){NULL, i + 5};
        queue.last->next = &nodes[i];
        queue.last = &nodes[i];
        queue.n++;
    }
    return unused;
}

static void *dequeue(void *unused)
{
    while (queue.first->next) {
        queue.first = queue.first->next;
        queue.n -= PLANT(1, 0);
    }
    return unused;
}

int test_queue(void)
{
    in_turn(enqueue, dequeue);
    return 0;
}

/* A table by hashing, with open addresses. */
static struct {
    int key, value;
} table[8];

static void insert(int key, int value)
{
    unsigned at = (unsigned)key * 5 % 8;
    while (table[at].key && table[at].key != key)
        at = (at + 1) % 8;
    table[at].key = key;
    table[at].value = value;
}

static int find(int key)
{
    unsigned at = (unsigned)key * 5 % 8;
    while (table[at].key && table[at].key != key)
        at = (at + 1) % 8;
    return table[at].key == key ? table[at].value : -1;
}
static int found[3];

static void *use_table(void *unused)
{
    insert(1, 100);
    insert(9, 900);
    insert(17, 1700);
    insert(9, PLANT(901, 902));
    found[0] = find(1);
    found[1] = find(9);
    found[2] = find(25);
    return unused;
}

int test_hash_table(void)
{
    both(use_table, skip);
    return 0;
}

/* Buckets of lists. */
static struct node *buckets[3];
static struct node bucket_nodes[4];

static void *fill_buckets(void *unused)
{
    for (int i = 0; i < 4; i++) {
        bucket_nodes[i].value = i;
        bucket_nodes[i].next = buckets[i % 3];
        buckets[i % 3] = &bucket_nodes[PLANT(i, i & 1)];
    }
    return unused;
}

int test_buckets(void)
{
    both(fill_buckets, skip);
    return 0;
}

/* A search tree. */
static struct tree {
    struct tree *child[2];
    int key;
} trees[5];
static int inorder[5], n_inorder;

static void visit(const struct tree *t)
{
    if (!t)
        return;
    visit(t->child[0]);
    inorder[n_inorder++] = t->key;
    visit(t->child[1]);
}

static void *grow(void *unused)
{
    static const int keys[] = {3, 1, 4, 0, 2};
    struct tree *root = NULL;
    for (int i = 0; i < 5; i++) {
        struct tree **at = &root;
        while (*at)
            at = &(*at)->child[keys[i] PLANT(>, >=)(*at)->key];
        trees[i].key = keys[i] PLANT(, | 1);
        *at = &trees[i];
    }
    visit(root);
    return unused;
}

int test_tree(void)
{
    both(grow, skip);
    return 0;
}

/* A heap in an array. */
static int heap[5], n_heap, drained[5];

static void sift(int i)
{
    for (int k; (k = 2 * i + 1) < n_heap; i = k) {
        k += k + 1 < n_heap && heap[k + 1] < heap[k];
        if (heap[i] <= heap[k])
            return;
        int swap = heap[i];
        heap[i] = heap[k];
        heap[k] = swap;
    }
}

static void *use_heap(void *unused)
{
    static const int items[] = {4, 2, 5, 1, 3};
    memcpy(heap, items, sizeof heap);
    n_heap = 5;
    for (int i = 1; i >= 0; i--)
        sift(i);
    for (int i = 0; i < 5; i++) {
        drained[i] = heap[0];
        heap[0] = heap[PLANT(--n_heap, --n_heap / 2)];
        sift(0);
    }
    return unused;
}

int test_heap(void)
{
    both(use_heap, skip);
    return 0;
}

/* A set of bits. */
static uint64_t set[2];

static void *use_set(void *unused)
{
    static const int members[] = {1, 63, 64, 100};
    for (int i = 0; i < 4; i++)
        set[members[i] / 64] |= UINT64_C(1) << members[i] % PLANT(64, 32);
    return unused;
}

int test_bit_set(void)
{
    both(use_set, skip);
    return 0;
}

/* A doubly linked list, from which one is taken out. */
static struct link {
    struct link *next, *last;
} ends = {&ends, &ends}, links[3];

static void *use_links(void *unused)
{
    for (int i = 0; i < 3; i++) {
        links[i] = (struct link){&ends, ends.last};
        ends.last->next = &links[i];
        ends.last = &links[i];
    }
    struct link *out = &links[PLANT(1, 2)];
    out->last->next = out->next;
    out->next->last = out->last;
    return unused;
}

int test_double_links(void)
{
    both(use_links, skip);
    return 0;
}

/* A pool of objects with a free list. */
static struct {
    int free, next[4];
} pool;
static int allocated[3];

static int take(void)
{
    int i = pool.free;
    if (i >= 0)
        pool.free = pool.next[i];
    return i;
}

static void *use_pool(void *unused)
{
    for (int i = 0; i < 4; i++)
        pool.next[i] = i < 3 ? i + 1 : -1;
    allocated[0] = take();
    allocated[1] = take();
    pool.next[allocated[0]] = pool.free;
    pool.free = allocated[PLANT(0, 1)];
    allocated[2] = take();
    return unused;
}

int test_pool(void)
{
    both(use_pool, skip);
    return 0;
}

int main(void)
{
    return 0;
}
