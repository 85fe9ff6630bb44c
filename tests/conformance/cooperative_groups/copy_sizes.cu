// SPDX-License-Identifier: Apache-2.0
// memcpy_async in every layout, direction and group; waits; libcu++'s copies with barriers and pipelines.
#include "cgtest.h"
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

struct T3 {
    unsigned char c[3];
};
struct T12 {
    int i[3];
};
struct alignas(16) T48 {
    int i[12];
};

// FNV-1a over n bytes, shortened.
__device__ i64 digest(const unsigned char *p, unsigned n) {
    u64 h = 1469598103934665603ull;
    for (unsigned k = 0; k < n; k++) h = (h ^ p[k]) * 1099511628211ull;
    return (i64)(h >> 16 & 0xffffffff);
}

// One copy of `bytes` bytes by one of ten ways; all of shared memory is looked at afterwards, and what has arrived.
template <class T>
__global__ void k_sizes(i64 *o, const unsigned char *in, unsigned char *out, unsigned bytes, int how) {
    __shared__ alignas(128) unsigned char s[1024];
    __shared__ alignas(128) unsigned char s2[1024];
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<32>(b);
    auto c = cg::binary_partition(t, t.thread_rank() % 2 == 1);
    for (unsigned k = b.thread_rank(); k < 1024; k += b.size()) s[k] = 0xee, s2[k] = (unsigned char)(k * 5);
    b.sync();
    T *d = (T *)(s + 128);
    const T *f = (const T *)(in + 256);
    switch (how) {
        case 0:
            cg::memcpy_async(b, d, f, bytes);
            break;
        case 1:
            if (t.meta_group_rank() == 0) cg::memcpy_async(t, d, f, (size_t)bytes);
            break;
        case 2:
            if (t.meta_group_rank() == 1 && t.thread_rank() % 2) cg::memcpy_async(c, d, f, (int)bytes);
            break;
        case 3:
            if (b.thread_rank() == 5) cg::memcpy_async(cg::this_thread(), d, f, (short)bytes);
            break;
        case 4:
            cg::memcpy_async(b, d, (const T *)(s2 + 64), bytes);
            break;  // shared to shared
        case 5:
            cg::memcpy_async(b, (T *)(out + 128), (const T *)(s2 + 64), bytes);
            break;  // shared to global
        case 6:
            cg::memcpy_async(b, (T *)(out + 128), f, bytes);
            break;  // global to global
        case 7:
            cg::memcpy_async(cg::tiled_partition<64>(b), d, f, bytes);
            break;
        case 8:
            cg::memcpy_async(b, d, bytes / sizeof(T) + 1, f, bytes / sizeof(T));
            break;
        case 9:
            cg::memcpy_async(b, d, bytes / sizeof(T), f, (int)(bytes / sizeof(T)) + 3);
            break;
    }
    cg::wait(b);
    if (b.thread_rank() == 0) o[0] = digest(s, 1024);
    if (b.thread_rank() == 1) o[1] = digest(s + 128, bytes);
}

template <class T>
void sizes(const char *name, std::vector<unsigned> bytes) {
    std::vector<unsigned char> h(2048);
    for (size_t k = 0; k < h.size(); k++) h[k] = (unsigned char)(mix((unsigned)k) >> 3);
    Dev<unsigned char> in(2048), out(2048);
    in.put(h);
    for (int how = 0; how < 10; how++)
        for (unsigned n : bytes) {
            Dev<i64> d(2);
            CK(cudaMemset(out.p, 0x11, 2048));
            k_sizes<T><<<1, 128>>>(d.p, in.p, out.p, n, how);
            SYNC();
            std::vector<i64> v = d.get64();
            u64 s = 0;
            for (unsigned char b : out.get()) s = s * 31 + b;
            v.push_back((i64)(s & 0xffffff));
            emit(std::string("copy/") + name + "/" + num(how) + "/" + num(n), v);
        }
}

