// SPDX-License-Identifier: Apache-2.0
//
// All-pairs gravity in float and double: positions pass through dynamic shared memory tile by tile, the softening
// comes from constant memory, positions are double-buffered.
#include "common.h"

__constant__ float softening_float;
__constant__ double softening_double;

template <typename T>
struct vec3
{
};
template <>
struct vec3<float>
{
    typedef float3 Type;
};
template <>
struct vec3<double>
{
    typedef double3 Type;
};
template <typename T>
struct vec4
{
};
template <>
struct vec4<float>
{
    typedef float4 Type;
};
template <>
struct vec4<double>
{
    typedef double4 Type;
};

template <typename T>
cudaError_t set_softening(T value)
{
    return cudaMemcpyToSymbol(softening_float, &value, sizeof(float), 0, cudaMemcpyHostToDevice);
}
template <>
cudaError_t set_softening<double>(double value)
{
    return cudaMemcpyToSymbol(softening_double, &value, sizeof(double), 0, cudaMemcpyHostToDevice);
}

template <typename T>
__device__ T softening()
{
    return softening_float;
}
template <>
__device__ double softening<double>()
{
    return softening_double;
}

__device__ float rsqrt_T(float x) { return rsqrtf(x); }
__device__ double rsqrt_T(double x) { return rsqrt(x); }

template <class T>
struct SharedMemory
{
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};
template <>
struct SharedMemory<double4>
{
    __device__ inline operator double4 *()
    {
        extern __shared__ double4 __smem_double4[];
        return (double4 *)__smem_double4;
    }
};

template <typename T>
__device__ typename vec3<T>::Type interact(typename vec3<T>::Type a, typename vec4<T>::Type bi, typename vec4<T>::Type bj)
{
    typename vec3<T>::Type r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    T inverse = rsqrt_T(r.x * r.x + r.y * r.y + r.z * r.z + softening<T>());
    T s = bj.w * inverse * inverse * inverse;
    a.x += r.x * s;
    a.y += r.y * s;
    a.z += r.z * s;
    return a;
}

template <typename T>
__global__ void integrate(typename vec4<T>::Type *__restrict__ newPositions,
                          const typename vec4<T>::Type *__restrict__ positions,
                          typename vec4<T>::Type *velocities, int bodies, T dt, int tiles)
{
    typename vec4<T>::Type *shared = SharedMemory<typename vec4<T>::Type>();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    typename vec4<T>::Type position = positions[i], velocity = velocities[i];
    typename vec3<T>::Type a = {T(0), T(0), T(0)};
    for (int tile = 0; tile < tiles; tile++) {
        shared[threadIdx.x] = positions[tile * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (unsigned j = 0; j < blockDim.x; j++)
            a = interact<T>(a, position, shared[j]);
        __syncthreads();
    }
    velocity.x += a.x * dt;
    velocity.y += a.y * dt;
    velocity.z += a.z * dt;
    position.x += velocity.x * dt;
    position.y += velocity.y * dt;
    position.z += velocity.z * dt;
    newPositions[i] = position;
    velocities[i] = velocity;
}

static void host_step(std::vector<double> &p, std::vector<double> &v, double dt, double softening)
{
    const size_t n = p.size() / 4;
    std::vector<double> next = p;
    for (size_t i = 0; i < n; ++i) {
        double a[3] = {0, 0, 0};
        for (size_t j = 0; j < n; ++j) {
            double r[3], square = softening;
            for (int k = 0; k < 3; ++k) {
                r[k] = p[4 * j + k] - p[4 * i + k];
                square += r[k] * r[k];
            }
            for (int k = 0; k < 3; ++k)
                a[k] += r[k] * p[4 * j + 3] / (square * std::sqrt(square));
        }
        for (int k = 0; k < 3; ++k) {
            v[4 * i + k] += a[k] * dt;
            next[4 * i + k] += v[4 * i + k] * dt;
        }
    }
    p = next;
}

template <typename T>
bool simulate(const char *name, int bodies, double tolerance)
{
    typedef typename vec4<T>::Type T4;
    const int block = 64, steps = 3;
    const T dt = T(0.016), soft = T(0.01);
    std::vector<T> p(4 * bodies), v(4 * bodies, T(0));
    Random random(42);
    for (auto &x : p)
        x = T(random.uniform()) - T(0.5);
    for (int i = 0; i < bodies; ++i)
        p[4 * i + 3] = T(1) / bodies;
    std::vector<double> wantP(p.begin(), p.end()), wantV(v.begin(), v.end());

    T *positions[2] = {device_copy(p), device_copy(p)}, *velocities = device_copy(v);
    CHECK(set_softening<T>(soft));
    int read = 0;
    for (int step = 0; step < steps; ++step, read = 1 - read) {
        integrate<T><<<bodies / block, block, block * sizeof(T4)>>>((T4 *)positions[1 - read], (T4 *)positions[read],
                                                                   (T4 *)velocities, bodies, dt, bodies / block);
        host_step(wantP, wantV, dt, soft);
    }
    bool passed = near(name, host_copy(positions[read], p.size()), wantP, tolerance);
    passed &= near(name, host_copy(velocities, v.size()), wantV, tolerance);
    for (T *buffer : positions)
        CHECK(cudaFree(buffer));
    CHECK(cudaFree(velocities));
    return passed;
}

int main()
{
    bool passed = simulate<float>("float", 256, 1e-4);
    passed &= simulate<double>("double", 256, 1e-12);
    return verdict(passed);
}
