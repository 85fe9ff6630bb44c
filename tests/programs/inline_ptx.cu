// SPDX-License-Identifier: Apache-2.0
//
// Inline PTX as programs use it: special registers, bit instructions, approximations, predicates, shuffles, numbers of
// several words with their carries, ordered loads and stores, asynchronous copies into shared memory, the global timer,
// and a trap.
#include "common.h"

#include <algorithm>

__device__ __forceinline__ unsigned lane_id()
{
    unsigned id;
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

__device__ __forceinline__ unsigned warp_id()
{
    unsigned id;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(id));
    return id;
}

#define SPECIAL_REGISTER(name, reg)                       \
    __device__ __forceinline__ unsigned name()            \
    {                                                     \
        unsigned value;                                   \
        asm volatile("mov.u32 %0, %" reg ";" : "=r"(value)); \
        return value;                                     \
    }

SPECIAL_REGISTER(multiprocessor, "%smid")
SPECIAL_REGISTER(lanes_below, "%lanemask_lt")
SPECIAL_REGISTER(own_lane, "%lanemask_eq")
SPECIAL_REGISTER(block_x, "%ctaid.x")
SPECIAL_REGISTER(thread_x, "%tid.x")

__device__ __forceinline__ unsigned bfind(unsigned x)
{
    unsigned position;
    asm("bfind.u32 %0, %1;" : "=r"(position) : "r"(x));
    return position;
}

__device__ __forceinline__ unsigned byte_differences(unsigned a, unsigned b, unsigned c)
{
    unsigned sum;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}

template <int TABLE>
__device__ __forceinline__ unsigned lop3(unsigned a, unsigned b, unsigned c)
{
    unsigned result;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(TABLE));
    return result;
}

__device__ __forceinline__ int less(int a, int b)
{
    int result;
    asm("{\n\t"
        ".reg .pred p;\n\t"
        "setp.lt.s32 p, %1, %2;\n\t"
        "selp.s32 %0, 1, 0, p;\n\t"
        "}"
        : "=r"(result)
        : "r"(a), "r"(b));
    return result;
}

__device__ __forceinline__ int scan_step(int value, int offset)
{
    int result;
    asm volatile("{"
                 "  .reg .s32 other;"
                 "  .reg .pred valid;"
                 "  shfl.sync.up.b32 other|valid, %1, %2, 0x0, 0xffffffff;"
                 "  @valid add.s32 other, other, %1;"
                 "  @!valid mov.s32 other, %1;"
                 "  mov.s32 %0, other;"
                 "}"
                 : "=r"(result)
                 : "r"(value), "r"(offset));
    return result;
}

__global__ void registers(unsigned *out, unsigned multiprocessors)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned leaderWarp = __shfl_sync(0xffffffffu, warp_id(), 0);
    unsigned wrong = 0;
    wrong |= (lane_id() != threadIdx.x % 32) << 0;
    wrong |= (warp_id() != leaderWarp || warp_id() >= 64) << 1;
    wrong |= (lanes_below() != (1u << threadIdx.x % 32) - 1) << 2;
    wrong |= (own_lane() != 1u << threadIdx.x % 32) << 3;
    wrong |= (block_x() != blockIdx.x || thread_x() != threadIdx.x) << 4;
    wrong |= (multiprocessor() >= multiprocessors) << 5;
    out[i] = wrong;
}

__global__ void bits(const unsigned *in, unsigned *out, int n)
{
    const int i = threadIdx.x;
    const unsigned a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
    out[6 * i] = bfind(a);
    out[6 * i + 1] = byte_differences(a, b, c & 0xff);
    out[6 * i + 2] = lop3<0x96>(a, b, c);
    out[6 * i + 3] = lop3<0xe8>(a, b, c);
    out[6 * i + 4] = less(a, b);
    int sum = a & 0xff;
    for (int offset = 1; offset < 32; offset *= 2)
        sum = scan_step(sum, offset);
    out[6 * i + 5] = sum;
}

__global__ void approximations(const float *in, float *out)
{
    const int i = threadIdx.x;
    const float x = in[i];
    float *o = out + 5 * i;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(o[0]) : "f"(x));
    asm("lg2.approx.f32 %0, %1;" : "=f"(o[1]) : "f"(x));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(o[2]) : "f"(x));
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(o[3]) : "f"(x));
    asm("tanh.approx.f32 %0, %1;" : "=f"(o[4]) : "f"(x));
}

