// SPDX-License-Identifier: Apache-2.0
//
// European options in closed form: two options a thread (float2), fast intrinsics, built with -use_fast_math; and the
// same in double precision by the names of the C library.
#include "common.h"

#define LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define DEVICE __device__ __forceinline__
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))

// Abramowitz and Stegun 26.2.17.
DEVICE float cumulative_normal(float d)
{
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
    const float k = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
    float c = 0.39894228040143267794f * __expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    if (d > 0)
        c = 1.0f - c;
    return c;
}

DEVICE void black_scholes_body(float &call, float &put, float s, float x, float t, float r, float v)
{
    const float rootT = __fdividef(1.0f, rsqrtf(t));
    const float d1 = __fdividef(__logf(s / x) + (r + 0.5f * v * v) * t, v * rootT);
    const float d2 = d1 - v * rootT;
    const float n1 = cumulative_normal(d1), n2 = cumulative_normal(d2);
    const float discount = __expf(-r * t);
    call = s * n1 - x * discount * n2;
    put = x * discount * (1.0f - n2) - s * (1.0f - n1);
}

__global__ void LAUNCH_BOUNDS(128, 2)
    black_scholes(float2 *__restrict__ call, float2 *__restrict__ put, const float2 *__restrict__ price,
                  const float2 *__restrict__ strike, const float2 *__restrict__ years, float rate, float volatility,
                  int options)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= options / 2)
        return;
    float call1, call2, put1, put2;
    black_scholes_body(call1, put1, price[i].x, strike[i].x, years[i].x, rate, volatility);
    black_scholes_body(call2, put2, price[i].y, strike[i].y, years[i].y, rate, volatility);
    call[i] = make_float2(call1, call2);
    put[i] = make_float2(put1, put2);
}

__global__ void black_scholes_double(double *call, double *put, const float *price, const float *strike,
                                     const float *years, double r, double v, int options)
{
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < options; i += blockDim.x * gridDim.x) {
        const double s = price[i], x = strike[i], t = years[i], root = sqrt(t);
        const double d1 = (log(s / x) + (r + 0.5 * v * v) * t) / (v * root), d2 = d1 - v * root;
        call[i] = s * normcdf(d1) - x * exp(-r * t) * normcdf(d2);
        put[i] = x * exp(-r * t) * normcdf(-d2) - s * normcdf(-d1);
    }
}

static void reference(double &call, double &put, double s, double x, double t, double r, double v)
{
    auto cdf = [](double d) { return 0.5 * erfc(-d / sqrt(2.0)); };
    const double d1 = (std::log(s / x) + (r + 0.5 * v * v) * t) / (v * std::sqrt(t)), d2 = d1 - v * std::sqrt(t);
    call = s * cdf(d1) - x * std::exp(-r * t) * cdf(d2);
    put = x * std::exp(-r * t) * cdf(-d2) - s * cdf(-d1);
}

int main()
{
    const int options = 5000;
    const float rate = 0.02f, volatility = 0.30f;
    std::vector<float> price(options), strike(options), years(options);
    std::vector<double> wantCall(options), wantPut(options);
    Random random(5347);
    for (int i = 0; i < options; ++i) {
        price[i] = 5.0f + 25.0f * random.uniform();
        strike[i] = 1.0f + 99.0f * random.uniform();
        years[i] = 0.25f + 9.75f * random.uniform();
        reference(wantCall[i], wantPut[i], price[i], strike[i], years[i], rate, volatility);
    }
    float *s = device_copy(price), *x = device_copy(strike), *t = device_copy(years);
    float *call = device_zeros<float>(options), *put = device_zeros<float>(options);
    double *call64 = device_zeros<double>(options), *put64 = device_zeros<double>(options);

    black_scholes<<<DIV_UP((options / 2), 128), 128 /*, 480, 128*/>>>((float2 *)call, (float2 *)put, (float2 *)s,
                                                                     (float2 *)x, (float2 *)t, rate, volatility, options);
    CHECK(cudaGetLastError());
    black_scholes_double<<<4, 128>>>(call64, put64, s, x, t, rate, volatility, options);
    CHECK(cudaGetLastError());

    bool passed = near("call", host_copy(call, options), wantCall, 1e-4);
    passed &= near("put", host_copy(put, options), wantPut, 1e-4);
    passed &= near("call in double", host_copy(call64, options), wantCall, 1e-12);
    passed &= near("put in double", host_copy(put64, options), wantPut, 1e-12);
    for (void *buffer : {(void *)s, (void *)x, (void *)t, (void *)call, (void *)put, (void *)call64, (void *)put64})
        CHECK(cudaFree(buffer));
    return verdict(passed);
}
