// SPDX-License-Identifier: Apache-2.0
// Shared helpers of the cooperative groups conformance programs.
// Every program prints lines "case-name: value value ..." on stdout and nothing
// else; diagnostics go to stderr; the exit status is 0 only if all went well.
#pragma once

#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace cg = cooperative_groups;

typedef long long i64;
typedef unsigned long long u64;

#define CK(call)                                                                   \
    do {                                                                           \
        cudaError_t err_ = (call);                                                 \
        if (err_ != cudaSuccess) {                                                 \
            fprintf(stderr, "%s:%d: %s -> %s\n", __FILE__, __LINE__, #call,        \
                    cudaGetErrorName(err_));                                       \
            exit(2);                                                               \
        }                                                                          \
    } while (0)

// After every launch: launch error first, then execution error.
#define SYNC()                                                                     \
    do {                                                                           \
        CK(cudaGetLastError());                                                    \
        CK(cudaDeviceSynchronize());                                               \
    } while (0)

static int g_cases = 0;
static int g_failed = 0;

// A condition that must hold on every conforming implementation.
inline void require(bool ok, const std::string &what) {
    if (!ok) {
        fprintf(stderr, "REQUIREMENT FAILED: %s\n", what.c_str());
        g_failed++;
    }
}

// Last line of every program, so that truncated output is noticed.
inline int finish() {
    printf("cases: %d\n", g_cases);
    fflush(stdout);
    return g_failed ? 1 : 0;
}

inline u64 fnv64(const std::vector<i64> &v) {
    u64 h = 1469598103934665603ull;
    for (size_t i = 0; i < v.size(); i++) {
        u64 x = (u64)v[i];
        for (int b = 0; b < 8; b++) {
            h ^= (x >> (8 * b)) & 0xff;
            h *= 1099511628211ull;
        }
    }
    return h;
}

// Prints one case.  Up to 40 values in full; a uniform long row as all[n]=v;
// anything else as count, FNV-1a hash over the 64-bit values, sum and head.
inline void emit(const std::string &name, const std::vector<i64> &v) {
    g_cases++;
    printf("%s:", name.c_str());
    bool same = v.size() > 8;
    for (size_t i = 1; i < v.size(); i++)
        if (v[i] != v[0]) same = false;
    if (same) {
        printf(" all[%d]=%lld", (int)v.size(), v[0]);
    } else if (v.size() <= 40) {
        for (size_t i = 0; i < v.size(); i++) printf(" %lld", v[i]);
    } else {
        u64 sum = 0;
        for (size_t i = 0; i < v.size(); i++) sum += (u64)v[i];
        printf(" n=%d fnv=%016llx sum=%lld head=", (int)v.size(), fnv64(v), (i64)sum);
        for (size_t i = 0; i < 8; i++) printf("%s%lld", i ? "," : "", v[i]);
    }
    printf("\n");
}

inline void emit(const std::string &name, i64 a) { emit(name, std::vector<i64>(1, a)); }
inline void emit(const std::string &name, i64 a, i64 b) {
    std::vector<i64> v;
    v.push_back(a);
    v.push_back(b);
    emit(name, v);
}
inline void emit(const std::string &name, i64 a, i64 b, i64 c) {
    std::vector<i64> v;
    v.push_back(a);
    v.push_back(b);
    v.push_back(c);
    emit(name, v);
}
inline void emit_text(const std::string &name, const std::string &text) {
    g_cases++;
    printf("%s: %s\n", name.c_str(), text.c_str());
}

// Device array of n elements, every byte set to `fill` beforehand.
template <typename T>
struct Dev {
    T *p;
    size_t n;
    explicit Dev(size_t count, int fill = 0) : p(nullptr), n(count) {
        CK(cudaMalloc((void **)&p, (n ? n : 1) * sizeof(T)));
        CK(cudaMemset(p, fill, (n ? n : 1) * sizeof(T)));
    }
    ~Dev() { cudaFree(p); }
    Dev(const Dev &) = delete;
    Dev &operator=(const Dev &) = delete;
    void put(const std::vector<T> &h) {
        CK(cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> get() const {
        std::vector<T> h(n);
        if (n) CK(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }
    std::vector<i64> get64(size_t first = 0, size_t count = (size_t)-1) const {
        std::vector<T> h = get();
        if (count == (size_t)-1) count = n - first;
        std::vector<i64> r(count);
        for (size_t i = 0; i < count; i++) r[i] = (i64)h[first + i];
        return r;
    }
};

// Kernels with several result fields write out[field * n + linear thread id].
inline void emit_fields(const std::string &prefix, const std::vector<std::string> &names,
                        const Dev<i64> &d) {
    size_t n = d.n / names.size();
    for (size_t f = 0; f < names.size(); f++)
        emit(prefix + "/" + names[f], d.get64(f * n, n));
}

// Linear ids computed from the built-in variables only.
__device__ inline unsigned lin_tid() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline unsigned lin_bid() {
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
__device__ inline unsigned lin_nthreads() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned lin_gid() { return lin_bid() * lin_nthreads() + lin_tid(); }

// A dim3 as one decimal number.
__device__ inline i64 pack3(dim3 d) {
    return (i64)d.x * 1000000 + (i64)d.y * 1000 + (i64)d.z;
}

// Cheap deterministic pseudo random numbers, host and device.
__host__ __device__ inline unsigned mix(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

inline unsigned count(dim3 d) { return d.x * d.y * d.z; }
inline std::string num(i64 v) { return std::to_string(v); }