// One word of a long number, as libraries for them have it: the carry goes from statement to statement.
#define WORD(name, instruction)                                                               \
    __device__ __forceinline__ unsigned name(unsigned a, unsigned b)                          \
    {                                                                                         \
        unsigned result;                                                                      \
        asm volatile(instruction ".u32 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));         \
        return result;                                                                        \
    }

WORD(add_cc, "add.cc")
WORD(addc_cc, "addc.cc")
WORD(addc, "addc")
WORD(sub_cc, "sub.cc")
WORD(subc_cc, "subc.cc")
WORD(subc, "subc")

// Numbers of four words: sum and difference with the carry out of each, and the product of their lower halves.
__global__ void long_numbers(const uint4 *in, unsigned *out, int n)
{
    const uint4 a = in[threadIdx.x], b = in[(threadIdx.x + 1) % n];
    unsigned *o = out + 14 * threadIdx.x;
    o[0] = add_cc(a.x, b.x);
    o[1] = addc_cc(a.y, b.y);
    o[2] = addc_cc(a.z, b.z);
    o[3] = addc_cc(a.w, b.w);
    o[4] = addc(0, 0);
    o[5] = sub_cc(a.x, b.x);
    o[6] = subc_cc(a.y, b.y);
    o[7] = subc_cc(a.z, b.z);
    o[8] = subc_cc(a.w, b.w);
    o[9] = subc(0, 0);
    asm("{\n\t"
        "mul.lo.u32      %0, %4, %6;\n\t"
        "mul.hi.u32      %1, %4, %6;\n\t"
        "mad.lo.cc.u32   %1, %5, %6, %1;\n\t"
        "madc.hi.u32     %2, %5, %6, 0;\n\t"
        "mad.lo.cc.u32   %1, %4, %7, %1;\n\t"
        "madc.hi.cc.u32  %2, %4, %7, %2;\n\t"
        "addc.u32        %3, 0, 0;\n\t"
        "mad.lo.cc.u32   %2, %5, %7, %2;\n\t"
        "madc.hi.u32     %3, %5, %7, %3;\n\t"
        "}"
        : "=&r"(o[10]), "=&r"(o[11]), "=&r"(o[12]), "=&r"(o[13])
        : "r"(a.x), "r"(a.y), "r"(b.x), "r"(b.y));
}

__global__ void whole_warps(unsigned *out)
{
    const unsigned value = threadIdx.x % 3;
    const int distance = int(threadIdx.x) - 20;
    unsigned *o = out + 6 * threadIdx.x;
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(o[0]) : "r"(value));
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(o[1]), "=r"(o[2])
                 : "r"(blockDim.x));
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(o[3]) : "r"(value));
    asm volatile("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(o[4]) : "r"(distance));
    asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(o[5]) : "r"(1u << threadIdx.x));
}

__device__ __forceinline__ unsigned load_acquire(const unsigned *p)
{
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}

__device__ __forceinline__ void store_release(unsigned *p, unsigned value)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}

// Block 1 waits for what block 0 has written before its flag.
__global__ void pass_on(unsigned *flag, unsigned *data, unsigned *out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 3 * threadIdx.x + 1;
        __syncthreads();
        if (threadIdx.x == 0)
            store_release(flag, 1);
        return;
    }
    if (threadIdx.x == 0)
        while (load_acquire(flag) == 0) {
        }
    __syncthreads();
    unsigned value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(data + threadIdx.x));
    out[threadIdx.x] = value;
}

// Sixteen bytes a thread from global to shared memory without passing through registers.
__global__ void copy_async(const uint4 *in, uint4 *out)
{
    __shared__ uint4 tile[64];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group %0;" ::"n"(0));
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void timer(unsigned long long *times)
{
    for (int i = 0; i < 4; ++i)
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(times[i]));
}

__global__ void trap_if(int condition)
{
    if (condition == threadIdx.x)
        asm("trap;");
}

