// SPDX-License-Identifier: Apache-2.0
//
// libcu++'s atomics in every scope, on every size and with every operation: counters of a block and of the device, a
// lock, a list without locks, flags between blocks and between kernel and host, and the functions of C.
#include <cuda/atomic>
#include <cuda/std/atomic>

#include "common.h"

struct Triple {
    int x, y, z;
    __host__ __device__ bool operator==(const Triple &other) const { return x == other.x && y == other.y && z == other.z; }
};
struct Pair {
    float low, high;
};

struct Counters {
    cuda::atomic<unsigned char, cuda::thread_scope_device> bytes;
    cuda::atomic<short, cuda::thread_scope_device> halves;
    cuda::atomic<int, cuda::thread_scope_device> words;
    cuda::atomic<unsigned long long, cuda::thread_scope_device> longs;
    cuda::atomic<float, cuda::thread_scope_device> floats;
    cuda::atomic<double, cuda::thread_scope_device> doubles;
    cuda::atomic<int, cuda::thread_scope_device> smallest, largest, bits, parity;
    cuda::atomic<float, cuda::thread_scope_device> hottest;
    cuda::atomic<int *, cuda::thread_scope_device> cursor;
    cuda::std::atomic<unsigned> standard;
};

__global__ void reset(Counters *counters, int *slots)
{
    counters->bytes = 0;
    counters->halves.store(0);
    counters->words = 0;
    counters->longs = 0;
    counters->floats = 0.0f;
    counters->doubles = 0.0;
    counters->smallest = 1 << 30;
    counters->largest = -(1 << 30);
    counters->bits = 0;
    counters->parity = 0;
    counters->hottest = -1.0f;
    counters->cursor = slots;
    counters->standard = 0u;
}

__global__ void count(Counters *counters, int *slots)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> in_block;
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) in_block.store(0, cuda::memory_order_relaxed);
    __syncthreads();
    in_block.fetch_add(2, cuda::memory_order_relaxed);
    counters->bytes.fetch_add(3);
    counters->halves.fetch_sub(2);
    ++counters->words;
    counters->words += 2;
    counters->words--;
    counters->longs.fetch_add(1ull << 33, cuda::std::memory_order_relaxed);
    counters->floats.fetch_add(0.5f);
    counters->doubles.fetch_sub(0.25);
    counters->smallest.fetch_min(index * 7 % 1000);
    counters->largest.fetch_max(index * 7 % 1000);
    counters->bits.fetch_or(1 << (index % 20));
    counters->parity.fetch_xor(index);
    counters->hottest.fetch_max(index * 0.125f);
    int *slot = counters->cursor++;
    *slot = index;
    cuda::std::atomic_fetch_add_explicit(&counters->standard, 5u, cuda::std::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) slots[gridDim.x * blockDim.x + blockIdx.x] = in_block.load();
}

bool check_counters()
{
    const int blocks = 8, threads = 96, all = blocks * threads;
    int *slots = device_zeros<int>(all + blocks);
    Counters *counters = reinterpret_cast<Counters *>(device_zeros<char>(sizeof(Counters)));
    reset<<<1, 1>>>(counters, slots);
    count<<<blocks, threads>>>(counters, slots);
    CHECK(cudaGetLastError());
    std::vector<int> found = host_copy(slots, all + blocks);
    struct {
        unsigned char bytes;
        short halves;
        int words;
        unsigned long long longs;
        float floats;
        double doubles;
        int smallest, largest, bits, parity;
        float hottest;
        unsigned standard;
    } got;
    std::vector<char> raw(sizeof(Counters));
    CHECK(cudaMemcpy(raw.data(), counters, sizeof(Counters), cudaMemcpyDeviceToHost));
    const Counters &after = *reinterpret_cast<const Counters *>(raw.data());
    got = {after.bytes.load(), after.halves, after.words, after.longs, after.floats, after.doubles, after.smallest,
           after.largest, after.bits, after.parity, after.hottest, after.standard};
    int parity = 0, largest = 0;
    for (int i = 0; i < all; ++i) {
        parity ^= i;
        largest = i * 7 % 1000 > largest ? i * 7 % 1000 : largest;
    }
    bool passed = got.bytes == (unsigned char)(3 * all) && got.halves == (short)(-2 * all) && got.words == 2 * all;
    passed &= got.longs == (1ull << 33) * all && got.floats == 0.5f * all && got.doubles == -0.25 * all;
    passed &= got.smallest == 0 && got.largest == largest && got.bits == (1 << 20) - 1 && got.parity == parity;
    passed &= got.hottest == (all - 1) * 0.125f && got.standard == 5u * all;
    std::vector<int> seen(all, 0);
    for (int i = 0; i < all; ++i) ++seen[found[i]];
    for (int i = 0; i < all; ++i) passed &= seen[i] == 1;
    for (int b = 0; b < blocks; ++b) passed &= found[all + b] == 2 * threads;
    CHECK(cudaFree(slots));
    CHECK(cudaFree(counters));
    if (!passed) printf("counters are wrong\n");
    return passed;
}

// A lock, objects of 12 bytes in an atomic, pairs behind references.
__device__ cuda::atomic<int, cuda::thread_scope_device> lock_word{0};
__device__ int guarded;

