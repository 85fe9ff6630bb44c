// SPDX-License-Identifier: Apache-2.0
//
// Monte Carlo three ways: pi from a counter-based generator, an option price through normcdfinv, a circle's moments
// through sincospi; each plan in a stream of its own, sums in arrays that a macro declares.
#include "common.h"

// Static and dynamic arrays whose type and name are the user's.
#define SHARED_ARRAY(type, name, count) __shared__ type name[count]
#define DYNAMIC_ARRAY(type, name) extern __shared__ type name[]
#define BLOCK_SYNC __syncthreads();

struct Plan
{
    int first, samples;
    double *sums;
    cudaStream_t stream;
};

__host__ __device__ inline unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    x ^= x >> 16;
    return x;
}

__host__ __device__ inline double uniform(unsigned counter, unsigned stream)
{
    return (mix(mix(counter) + stream * 0x9e3779b9U) + 0.5) / 4294967296.0;
}

template <typename T>
__device__ T block_sum(T value, T *scratch)
{
    scratch[threadIdx.x] = value;
    BLOCK_SYNC
    for (int half = blockDim.x / 2; half; half >>= 1) {
        if (threadIdx.x < half)
            scratch[threadIdx.x] += scratch[threadIdx.x + half];
        BLOCK_SYNC
    }
    T sum = scratch[0];
    BLOCK_SYNC
    return sum;
}

__global__ void pi_kernel(Plan plan)
{
    SHARED_ARRAY(int, scratch, 128);
    int inside = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < plan.samples; i += gridDim.x * blockDim.x) {
        const double x = uniform(plan.first + i, 0), y = uniform(plan.first + i, 1);
        inside += x * x + y * y <= 1.0;
    }
    inside = block_sum(inside, scratch);
    if (threadIdx.x == 0)
        atomicAdd(plan.sums, double(inside));
}

__global__ void option_kernel(Plan plan)
{
    DYNAMIC_ARRAY(double, scratch);
    double pay = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < plan.samples; i += gridDim.x * blockDim.x) {
        const double z = normcdfinv(uniform(plan.first + i, 2));
        pay += fmax(100.0 * exp(0.2 * z - 0.02) - 95.0, 0.0);
    }
    pay = block_sum(pay, scratch);
    if (threadIdx.x == 0)
        atomicAdd(plan.sums + 1, pay);
}

__global__ void circle_kernel(Plan plan)
{
    DYNAMIC_ARRAY(double, scratch);
    double moment = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < plan.samples; i += gridDim.x * blockDim.x) {
        double s, c;
        sincospi(2.0 * uniform(plan.first + i, 3), &s, &c);
        moment += s * s + c + 1e-3 * (sinpi(0.5) + cospi(1.0));
    }
    moment = block_sum(moment, scratch);
    if (threadIdx.x == 0)
        atomicAdd(plan.sums + 2, moment);
}

// Bisection on erfc, nothing like the device's expansion.
static double inverse_normal(double p)
{
    double low = -40, high = 40;
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (0.5 * erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

static std::vector<double> reference(int first, int samples)
{
    std::vector<double> sums(3, 0.0);
    for (int i = first; i < first + samples; ++i) {
        const double x = uniform(i, 0), y = uniform(i, 1), angle = 2 * 3.14159265358979323846 * uniform(i, 3);
        sums[0] += x * x + y * y <= 1.0;
        sums[1] += fmax(100.0 * std::exp(0.2 * inverse_normal(uniform(i, 2)) - 0.02) - 95.0, 0.0);
        sums[2] += std::sin(angle) * std::sin(angle) + std::cos(angle);
    }
    return sums;
}

int main()
{
    const int plans = 3, samples = 4096, threads = 128;
    Plan plan[plans];
    for (int p = 0; p < plans; ++p) {
        plan[p] = {p * samples, samples, device_zeros<double>(3), nullptr};
        CHECK(cudaStreamCreate(&plan[p].stream));
    }
    for (int p = 0; p < plans; ++p) {
        pi_kernel<<<8, threads, 0, plan[p].stream>>>(plan[p]);
        option_kernel<<<8, threads, threads * sizeof(double), plan[p].stream>>>(plan[p]);
        circle_kernel<<<8, threads, threads * sizeof(double), plan[p].stream>>>(plan[p]);
    }
    bool passed = true;
    double inside = 0;
    for (int p = 0; p < plans; ++p) {
        CHECK(cudaStreamSynchronize(plan[p].stream));
        std::vector<double> got = host_copy(plan[p].sums, 3);
        passed &= near("sums", got, reference(plan[p].first, samples), 1e-9);
        inside += got[0];
        CHECK(cudaStreamDestroy(plan[p].stream));
        CHECK(cudaFree(plan[p].sums));
    }
    passed &= expect(fabs(4.0 * inside / (plans * samples) - 3.14159) < 0.05, "the estimate is near pi");
    return verdict(passed);
}
