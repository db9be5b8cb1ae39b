#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int v; struct node *next; };
struct dnode { char name[8]; struct dnode *prev, *next; };
struct tree { int key; int count; struct tree *kid[2]; };
struct emp { char name[8]; int age; struct { int y, m; } since; };

static struct node *push(struct node *h, int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = h; return n; }
static struct node *reverse(struct node *h) { struct node *r = 0; while (h) { struct node *n = h->next; h->next = r; r = h; h = n; } return r; }
static void insert_sorted(struct node **pp, int v) { while (*pp && (*pp)->v < v) pp = &(*pp)->next; *pp = push(*pp, v); }
static int remove_all(struct node **pp, int v)
{
    int n = 0;
    while (*pp) if ((*pp)->v == v) { struct node *d = *pp; *pp = d->next; free(d); n++; } else pp = &(*pp)->next;
    return n;
}
static void show(const struct node *h) { for (; h; h = h->next) printf("%d%s", h->v, h->next ? "->" : "\n"); }
static void drop(struct node *h) { while (h) { struct node *n = h->next; free(h); h = n; } }

static struct dnode *append(struct dnode *ring, const char *s)
{
    struct dnode *d = calloc(1, sizeof *d);
    strncpy(d->name, s, sizeof d->name - 1);
    d->prev = ring->prev; d->next = ring;
    ring->prev->next = d; ring->prev = d;
    return d;
}
static struct tree *add(struct tree *t, int k)
{
    if (!t) { t = calloc(1, sizeof *t); t->key = k; t->count = 1; }
    else if (k == t->key) t->count++;
    else t->kid[k > t->key] = add(t->kid[k > t->key], k);
    return t;
}
static void walk(const struct tree *t) { if (t) { walk(t->kid[0]); printf("%d:%d ", t->key, t->count); walk(t->kid[1]); } }
static int height(const struct tree *t) { if (!t) return 0; int a = height(t->kid[0]), b = height(t->kid[1]); return 1 + (a > b ? a : b); }
static void fell(struct tree *t) { if (t) { fell(t->kid[0]); fell(t->kid[1]); free(t); } }

int main(void)
{
    struct node *h = 0;
    for (int i = 1; i <= 5; i++) h = push(h, i * i);
    show(h);
    h = reverse(h);
    show(h);
    insert_sorted(&h, 10); insert_sorted(&h, 0); insert_sorted(&h, 100); insert_sorted(&h, 10);
    show(h);
    int gone = remove_all(&h, 10);
    gone += remove_all(&h, 0); gone += remove_all(&h, 7);
    printf("%d\n", gone);
    show(h);
    h->next->next->v *= -1;
    show(h);
    drop(h);

    struct dnode ring = { "", &ring, &ring };
    append(&ring, "one"); struct dnode *two = append(&ring, "two"); append(&ring, "three-long");
    two->prev->next = two->next; two->next->prev = two->prev; free(two);
    append(&ring, "four");
    for (struct dnode *d = ring.next; d != &ring; d = d->next) printf("%s ", d->name);
    for (struct dnode *d = ring.prev; d != &ring; d = d->prev) printf("%c ", d->name[0]);
    printf("\n");
    for (struct dnode *d = ring.next, *n; d != &ring; d = n) { n = d->next; free(d); }

    struct tree *t = 0;
    int keys[] = { 50, 30, 70, 20, 40, 60, 80, 30, 65, 50, 50 };
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) t = add(t, keys[i]);
    walk(t);
    printf("h=%d %d\n", height(t), t->kid[1]->kid[0]->kid[1]->key);
    fell(t);

    struct emp staff[4] = { { "ann", 30, { 2001, 5 } }, { "bob", 25, { 1999, 1 } }, { "cy", 41, { 1990, 12 } } };
    staff[3] = staff[0]; staff[3].since.m++; strcpy(staff[3].name, "dee");
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && staff[j].since.y < staff[j - 1].since.y; j--) { struct emp x = staff[j]; staff[j] = staff[j - 1]; staff[j - 1] = x; }
    for (struct emp *e = staff; e < staff + 4; e++) printf("%s/%d/%d.%d ", e->name, e->age, e->since.y, e->since.m);
    printf("\n");
    struct emp *oldest = staff;
    for (int i = 0; i < 4; i++) if (staff[i].age > oldest->age) oldest = &staff[i];
    printf("%s %ld\n", oldest->name, (long)(oldest - staff));
    struct emp *copy = malloc(2 * sizeof *copy);
    memcpy(copy, staff + 1, 2 * sizeof *copy);
    copy[1].age = 0;
    printf("%s %s %d\n", copy[0].name, copy[1].name, staff[2].age);
    free(copy);
    struct node pool[6], *fl = 0;
    for (int i = 0; i < 6; i++) { pool[i].v = i; pool[i].next = fl; fl = &pool[i]; }
    show(fl);
    return 0;
}