__global__ void lock_and_swap(cuda::atomic<Triple, cuda::thread_scope_device> *triple, Pair *pair)
{
    for (int turn = 0; turn < 4; ++turn) {
        int expected = 0;
        while (!lock_word.compare_exchange_weak(expected, 1, cuda::memory_order_acquire)) expected = 0;
        guarded += 1;
        lock_word.store(0, cuda::memory_order_release);

        Triple old = triple->load();
        while (!triple->compare_exchange_strong(old, Triple{old.x + 1, old.y + 2, old.z + 3})) {
        }
        cuda::atomic_ref<Pair, cuda::thread_scope_device> ref(*pair);
        const Pair &fixed = *pair;
        Pair was = cuda::atomic_ref<const Pair, cuda::thread_scope_device>(fixed).load(cuda::memory_order_relaxed);
        while (!ref.compare_exchange_strong(was, Pair{was.low + 1, was.high + 0.5f}, cuda::memory_order_acq_rel,
                                            cuda::memory_order_relaxed)) {
        }
    }
}

bool check_objects()
{
    using Atomic = cuda::atomic<Triple, cuda::thread_scope_device>;
    Atomic *triple = reinterpret_cast<Atomic *>(device_zeros<char>(sizeof(Atomic)));
    Pair *pair = reinterpret_cast<Pair *>(device_zeros<char>(sizeof(Pair)));
    lock_and_swap<<<4, 64>>>(triple, pair);
    CHECK(cudaGetLastError());
    Triple t;
    Pair p;
    int sum;
    CHECK(cudaMemcpy(&t, triple, sizeof t, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&p, pair, sizeof p, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&sum, guarded, sizeof sum));
    const int all = 4 * 64 * 4;
    const bool passed = t == Triple{all, 2 * all, 3 * all} && p.low == all && p.high == 0.5f * all && sum == all;
    if (!passed) printf("objects are wrong: %d %d %d, %g %g, %d\n", t.x, t.y, t.z, p.low, p.high, sum);
    CHECK(cudaFree(triple));
    CHECK(cudaFree(pair));
    return passed;
}

// Each block hands a message to the next; the threads wait without spinning themselves.
__global__ void relay(int *messages, cuda::atomic<int, cuda::thread_scope_device> *flags)
{
    if (threadIdx.x != 0) return;
    const int block = blockIdx.x;
    if (block > 0) flags[block].wait(0, cuda::memory_order_acquire);
    messages[block] = block == 0 ? 1 : messages[block - 1] * 2 + 1;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    flags[block + 1].store(1, cuda::memory_order_relaxed);
    flags[block + 1].notify_all();
}

bool check_relay()
{
    using Flag = cuda::atomic<int, cuda::thread_scope_device>;
    const int blocks = 12;
    int *messages = device_zeros<int>(blocks);
    Flag *flags = reinterpret_cast<Flag *>(device_zeros<int>(blocks + 1));
    relay<<<blocks, 32>>>(messages, flags);
    CHECK(cudaGetLastError());
    bool passed = true;
    int expected = 0;
    for (int message : host_copy(messages, blocks)) {
        expected = expected * 2 + 1;
        passed &= message == expected;
    }
    CHECK(cudaFree(messages));
    CHECK(cudaFree(flags));
    if (!passed) printf("the relay lost a message\n");
    return passed;
}

// Kernel and host take turns on a flag in pinned memory.
struct Mailbox {
    cuda::atomic<int, cuda::thread_scope_system> turn;
    cuda::std::atomic_flag done;
    int value;
};

__global__ void ping_pong(Mailbox *box, int rounds)
{
    for (int round = 0; round < rounds; ++round) {
        while (box->turn.load(cuda::memory_order_acquire) != 2 * round + 1) {
        }
        box->value *= 3;
        box->turn.store(2 * round + 2, cuda::memory_order_release);
        box->turn.notify_all();
    }
    box->done.test_and_set();
}

bool check_mailbox()
{
    const int rounds = 5;
    Mailbox *box;
    CHECK(cudaMallocHost(&box, sizeof *box));
    new (&box->turn) cuda::atomic<int, cuda::thread_scope_system>(0);
    new (&box->done) cuda::std::atomic_flag(false);
    box->value = 1;
    ping_pong<<<1, 1>>>(box, rounds);
    CHECK(cudaGetLastError());
    int expected = 1;
    bool passed = true;
    for (int round = 0; round < rounds; ++round) {
        box->value += round;
        expected = (expected + round) * 3;
        box->turn.store(2 * round + 1, cuda::memory_order_release);
        box->turn.wait(2 * round + 1, cuda::memory_order_acquire);
        passed &= box->value == expected;
    }
    CHECK(cudaDeviceSynchronize());
    passed &= box->done.test();
    CHECK(cudaFreeHost(box));
    if (!passed) printf("the mailbox lost a turn\n");
    return passed;
}

bool check_layout()
{
    bool passed = sizeof(cuda::atomic<char>) == 4 && sizeof(cuda::atomic<short>) == 4 && sizeof(cuda::atomic<int>) == 4;
    passed &= sizeof(cuda::atomic<double>) == 8 && sizeof(cuda::atomic<Triple>) == 16 && sizeof(cuda::atomic<Pair>) == 8;
    passed &= cuda::atomic<Pair>::is_always_lock_free && !cuda::atomic<Triple>::is_always_lock_free;
    cuda::atomic<int> host(4);
    passed &= host.exchange(9) == 4 && host.load() == 9 && (host |= 6) == 15 && (host &= 12) == 12 && (host ^= 4) == 8;
    if (!passed) printf("layout or host operations are wrong\n");
    return passed;
}

int main()
{
    bool passed = check_layout();
    passed &= check_counters();
    passed &= check_objects();
    passed &= check_relay();
    passed &= check_mailbox();
    return verdict(passed);
}
