// SPDX-License-Identifier: Apache-2.0
//
// Integer, bit-cast, conversion and rounding intrinsics, SIMD in a word and dot products of bytes, each against plain C++.
#include "common.h"

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <cstring>

const int kInteger = 24, kFloat = 14;

__global__ void integers(const unsigned *x, const unsigned *y, unsigned *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned a = x[i], b = y[i];
    const unsigned long long ab = (unsigned long long)a << 32 | b;
    unsigned *o = out + kInteger * i;
    *o++ = __popc(a);
    *o++ = __popcll(ab);
    *o++ = __clz(a);
    *o++ = __clzll(ab >> (b & 63));
    *o++ = __ffs(a & b);
    *o++ = __ffsll((long long)ab & ~0xffffull);
    *o++ = __brev(a);
    *o++ = (unsigned)(__brevll(ab) >> 16);
    *o++ = __byte_perm(a, b, 0x5270);
    *o++ = __umulhi(a, b);
    *o++ = __mulhi((int)a, (int)b);
    *o++ = (unsigned)__umul64hi(ab, ab ^ 0x123456789abcdefull);
    *o++ = __mul24((int)(a << 8) >> 8, (int)(b << 8) >> 8);
    *o++ = __umul24(a & 0xffffff, b & 0xffffff);
    *o++ = __sad((int)a, (int)b, 17u);
    *o++ = __usad(a, b, 5u);
    *o++ = __hadd((int)a, (int)b);
    *o++ = __rhadd((int)a, (int)b);
    *o++ = __uhadd(a, b);
    *o++ = __funnelshift_lc(a, b, 40);
    *o++ = __dp4a((int)a, (int)b, 3);
    *o++ = __dp2a_lo((int)a, (int)b, 9);
    *o++ = __vadd4(a, b);
    *o++ = __vabsdiffu4(a, b) ^ __vmaxs2(a, b);
}

static unsigned bytewise(unsigned a, unsigned b, int (*op)(int, int))
{
    unsigned result = 0;
    for (int k = 0; k < 32; k += 8)
        result |= unsigned(op(a >> k & 255, b >> k & 255) & 255) << k;
    return result;
}

static int count_ones(uint64_t v)
{
    int count = 0;
    for (; v; v &= v - 1)
        ++count;
    return count;
}

static int leading_zeros(uint64_t v, int width)
{
    int count = 0;
    while (count < width && !(v >> (width - 1 - count) & 1))
        ++count;
    return count;
}

static int first_set(uint64_t v)
{
    for (int i = 0; i < 64; ++i)
        if (v >> i & 1)
            return i + 1;
    return 0;
}

static uint64_t reversed(uint64_t v, int width)
{
    uint64_t result = 0;
    for (int i = 0; i < width; ++i)
        result |= (v >> i & 1) << (width - 1 - i);
    return result;
}

static unsigned high_half(uint64_t a, uint64_t b) { return unsigned((unsigned __int128)a * b >> 64); }

static void reference(unsigned a, unsigned b, unsigned *o)
{
    const uint64_t ab = uint64_t(a) << 32 | b;
    const int64_t sa = int(a), sb = int(b);
    unsigned permuted = 0, dot4 = 3, dot2 = 9, pairs = 0;
    const int selectors[4] = {0, 7, 2, 5};
    for (int k = 0; k < 4; ++k) {
        permuted |= unsigned((uint64_t(b) << 32 | a) >> 8 * selectors[k] & 255) << 8 * k;
        dot4 += unsigned(int(int8_t(a >> 8 * k)) * int(int8_t(b >> 8 * k)));
    }
    for (int k = 0; k < 2; ++k) {
        dot2 += unsigned(int(int16_t(a >> 16 * k)) * int(int8_t(b >> 8 * k)));
        pairs |= unsigned(uint16_t(std::max(int16_t(a >> 16 * k), int16_t(b >> 16 * k)))) << 16 * k;
    }
    const unsigned values[kInteger] = {
        unsigned(count_ones(a)), unsigned(count_ones(ab)), unsigned(leading_zeros(a, 32)),
        unsigned(leading_zeros(ab >> (b & 63), 64)), unsigned(first_set(a & b)), unsigned(first_set(ab & ~0xffffull)),
        unsigned(reversed(a, 32)), unsigned(reversed(ab, 64) >> 16), permuted, unsigned(uint64_t(a) * b >> 32),
        unsigned(uint64_t(sa * sb) >> 32), high_half(ab, ab ^ 0x123456789abcdefull),
        unsigned((int64_t(int(a << 8) >> 8) * (int(b << 8) >> 8))), unsigned(uint64_t(a & 0xffffff) * (b & 0xffffff)),
        unsigned(sa > sb ? sa - sb : sb - sa) + 17, (a > b ? a - b : b - a) + 5, unsigned((sa + sb) >> 1),
        unsigned((sa + sb + 1) >> 1), unsigned((uint64_t(a) + b) >> 1), a, dot4, dot2,
        bytewise(a, b, [](int u, int v) { return u + v; }),
        bytewise(a, b, [](int u, int v) { return u > v ? u - v : v - u; }) ^ pairs};
    memcpy(o, values, sizeof(values));
}

