// SPDX-License-Identifier: Apache-2.0
//
// Half and bfloat16: conversions of every pattern, arithmetic rounded once, pairs, comparisons, a product of vectors and
// a softmax, against arithmetic in double that is rounded by hand.
#include "common.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstring>

// A binary format of 16 bits: the value of a pattern, and the nearest pattern of a value (ties to even).
struct Format
{
    int mantissa, bias;

    double decode(unsigned bits) const
    {
        const int field = (bits & 0x7fff) >> mantissa, top = 0x7fff >> mantissa;
        const unsigned fraction = bits & ((1u << mantissa) - 1);
        double value = field == top ? (fraction ? NAN : INFINITY)
                                    : std::ldexp(double(field ? fraction | 1u << mantissa : fraction), (field ? field : 1) - bias - mantissa);
        return bits & 0x8000 ? -value : value;
    }
    unsigned encode(double value) const
    {
        const unsigned sign = std::signbit(value) ? 0x8000 : 0, infinity = (0x7fff >> mantissa) << mantissa;
        value = std::fabs(value);
        if (std::isinf(value))
            return sign | infinity;
        if (value == 0)
            return sign;
        int exponent = std::max(std::ilogb(value), 1 - bias);
        const double scaled = std::nearbyint(std::ldexp(value, mantissa - exponent));
        const unsigned bits = unsigned(scaled) + (unsigned(exponent + bias - 1) << mantissa);
        return sign | std::min(bits, infinity);
    }
};

static const Format kHalf = {10, 15}, kBfloat = {7, 127};

// The only NaN that conversions from half have; those from bfloat16 keep what is in the pattern.
static bool is_device_nan(float value)
{
    unsigned bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits == 0x7fffffff;
}

template <typename T>
__device__ T from_bits(unsigned short bits)
{
    T value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

template <typename T>
__device__ unsigned short to_bits(T value)
{
    unsigned short bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

__device__ float widen(__half x) { return __half2float(x); }
__device__ float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
template <typename T>
__device__ T narrow(float x);
template <>
__device__ __half narrow<__half>(float x)
{
    return __float2half_rn(x);
}
template <>
__device__ __nv_bfloat16 narrow<__nv_bfloat16>(float x)
{
    return __float2bfloat16_rn(x);
}

template <typename T>
__global__ void widen_all(float *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 65536; i += gridDim.x * blockDim.x)
        out[i] = widen(from_bits<T>((unsigned short)i));
}

template <typename T>
__global__ void arithmetic(const float *values, unsigned short *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 2 >= n)
        return;
    const T a = narrow<T>(values[i]), b = narrow<T>(values[i + 1]), c = narrow<T>(values[i + 2]);
    unsigned short *o = out + 8 * i;
    o[0] = to_bits(a);
    o[1] = to_bits(__hadd(a, b));
    o[2] = to_bits(T(a - b));
    o[3] = to_bits(__hmul(a, b));
    o[4] = to_bits(T(-(a * b)));
    o[5] = to_bits(__hfma(a, b, c));
    o[6] = __hlt(a, b) + 2 * __hge(a, b) + 4 * (a == b) + 8 * __hisnan(a);
    o[7] = to_bits(__hmax(a, __habs(b)));
}

__global__ void scalar_product(const half2 *a, const half2 *b, float *out, int pairs)
{
    __shared__ half2 sums[64];
    half2 sum = __float2half2_rn(0.f);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x)
        sum = __hfma2(a[i], b[i], sum);
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            sums[threadIdx.x] = __hadd2(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, __low2float(sums[0]) + __half2float(__high2half(sums[0])));
}

__global__ void softmax(const __nv_bfloat16 *in, __nv_bfloat16 *out, int columns)
{
    const int row = blockIdx.x, lane = threadIdx.x;
    float most = -INFINITY, sum = 0;
    for (int i = lane; i < columns; i += 32)
        most = fmaxf(most, float(in[row * columns + i]));
    for (int offset = 16; offset; offset /= 2)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, offset));
    for (int i = lane; i < columns; i += 32)
        sum += __expf(__bfloat162float(in[row * columns + i]) - most);
    for (int offset = 16; offset; offset /= 2)
        sum += __shfl_xor_sync(~0u, sum, offset);
    for (int i = lane; i < columns; i += 32)
        out[row * columns + i] = __float2bfloat16(__expf(__bfloat162float(in[row * columns + i]) - most) / sum);
}

