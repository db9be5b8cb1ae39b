/* The usual x86 instructions, each by itself: what the processor computes is what is computed here. */
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>

static uint64_t wide = 5;
static uint32_t word = 7;
static uint16_t half = 9;
static uint8_t byte = 250;
static void *pointer = &wide;
static struct { uint64_t low, high; } pair __attribute__((aligned(16))) = { 1, 2 };
static uint32_t bits[4];

static uint32_t swap(uint32_t value)
{
    __asm__ __volatile__("xchgl %0, %1" : "+m"(word), "+q"(value) : : "memory");
    return value;
}

static void *swap_pointer(void *value)
{
    __asm__ __volatile__("xchgq %0, %1" : "+m"(*(uint64_t *)&pointer), "+q"(value) : : "memory");
    return value;
}

static uint64_t fetch_add(uint64_t value)
{
    __asm__ __volatile__("lock; xaddq %1, %0" : "+m"(wide), "+q"(value) : : "memory", "cc");
    return value;
}

static bool compare(uint32_t expected, uint32_t new)
{
    bool done;
    __asm__ __volatile__("lock cmpxchgl %2, %0; setz %1" : "+m"(word), "=a"(done) : "q"(new), "a"(expected) : "memory", "cc");
    return done;
}

static bool compare_value(uint32_t *expected, uint32_t new)
{
    bool done;
    uint32_t found = *expected;
    __asm__ __volatile__("lock cmpxchgl %3, %0;" "setz %1;" : "+m"(word), "=q"(done), "+a"(found) : "q"(new) : "memory", "cc");
    *expected = found;
    return done;
}

static bool compare_flag(uint32_t expected, uint32_t new)
{
    bool done;
    __asm__ __volatile__("lock cmpxchg %3, %0" : "+m"(word), "=@ccz"(done), "+a"(expected) : "q"(new) : "memory", "cc");
    return done;
}

static bool compare_pair(uint64_t low, uint64_t high, uint64_t new_low, uint64_t new_high, uint64_t *seen)
{
    bool done;
    __asm__ __volatile__("lock cmpxchg16b %0; setz %3"
                         : "+m"(pair), "=a"(seen[0]), "=d"(seen[1]), "=q"(done)
                         : "a"(low), "d"(high), "b"(new_low), "c"(new_high)
                         : "memory", "cc");
    return done;
}

static bool count_down(void)
{
    bool zero;
    __asm__ __volatile__("lock decl %0; sete %1" : "+m"(word), "=qm"(zero) : : "memory", "cc");
    return zero;
}

static bool set_bit(uint32_t *field, uint32_t bit)
{
    bool was;
    __asm__ __volatile__("lock btsl %2, %0; setc %1" : "+m"(*field), "=q"(was) : "q"(bit) : "memory", "cc");
    return was;
}

static bool clear_bit(uint32_t *field, uint32_t bit)
{
    bool was;
    __asm__ __volatile__("lock\n\tbtrl %2, %0\n\tsetc %1" : "+m"(*field), "=q"(was) : "q"(bit) : "memory", "cc");
    return was;
}

static uint64_t load(const uint64_t *from)
{
    uint64_t value;
    __asm__ __volatile__("movq %1, %0" : "=q"(value) : "m"(*from) : "memory");
    return value;
}

static void store(uint64_t *to, uint64_t value)
{
    __asm__ __volatile__("movq %1, %0" : "=m"(*to) : "q"(value) : "memory");
}

static uint32_t sum(uint32_t a, uint32_t b)
{
    __asm__("addl %1, %0" : "+r"(a) : "r"(b) : "cc");
    return a;
}

static uint32_t named(uint32_t a, uint32_t b)
{
    uint32_t result;
    __asm__("movl %[a], %[result]\n\t"
            "subl %[b], %[result]\n\t"
            "xorl $0xff, %[result]"
            : [result] "=&r"(result)
            : [a] "r"(a), [b] "r"(b)
            : "cc");
    return result;
}

static int tied(int value)
{
    int result;
    __asm__("" : "=r"(result) : "0"(value));
    return result;
}

static unsigned char carry(uint32_t a, uint32_t b)
{
    unsigned char less;
    __asm__("cmpl %2, %1; setb %0" : "=q"(less) : "r"(a), "r"(b) : "cc");
    return less;
}