static bool check_bits()
{
    const int n = 32;
    std::vector<unsigned> in(n), want(6 * n);
    Random random(64);
    for (auto &value : in)
        value = random.next() >> random.below(20);
    in[5] = 0;
    for (int i = 0, sum = 0; i < n; ++i) {
        const unsigned a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
        unsigned *w = &want[6 * i];
        w[0] = a ? unsigned(std::ilogb(double(a))) : 0xffffffffu;
        w[1] = c & 0xff;
        for (int k = 0; k < 32; k += 8)
            w[1] += abs(int(a >> k & 255) - int(b >> k & 255));
        w[2] = a ^ b ^ c;
        w[3] = (a & b) | (b & c) | (a & c);
        w[4] = int(a) < int(b);
        w[5] = sum += a & 0xff;
    }
    unsigned *dIn = device_copy(in), *out = device_zeros<unsigned>(6 * n);
    bits<<<1, n>>>(dIn, out, n);
    const bool passed = same("bits", host_copy(out, 6 * n), want);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_long_numbers()
{
    typedef unsigned __int128 Number;
    const int n = 64;
    std::vector<uint4> in(n);
    Random random(128);
    for (int i = 0; i < n; ++i)
        in[i] = i % 7 == 0 ? make_uint4(~0u, ~0u, ~0u, ~0u)
                           : make_uint4(random.next(), random.next(), random.next(), random.next());
    std::vector<unsigned> want(14 * n);
    const auto number = [](uint4 v) {
        return Number(v.w) << 96 | Number(v.z) << 64 | Number(v.y) << 32 | Number(v.x);
    };
    for (int i = 0; i < n; ++i) {
        const Number a = number(in[i]), b = number(in[(i + 1) % n]);
        const Number sum = a + b, difference = a - b;
        const Number product = (a & ~0ull) * (b & ~0ull);
        unsigned *w = &want[14 * i];
        for (int k = 0; k < 4; ++k) {
            w[k] = unsigned(sum >> 32 * k);
            w[5 + k] = unsigned(difference >> 32 * k);
            w[10 + k] = unsigned(product >> 32 * k);
        }
        w[4] = sum < a;
        w[9] = a < b ? ~0u : 0;
    }
    uint4 *dIn = device_copy(in);
    unsigned *out = device_zeros<unsigned>(14 * n);
    long_numbers<<<1, n>>>(dIn, out, n);
    const bool passed = same("long numbers", host_copy(out, 14 * n), want);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_whole_warps()
{
    std::vector<unsigned> want(6 * 32);
    const unsigned classes[] = {0x49249249u, 0x92492492u, 0x24924924u};
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned values[] = {classes[i % 3], ~0u, 1, 31, unsigned(-20), ~0u};
        std::copy(values, values + 6, &want[6 * i]);
    }
    unsigned *out = device_zeros<unsigned>(6 * 32);
    whole_warps<<<1, 32>>>(out);
    const bool passed = same("whole warps", host_copy(out, 6 * 32), want);
    CHECK(cudaFree(out));
    return passed;
}

static bool check_approximations()
{
    const int n = 64;
    std::vector<float> in(n);
    std::vector<double> want(5 * n);
    for (int i = 0; i < n; ++i) {
        const double x = in[i] = 0.05f + 0.07f * i;
        const double values[] = {std::exp2(x), std::log2(x), 1 / x, 1 / std::sqrt(x), std::tanh(x)};
        std::copy(values, values + 5, &want[5 * i]);
    }
    float *dIn = device_copy(in), *out = device_zeros<float>(5 * n);
    approximations<<<1, n>>>(dIn, out);
    const bool passed = near("approximations", host_copy(out, 5 * n), want, 6e-4);
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_memory()
{
    unsigned *flag = device_zeros<unsigned>(1), *data = device_zeros<unsigned>(64), *out = device_zeros<unsigned>(256);
    std::vector<unsigned> want(64), numbers(256), reversed(256);
    pass_on<<<2, 64>>>(flag, data, out);
    for (int i = 0; i < 64; ++i)
        want[i] = 3 * i + 1;
    bool passed = same("released", host_copy(out, 64), want);
    for (int i = 0; i < 256; ++i) {
        numbers[i] = i;
        reversed[i] = (63 - i / 4) * 4 + i % 4;
    }
    unsigned *in = device_copy(numbers);
    copy_async<<<1, 64>>>((const uint4 *)in, (uint4 *)out);
    passed &= same("copied", host_copy(out, 256), reversed);
    unsigned long long *times = device_zeros<unsigned long long>(4);
    timer<<<1, 1>>>(times);
    const std::vector<unsigned long long> t = host_copy(times, 4);
    passed &= expect(t[0] > 0 && t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3], "the timer does not go back");
    for (void *buffer : {(void *)flag, (void *)data, (void *)out, (void *)in, (void *)times})
        CHECK(cudaFree(buffer));
    return passed;
}

int main()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    unsigned *out = device_zeros<unsigned>(256);
    registers<<<4, 64>>>(out, properties.multiProcessorCount);
    bool passed = same("registers", host_copy(out, 256), std::vector<unsigned>(256, 0));
    passed &= check_bits();
    passed &= check_long_numbers();
    passed &= check_whole_warps();
    passed &= check_approximations();
    passed &= check_memory();
    trap_if<<<1, 32>>>(99);
    passed &= expect(cudaDeviceSynchronize() == cudaSuccess, "a trap that is not reached does nothing");
    trap_if<<<1, 32>>>(7);
    passed &= expect(cudaDeviceSynchronize() == cudaErrorLaunchFailure, "a trap ends the launch");
    passed &= expect(cudaFree(out) == cudaErrorLaunchFailure, "and the error stays");
    return verdict(passed);
}
