// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: a host function of a stream calls virtual functions of managed objects, while a kernel of another stream runs
#include <cstdio>
#include <cstdlib>
#include <new>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Stage {
  int base;
  __host__ __device__ explicit Stage(int b) : base(b) {}
  __host__ __device__ virtual int next(int x) const { return x + base; }
};
struct Doubling : Stage {
  __host__ __device__ explicit Doubling(int b) : Stage(b) {}
  __host__ __device__ int next(int x) const override { return 2 * x + base; }
};
struct Work {
  const Stage* stage;
  int* value;
};

__global__ void add(int* value) { *value += 1; }
__global__ void count(int* out) {
  for (int i = 0; i < 500; ++i) atomicAdd(out, 1);
}
void CUDART_CB step(void* data) {
  const Work& work = *static_cast<Work*>(data);
  *work.value = work.stage->next(*work.value);
}

int main() {
  int *value, *other;
  void* memory;
  cudaStream_t first, second;
  CK(cudaMallocManaged(&memory, 2 * sizeof(Doubling)));
  CK(cudaHostAlloc(&value, sizeof *value, cudaHostAllocDefault));
  CK(cudaMalloc(&other, sizeof *other));
  CK(cudaMemset(other, 0, sizeof *other));
  CK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CK(cudaDeviceSynchronize());
  *value = 1;
  Stage* const plain = new (memory) Stage(3);
  Work works[2] = {{plain, value}, {new (plain + 1) Doubling(1), value}};
  for (Work& work : works) {
    count<<<2, 32, 0, second>>>(other);
    add<<<1, 1, 0, first>>>(value);
    CK(cudaLaunchHostFunc(first, step, &work));
  }
  CK(cudaDeviceSynchronize());
  const bool good = *value == 13;
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
