// SPDX-License-Identifier: Apache-2.0
// What host code constructs or names and a kernel calls. The argument chooses the mistake, or what is right.
#include <cstdio>
#include <cstring>
#include <new>

using Op = int (*)(int);

struct Number {
  int value;
  __host__ __device__ explicit Number(int v) : value(v) {}
  __host__ __device__ virtual int get() const { return value; }
};
struct Square : Number {
  __host__ __device__ explicit Square(int v) : Number(v) {}
  __host__ __device__ int get() const override { return value * value; }
};
struct Ops {
  static __device__ int twice(int x) { return 2 * x; }
};
template <class T>
__device__ T thrice(T x) {
  return 3 * x;
}
__host__ float half(float x) {
  return x / 2;
}
__device__ int half(int x) {
  return x / 2;
}

__global__ void build(Square* at) {
  new (at) Square(4);
}
__global__ void get(const Number* number, int* out) {
  *out = number->get();
}
__global__ void apply(Op op, int* out) {
  *out = op(4);
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  const auto is = [what](const char* name) { return std::strcmp(what, name) == 0; };
  void* managed = nullptr;
  void* pinned = nullptr;
  int* out = nullptr;
  cudaMallocManaged(&managed, sizeof(Square));
  cudaHostAlloc(&pinned, sizeof(Square), cudaHostAllocMapped);
  cudaMalloc(&out, sizeof *out);
  const Number* const of_managed = new (managed) Square(3);
  const Number* const of_pinned = new (pinned) Square(5);
  float (*of_host)(float) = half;
  if (is("managed")) get<<<1, 1>>>(of_managed, out);
  if (is("pinned")) get<<<1, 1>>>(of_pinned, out);
  if (is("member")) apply<<<1, 1>>>(&Ops::twice, out);
  if (is("template")) apply<<<1, 1>>>(thrice<int>, out);
  if (is("overload")) {
    Op op = half;
    apply<<<1, 1>>>(op, out);
  }
  if (is("rebuilt")) {
    build<<<1, 1>>>(static_cast<Square*>(managed));
    get<<<1, 1>>>(of_managed, out);
  }
  std::printf("%s %d %.1f\n", cudaGetErrorName(cudaDeviceSynchronize()), of_pinned->get(), of_host(3));
}
