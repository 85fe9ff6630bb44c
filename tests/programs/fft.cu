// SPDX-License-Identifier: Apache-2.0
//
// Batches of radix-2 Fourier transforms in shared memory, in single and double complex numbers of cuComplex.h, and a
// spectral product that the inverse transform turns into a circular convolution.
#include "common.h"

#include <complex>
#include <cuComplex.h>

template <typename C>
struct Arithmetic;

template <>
struct Arithmetic<cuFloatComplex>
{
    typedef float Real;
    static __device__ cuFloatComplex add(cuFloatComplex a, cuFloatComplex b) { return cuCaddf(a, b); }
    static __device__ cuFloatComplex subtract(cuFloatComplex a, cuFloatComplex b) { return cuCsubf(a, b); }
    static __device__ cuFloatComplex multiply(cuFloatComplex a, cuFloatComplex b) { return cuCmulf(a, b); }
    static __device__ cuFloatComplex turn(float half_turns)
    {
        float s, c;
        sincospif(half_turns, &s, &c);
        return make_cuFloatComplex(c, s);
    }
};

template <>
struct Arithmetic<cuDoubleComplex>
{
    typedef double Real;
    static __device__ cuDoubleComplex add(cuDoubleComplex a, cuDoubleComplex b) { return cuCadd(a, b); }
    static __device__ cuDoubleComplex subtract(cuDoubleComplex a, cuDoubleComplex b) { return cuCsub(a, b); }
    static __device__ cuDoubleComplex multiply(cuDoubleComplex a, cuDoubleComplex b) { return cuCmul(a, b); }
    static __device__ cuDoubleComplex turn(double half_turns)
    {
        double s, c;
        sincospi(half_turns, &s, &c);
        return make_cuDoubleComplex(c, s);
    }
};

// A block a transform, N / 2 threads. `direction` is -1 forward, 1 backward (not scaled).
template <typename C, int N>
__global__ void transform(C *data, int direction)
{
    typedef Arithmetic<C> A;
    __shared__ C values[N];
    C *batch = data + blockIdx.x * N;
    const int t = threadIdx.x;
    int bits = 0;
    for (int n = N; n > 1; n >>= 1)
        ++bits;
    for (int i = t; i < N; i += N / 2)
        values[__brev(i) >> (32 - bits)] = batch[i];
    __syncthreads();
    for (int half = 1; half < N; half *= 2) {
        const int k = t % half, at = t / half * 2 * half + k;
        const C even = values[at];
        const C odd = A::multiply(A::turn(typename A::Real(direction * k) / half), values[at + half]);
        values[at] = A::add(even, odd);
        values[at + half] = A::subtract(even, odd);
        __syncthreads();
    }
    for (int i = t; i < N; i += N / 2)
        batch[i] = values[i];
}

__global__ void multiply_spectra(cuComplex *a, const cuComplex *b, int n, float scale)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const cuComplex product = cuCmulf(a[i], b[i]);
        a[i] = make_cuComplex(scale * cuCrealf(product), scale * cuCimagf(product));
    }
}

__global__ void magnitudes(const cuDoubleComplex *in, double *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = cuCabs(cuCmul(in[i], cuConj(in[i]))) + cuCreal(cuCdiv(in[i], in[i]));
}

typedef std::vector<std::complex<double>> Signal;

static Signal dft(const Signal &in, int batch)
{
    Signal out(in.size());
    for (size_t i = 0; i < in.size(); ++i)
        for (int k = 0; k < batch; ++k)
            out[i] += in[i / batch * batch + k] * std::polar(1.0, -2 * 3.14159265358979323846 * double(i % batch * k % batch) / batch);
    return out;
}

static Signal noise(size_t n, unsigned seed)
{
    Random random(seed);
    Signal values(n);
    for (auto &value : values)
        value = {random.uniform() - 0.5, random.uniform() - 0.5};
    return values;
}

template <typename C>
static std::vector<C> narrow(const Signal &signal)
{
    std::vector<C> out(signal.size());
    for (size_t i = 0; i < signal.size(); ++i) {
        out[i].x = signal[i].real();
        out[i].y = signal[i].imag();
    }
    return out;
}

template <typename C>
static bool close_to(const char *what, const std::vector<C> &got, const Signal &want, double tolerance)
{
    for (size_t i = 0; i < want.size(); ++i)
        if (std::abs(std::complex<double>(got[i].x, got[i].y) - want[i]) > tolerance) {
            printf("%s: [%zu] is %g %+gi, expected %g %+gi\n", what, i, double(got[i].x), double(got[i].y), want[i].real(), want[i].imag());
            return false;
        }
    return true;
}

template <typename C, int N>
bool check_transform(const char *name, int batches, double tolerance)
{
    Signal signal = noise(size_t(batches) * N, N);
    C *data = device_copy(narrow<C>(signal));
    transform<C, N><<<batches, N / 2>>>(data, -1);
    bool passed = close_to(name, host_copy(data, signal.size()), dft(signal, N), tolerance);
    transform<C, N><<<batches, N / 2>>>(data, 1);
    for (auto &value : signal)
        value *= N;
    passed &= close_to(name, host_copy(data, signal.size()), signal, tolerance * N);
    CHECK(cudaFree(data));
    return passed;
}

static bool check_convolution()
{
    const int n = 128;
    const Signal a = noise(n, 1), b = noise(n, 2);
    Signal want(n);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            want[i] += a[k] * b[(i - k + n) % n];
    cuComplex *dA = device_copy(narrow<cuComplex>(a)), *dB = device_copy(narrow<cuComplex>(b));
    transform<cuComplex, 128><<<1, n / 2>>>(dA, -1);
    transform<cuComplex, 128><<<1, n / 2>>>(dB, -1);
    multiply_spectra<<<2, 64>>>(dA, dB, n, 1.0f / n);
    transform<cuComplex, 128><<<1, n / 2>>>(dA, 1);
    bool passed = close_to("convolution", host_copy(dA, n), want, 1e-4);

    cuDoubleComplex *wide = device_copy(narrow<cuDoubleComplex>(a));
    double *out = device_zeros<double>(n);
    magnitudes<<<2, 64>>>(wide, out, n);
    std::vector<double> norms;
    for (auto &value : a)
        norms.push_back(std::norm(value) + 1);
    passed &= near("magnitudes", host_copy(out, n), norms, 1e-12);
    for (void *buffer : {(void *)dA, (void *)dB, (void *)wide, (void *)out})
        CHECK(cudaFree(buffer));
    return passed;
}

int main()
{
    bool passed = check_transform<cuComplex, 256>("float", 3, 1e-4);
    passed &= check_transform<cuDoubleComplex, 64>("double", 5, 1e-11);
    passed &= check_convolution();
    return verdict(passed);
}