__global__ void floats(const float *x, const float *y, unsigned *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float a = x[i], b = y[i];
    unsigned *o = out + kFloat * i;
    o[0] = __float_as_uint(a);
    o[1] = __float_as_int(__int_as_float(__float_as_int(b) ^ 0x80000000));
    o[2] = __float_as_uint(__fadd_rz(a, b));
    o[3] = __float_as_uint(__fadd_ru(a, b));
    o[4] = __float_as_uint(__fmul_rd(a, b));
    o[5] = __float_as_uint(__fmul_rn(a, b));
    o[6] = __float_as_uint(__fdiv_rn(a, b));
    o[7] = __float_as_uint(__fsqrt_ru(fabsf(a)));
    o[8] = __float_as_uint(__fmaf_rn(a, b, -a));
    o[9] = __float2int_rn(a);
    o[10] = __float2int_rd(a) ^ __float2int_ru(b);
    o[11] = __float2uint_rz(fabsf(a)) + __float_as_uint(__int2float_rn(__float_as_int(b)));
    o[12] = __double2hiint((double)a) ^ __double2loint(__hiloint2double(7, __float_as_int(b)));
    o[13] = (unsigned)(__double_as_longlong(__dadd_ru(a, b * 1e-12)) & 0xffffffff);
}

static unsigned bits(float value)
{
    unsigned result;
    memcpy(&result, &value, sizeof(result));
    return result;
}

// The operation with the host's rounding mode set.
template <typename F>
static auto rounded(int mode, F operation) -> decltype(operation())
{
    fesetround(mode);
    volatile decltype(operation()) result = operation();
    fesetround(FE_TONEAREST);
    return result;
}

static void reference(volatile float a, volatile float b, unsigned *o)
{
    o[0] = bits(a);
    o[1] = bits(b) ^ 0x80000000;
    o[2] = bits(rounded(FE_TOWARDZERO, [&] { return float(a + b); }));
    o[3] = bits(rounded(FE_UPWARD, [&] { return float(a + b); }));
    o[4] = bits(rounded(FE_DOWNWARD, [&] { return float(a * b); }));
    o[5] = bits(a * b);
    o[6] = bits(a / b);
    o[7] = bits(rounded(FE_UPWARD, [&] { return std::sqrt(std::fabs(float(a))); }));
    o[8] = bits(float(std::fma(float(a), float(b), -float(a))));
    o[9] = unsigned(int(std::nearbyint(a)));
    o[10] = unsigned(int(std::floor(a))) ^ unsigned(int(std::ceil(b)));
    o[11] = unsigned(std::fabs(a)) + bits(float(int(bits(b))));
    const double wide = a;
    const volatile double tiny = double(float(b)) * 1e-12;
    uint64_t pattern;
    memcpy(&pattern, &wide, sizeof(pattern));
    o[12] = unsigned(pattern >> 32) ^ bits(b);
    const double sum = rounded(FE_UPWARD, [&] { return double(wide + tiny); });
    memcpy(&pattern, &sum, sizeof(pattern));
    o[13] = unsigned(pattern);
}

int main()
{
    const int n = 500;
    std::vector<unsigned> a(n), b(n), want(kInteger * n), wantFloat(kFloat * n);
    std::vector<float> x(n), y(n);
    Random random(1234);
    for (int i = 0; i < n; ++i) {
        a[i] = i % 50 == 0 ? 0u : random.next() >> (i % 7);
        b[i] = i % 31 == 0 ? 0x80000000u : random.next();
        x[i] = 2000 * random.uniform() - 1000;
        y[i] = 3 * random.uniform() + 0.5f;
        reference(a[i], b[i], &want[kInteger * i]);
        reference(x[i], y[i], &wantFloat[kFloat * i]);
    }
    x[0] = 2.5f;
    reference(x[0], y[0], &wantFloat[0]);
    unsigned *dA = device_copy(a), *dB = device_copy(b), *out = device_zeros<unsigned>(kInteger * n);
    float *dX = device_copy(x), *dY = device_copy(y);
    integers<<<(n + 95) / 96, 96>>>(dA, dB, out, n);
    bool passed = same("integers", host_copy(out, kInteger * n), want);
    floats<<<(n + 95) / 96, 96>>>(dX, dY, out, n);
    passed &= same("floats", host_copy(out, kFloat * n), wantFloat);
    for (void *buffer : {(void *)dA, (void *)dB, (void *)out, (void *)dX, (void *)dY})
        CHECK(cudaFree(buffer));
    return verdict(passed);
}