// Copies of `count` units of A bytes by cooperative groups, barriers and pipelines, one after the other.
template <size_t A>
__global__ void k_aligned(i64 *o, const unsigned char *in, unsigned count) {
    __shared__ alignas(128) unsigned char s[1024];
    auto b = cg::this_thread_block();
    for (unsigned k = b.thread_rank(); k < 1024; k += b.size()) s[k] = 0xee;
    b.sync();
    cg::memcpy_async(b, (char *)s + 128, (const char *)in + 128, cuda::aligned_size_t<A>(count * A));
    cg::wait(b);
    if (b.thread_rank() == 0) o[0] = digest(s, 1024);
    b.sync();
    cg::memcpy_async(b, (void *)(s + 512), (const void *)(in + 256), cuda::aligned_size_t<A>(count * A));
    cg::memcpy_async(b, (char *)s, cuda::aligned_size_t<A>(2 * A), (const char *)in, cuda::aligned_size_t<A>(A));
    cg::wait_prior<1>(b);
    if (b.thread_rank() == 0) o[1] = digest(s + 512, count * A);
    cg::wait_prior<0>(b);
    if (b.thread_rank() == 0) o[2] = digest(s, 1024);
    b.sync();
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (b.thread_rank() == 0) init(&bar, b.size());
    b.sync();
    cuda::memcpy_async(b, s + 256, in + 512, cuda::aligned_size_t<A>(count * A), bar);
    bar.arrive_and_wait();
    if (b.thread_rank() == 0) o[3] = digest(s, 1024);
    b.sync();
    auto tile = cg::tiled_partition<16>(b);
    if (tile.meta_group_rank() == 1) cuda::memcpy_async(tile, s + 128, in + 640, cuda::aligned_size_t<A>(A), bar);
    bar.wait(bar.arrive());
    if (b.thread_rank() == 0) o[4] = digest(s, 1024);
    b.sync();
    cuda::memcpy_async(s + 130 + b.thread_rank() * 2, in + b.thread_rank() * 2, 2, bar);  // each thread by itself
    bar.arrive_and_wait();
    if (b.thread_rank() == 0) o[5] = digest(s, 1024);
    b.sync();
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(b, s, in + 768, cuda::aligned_size_t<A>(count * A), pipe);
    pipe.producer_commit();
    pipe.producer_acquire();
    cuda::memcpy_async(b, s + 512, in, 37, pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    b.sync();
    if (b.thread_rank() == 0) o[6] = digest(s, 1024);
    pipe.consumer_release();
    pipe.consumer_release();
}

template <size_t A>
void aligned() {
    std::vector<unsigned char> h(2048);
    for (size_t k = 0; k < h.size(); k++) h[k] = (unsigned char)(mix((unsigned)k + 5) >> 2);
    Dev<unsigned char> in(2048);
    in.put(h);
    for (unsigned count = 1; count * A <= 256; count = count * 2 + 1) {
        Dev<i64> d(7);
        k_aligned<A><<<1, 64>>>(d.p, in.p, count);
        SYNC();
        emit("aligned/" + num(A) + "/" + num(count), d.get64());
    }
}

// Three stages, filled by the first `producers` threads, or by all.
template <cuda::thread_scope S>
__global__ void k_pipeline(i64 *o, const int *in, unsigned n, unsigned producers) {
    __shared__ int s[3][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    auto b = cg::this_thread_block();
    auto pipe = producers ? cuda::make_pipeline(b, &state, producers) : cuda::make_pipeline(b, &state);
    bool produces = producers == 0 || b.thread_rank() < producers, consumes = producers == 0 || b.thread_rank() >= producers;
    i64 sum = 0;
    for (unsigned round = 0, fetched = 0; round < n; round++) {
        for (; produces && fetched < n && fetched < round + 3; fetched++) {
            pipe.producer_acquire();
            for (unsigned k = b.thread_rank(); k < 64; k += producers ? producers : b.size())
                cuda::memcpy_async(&s[fetched % 3][k], in + fetched * 64 + k, cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        if (!consumes) {
            continue;
        }
        pipe.consumer_wait();
        for (unsigned k = 0; k < 64; k++) sum += s[round % 3][k] * (i64)(round + 1);
        pipe.consumer_release();
    }
    o[b.thread_rank()] = sum;
}

int main() {
    sizes<char>("char", {0, 1, 3, 4, 16, 17, 100, 255});
    sizes<short>("short", {0, 2, 6, 8, 34, 254});
    sizes<T3>("T3", {0, 3, 9, 48, 99});
    sizes<int>("int", {0, 4, 12, 64, 100, 252});
    sizes<T12>("T12", {0, 12, 36, 96, 240});
    sizes<double>("double", {0, 8, 24, 200});
    sizes<int4>("int4", {0, 16, 48, 240});
    sizes<T48>("T48", {0, 48, 240});
    aligned<1>(), aligned<2>(), aligned<4>(), aligned<8>(), aligned<16>(), aligned<32>(), aligned<64>(), aligned<128>();
    Dev<int> in(64 * 8);
    std::vector<int> h(64 * 8);
    for (size_t k = 0; k < h.size(); k++) h[k] = (int)(mix((unsigned)k) % 1000);
    in.put(h);
    for (unsigned producers : {0u, 32u}) {
        Dev<i64> d(64);
        k_pipeline<cuda::thread_scope_block><<<1, 64>>>(d.p, in.p, 8, producers);
        SYNC();
        emit("pipeline/" + num(producers), d.get64());
    }
    return finish();
}
