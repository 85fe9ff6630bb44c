// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: a member function of the host takes the address of a static function of a class template
// alone: another program of the unit may have a function of the host with this name, which is then meant
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Op = int (*)(int);

namespace ops {
template <class T> struct Scale {
  static __device__ T apply(T x);
};
template <class T> __device__ T Scale<T>::apply(T x) { return 3 * x; }
}  // namespace ops

struct Chosen {
  Op op = nullptr;
  void choose() { op = ops::Scale<int>::apply; }
};

__global__ void apply(Op op, int* out) {
  out[threadIdx.x] = op(threadIdx.x);  // @A
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  Chosen chosen;
  chosen.choose();
  apply<<<1, 32>>>(chosen.op, out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