static uint64_t through(const uint64_t *from)
{
    uint64_t value;
    __asm__("movq 8(%1), %%rax; movq %%rax, %0" : "=r"(value) : "r"(from) : "rax", "memory");
    return value;
}

static long half_written(int value)
{
    long result;
    __asm__("movl %1, %k0" : "=r"(result) : "r"(value));
    return result;
}

static long half_added(int *memory)
{
    long added = 3;
    __asm__ __volatile__("lock xaddl %k0, %1" : "+r"(added), "+m"(*memory) : : "memory", "cc");
    return added;
}

static int tied_by_name(int value, int *memory)
{
    int result = 3;
    __asm__ __volatile__("lock xaddl %[r], %[m]" : [r] "=r"(result), [m] "+m"(*memory) : "[r]"(value) : "memory", "cc");
    return result;
}

static void bits_beyond(uint64_t *field)
{
    __asm__ __volatile__("lock btsl %1, %0" : "+m"(field[0]) : "i"(35) : "memory", "cc");
    __asm__ __volatile__("lock btsq %1, %0" : "+m"(field[1]) : "r"(-1L) : "memory", "cc");
}

int main(void)
{
    uint64_t field[2] = { 0, 0 };
    int number = -7;
    uint64_t seen[2] = { 0, 0 };
    uint32_t expected = 3;

    printf("%u", swap(11));
    printf(" %u\n", word);
    printf("%d", swap_pointer(&word) == &wide);
    printf(" %d\n", pointer == &word);
    printf("%d", (int)fetch_add(4));
    printf(" %d\n", (int)wide);
    printf("%d", compare(12, 1));
    printf(" %d", compare(11, 1));
    printf(" %u\n", word);
    printf("%d", compare_value(&expected, 8));
    printf(" %u", expected);
    printf(" %d", compare_value(&expected, 8));
    printf(" %u\n", word);
    printf("%d", compare_flag(7, 2));
    printf(" %d", compare_flag(8, 2));
    printf(" %u\n", word);
    printf("%d", compare_pair(1, 3, 4, 5, seen));
    printf(" %d %d", (int)seen[0], (int)seen[1]);
    printf(" %d", compare_pair(1, 2, 4, 5, seen));
    printf(" %d %d\n", (int)pair.low, (int)pair.high);
    printf("%d", count_down());
    printf(" %d", count_down());
    printf(" %u\n", word);
    __asm__ __volatile__("lock incw %0" : "+m"(half) : : "memory", "cc");
    __asm__ __volatile__("lock addb $10, %0" : "+m"(byte) : : "memory", "cc");
    __asm__ __volatile__("lock negl %0" : "+m"(word) : : "memory", "cc");
    __asm__ __volatile__("lock notl %0" : "+m"(word) : : "memory", "cc");
    __asm__ __volatile__("lock orq %1, %0" : "+m"(wide) : "er"((uint64_t)6) : "memory", "cc");
    __asm__ __volatile__("lock andq %1, %0" : "+m"(wide) : "er"((uint64_t)14) : "memory", "cc");
    printf("%u %u %u %d\n", half, byte, word, (int)wide);
    printf("%d", set_bit(&bits[0], 5));
    printf(" %d", set_bit(&bits[0], 5));
    printf(" %d", set_bit(&bits[0], 70));
    printf(" %d", clear_bit(&bits[0], 5));
    printf(" %u %u\n", bits[0], bits[2]);
    store(&wide, 77);
    printf("%d %u %u %d\n", (int)load(&wide), sum(40, 2), named(100, 58), tied(6));
    printf("%d %d %d\n", carry(1, 2), carry(2, 1), (int)through(&pair.low));
    printf("%ld", half_written(-2));
    printf(" %ld", half_added(&number));
    printf(" %d", tied_by_name(5, &number));
    bits_beyond(field);
    printf(" %d %lu %lu\n", number, (unsigned long)field[0], (unsigned long)field[1]);
    __asm__ __volatile__("mfence" ::: "memory");
    __asm__ __volatile__("lock; addl $0, 0(%%rsp)" ::: "memory", "cc");
    __asm__ __volatile__("rep; nop");
    return 0;
}