template <typename T>
bool check_format(const char *name, const Format &f)
{
    float *wide = device_zeros<float>(65536);
    widen_all<T><<<16, 256>>>(wide);
    const std::vector<float> got = host_copy(wide, 65536);
    for (int i = 0; i < 65536; ++i) {
        const bool nan = std::isnan(got[i]) && std::isnan(f.decode(i)) && (&f != &kHalf || is_device_nan(got[i]));
        if (!(got[i] == f.decode(i)) && !nan) {
            printf("%s 0x%04x is %g, expected %g\n", name, i, got[i], f.decode(i));
            return false;
        }
    }

    const int n = 2000;
    std::vector<float> values(n);
    Random random(f.bias);
    for (auto &value : values)
        value = std::ldexp(random.uniform() - 0.5f, int(random.below(10)) - 5);
    for (int i = 0; i < n; i += 100)
        values[i] = 1.0f + std::ldexp(i / 50 + 1.0f, -1 - f.mantissa);
    float *in = device_copy(values);
    unsigned short *out = device_zeros<unsigned short>(8 * n);
    arithmetic<T><<<(n + 63) / 64, 64>>>(in, out, n);
    std::vector<unsigned short> want(8 * n, 0);
    for (int i = 0; i + 2 < n; ++i) {
        auto rounded = [&](float v) { return f.decode(f.encode(v)); };
        const double a = rounded(values[i]), b = rounded(values[i + 1]), c = rounded(values[i + 2]);
        const double results[6] = {a, a + b, a - b, a * b, -(f.decode(f.encode(a * b))), a * b + c};
        for (int k = 0; k < 6; ++k)
            want[8 * i + k] = (unsigned short)f.encode(results[k]);
        want[8 * i + 6] = (a < b) + 2 * (a >= b) + 4 * (a == b);
        want[8 * i + 7] = (unsigned short)f.encode(std::max(a, std::fabs(b)));
    }
    const bool passed = same(name, host_copy(out, 8 * n), want);
    CHECK(cudaFree(wide));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_product()
{
    const int pairs = 1024;
    std::vector<half2> a(pairs), b(pairs);
    double want = 0;
    Random random(16);
    for (int i = 0; i < pairs; ++i) {
        const int x = random.below(4), y = random.below(4), u = random.below(4), v = random.below(2);
        a[i] = __floats2half2_rn(float(x), float(y));
        b[i] = half2(__float2half(float(u)), __float2half(float(v)));
        want += x * u + y * v;
    }
    half2 *dA = device_copy(a), *dB = device_copy(b);
    float *out = device_zeros<float>(1);
    scalar_product<<<8, 64>>>(dA, dB, out, pairs);
    const bool passed = same("product", host_copy(out, 1), {float(want)});
    CHECK(cudaFree(dA));
    CHECK(cudaFree(dB));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_softmax()
{
    const int rows = 6, columns = 75;
    std::vector<__nv_bfloat16> in(rows * columns);
    std::vector<double> want(rows * columns);
    Random random(9);
    for (auto &x : in)
        x = __float2bfloat16(4 * random.uniform());
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int i = r * columns; i < (r + 1) * columns; ++i)
            sum += std::exp(double(__bfloat162float(in[i])));
        for (int i = r * columns; i < (r + 1) * columns; ++i)
            want[i] = std::exp(double(__bfloat162float(in[i]))) / sum;
    }
    __nv_bfloat16 *dIn = device_copy(in), *dOut = device_zeros<__nv_bfloat16>(in.size());
    softmax<<<rows, 32>>>(dIn, dOut, columns);
    std::vector<float> got;
    for (__nv_bfloat16 x : host_copy(dOut, in.size()))
        got.push_back(__bfloat162float(x));
    bool passed = true;
    for (size_t i = 0; i < got.size(); ++i)
        passed &= std::fabs(got[i] - want[i]) <= want[i] / 128;
    CHECK(cudaFree(dIn));
    CHECK(cudaFree(dOut));
    return expect(passed, "softmax is right to the last place of bfloat16");
}

// Eight halves travel as one float4, which is read and written as four half2.
__global__ void keep_positive(const float4 *values, const float4 *gates, float4 *out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float4 value = values[i], gate = gates[i], kept;
    half2 *value2 = reinterpret_cast<half2 *>(&value), *gate2 = reinterpret_cast<half2 *>(&gate);
    half2 *kept2 = reinterpret_cast<half2 *>(&kept);
    const half2 zero = __float2half2_rn(0.f);
    for (int k = 0; k < 4; ++k)
        kept2[k] = __hmul2(__hgt2(gate2[k], zero), value2[k]);
    out[i] = kept;
}

static bool check_punned_vectors()
{
    const int count = 100;
    std::vector<__half> values(8 * count), gates(8 * count);
    for (int i = 0; i < 8 * count; ++i) {
        values[i] = __float2half(float(i % 97 + 1));
        gates[i] = __float2half(float(i % 5 - 2));
    }
    __half *dValues = device_copy(values), *dGates = device_copy(gates), *dOut = device_zeros<__half>(8 * count);
    keep_positive<<<2, 64>>>(reinterpret_cast<float4 *>(dValues), reinterpret_cast<float4 *>(dGates),
                             reinterpret_cast<float4 *>(dOut), count);
    const std::vector<__half> got = host_copy(dOut, 8 * count);
    bool passed = true;
    for (int i = 0; i < 8 * count; ++i)
        passed &= __half2float(got[i]) == (i % 5 > 2 ? float(i % 97 + 1) : 0.f);
    CHECK(cudaFree(dValues));
    CHECK(cudaFree(dGates));
    CHECK(cudaFree(dOut));
    return expect(passed, "a float4 is read and written as four half2");
}

int main()
{
    bool passed = check_format<__half>("half", kHalf);
    passed &= check_format<__nv_bfloat16>("bfloat16", kBfloat);
    passed &= check_product();
    passed &= check_softmax();
    passed &= check_punned_vectors();
    return verdict(passed);
}
