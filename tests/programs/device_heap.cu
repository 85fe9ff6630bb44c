// SPDX-License-Identifier: Apache-2.0
//
// Objects on the device's heap: new and delete, malloc and free, virtual calls, a container built in shared memory by
// placement new, lists that one kernel builds and others read and free.
#include "common.h"

#include <new>

class Shape
{
public:
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
};

class Rectangle : public Shape
{
public:
    __device__ Rectangle(float width, float height) : width_(width), height_(height) {}
    __device__ float area() const override { return width_ * height_; }
    __device__ int corners() const override { return 4; }

private:
    float width_, height_;
};

class Disc : public Shape
{
public:
    __device__ explicit Disc(float radius) : radius_(radius) {}
    __device__ float area() const override { return 3.0f * radius_ * radius_; }

private:
    float radius_;
};

class Square final : public Rectangle
{
public:
    __device__ explicit Square(float side) : Rectangle(side, side) {}
    __device__ int corners() const override { return Rectangle::corners() + 100; }
};

__global__ void create(Shape **shapes, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i % 3 == 0)
        shapes[i] = new Rectangle(i, 2);
    else if (i % 3 == 1)
        shapes[i] = new Disc(i);
    else
        shapes[i] = new Square(i);
}

__global__ void measure(Shape *const *shapes, float *areas, int *corners, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        areas[i] = shapes[i]->area();
        atomicAdd(corners, shapes[i]->corners());
    }
}

__global__ void destroy(Shape **shapes, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        delete shapes[i];
}

// A vector whose one instance lives in shared memory and whose elements live on the heap.
template <class T>
class Container
{
public:
    __device__ explicit Container(int capacity) : top_(0), capacity_(capacity) { data_ = new T[capacity]; }
    __device__ ~Container() { delete[] data_; }
    __device__ bool push(const T &element)
    {
        const int at = atomicAdd(&top_, 1);
        if (at < capacity_)
            data_[at] = element;
        return at < capacity_;
    }
    __device__ int size() const { return top_ < capacity_ ? top_ : capacity_; }
    __device__ const T &operator[](int i) const { return data_[i]; }

private:
    T *data_;
    int top_, capacity_;
};

__global__ void collect(long long *sums, int *refused)
{
    __shared__ __align__(8) char buffer[sizeof(Container<long long>)];
    __shared__ Container<long long> *container;
    if (threadIdx.x == 0)
        container = new (buffer) Container<long long>(blockDim.x / 2);
    __syncthreads();
    if (!container->push(1000 * blockIdx.x + 7))
        atomicAdd(refused, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        long long sum = 0;
        for (int i = 0; i < container->size(); ++i)
            sum += (*container)[i];
        sums[blockIdx.x] = sum;
        container->~Container<long long>();
    }
}

struct Entry
{
    Entry *next;
    int key;
};

__device__ Entry *buckets[8];

__global__ void insert(int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Entry *entry = (Entry *)malloc(sizeof(Entry));
    entry->key = i;
    entry->next = (Entry *)atomicExch((unsigned long long *)&buckets[i % 8], (unsigned long long)entry);
}

__global__ void drain(int *counts, long long *sums)
{
    const int b = threadIdx.x;
    for (Entry *entry = buckets[b], *next; entry != nullptr; entry = next) {
        next = entry->next;
        ++counts[b];
        sums[b] += entry->key;
        free(entry);
    }
    buckets[b] = nullptr;
}

static bool check_shapes()
{
    const int n = 150;
    Shape **shapes = device_zeros<Shape *>(n);
    float *areas = device_zeros<float>(n);
    int *corners = device_zeros<int>(1), wantCorners = 0;
    create<<<(n + 63) / 64, 64>>>(shapes, n);
    measure<<<1, 32>>>(shapes, areas, corners, n);
    destroy<<<(n + 63) / 64, 64>>>(shapes, n);
    std::vector<float> want(n);
    for (int i = 0; i < n; ++i) {
        want[i] = i % 3 == 0 ? 2.0f * i : i % 3 == 1 ? 3.0f * i * i : float(i) * i;
        wantCorners += i % 3 == 0 ? 4 : i % 3 == 1 ? 0 : 104;
    }
    bool passed = same("areas", host_copy(areas, n), want);
    passed &= same("corners", host_copy(corners, 1), {wantCorners});
    CHECK(cudaFree(shapes));
    CHECK(cudaFree(areas));
    CHECK(cudaFree(corners));
    return passed;
}

static bool check_container()
{
    const int blocks = 5, threads = 48;
    long long *sums = device_zeros<long long>(blocks);
    int *refused = device_zeros<int>(1);
    collect<<<blocks, threads>>>(sums, refused);
    std::vector<long long> want;
    for (int b = 0; b < blocks; ++b)
        want.push_back((1000 * b + 7) * (threads / 2));
    bool passed = same("containers", host_copy(sums, blocks), want);
    passed &= same("refused", host_copy(refused, 1), {blocks * threads / 2});
    CHECK(cudaFree(sums));
    CHECK(cudaFree(refused));
    return passed;
}

static bool check_lists()
{
    const int n = 400;
    int *counts = device_zeros<int>(8);
    long long *sums = device_zeros<long long>(8);
    insert<<<(n + 95) / 96, 96>>>(n);
    drain<<<1, 8>>>(counts, sums);
    std::vector<long long> want(8, 0);
    for (int i = 0; i < n; ++i)
        want[i % 8] += i;
    bool passed = same("list lengths", host_copy(counts, 8), std::vector<int>(8, n / 8));
    passed &= same("list sums", host_copy(sums, 8), want);
    CHECK(cudaFree(counts));
    CHECK(cudaFree(sums));
    return passed;
}

int main()
{
    size_t heap = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 * 1024 * 1024));
    CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    bool passed = expect(heap >= 16 * 1024 * 1024, "the heap has the size that was asked for");
    passed &= check_shapes();
    passed &= check_container();
    passed &= check_lists();
    return verdict(passed);
}
