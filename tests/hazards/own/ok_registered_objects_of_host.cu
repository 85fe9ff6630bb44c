// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M14
// why: objects of the host in memory that is registered for a while: kernels access their data only
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Cell {
  int value = 1;
  __host__ __device__ virtual int get() const { return value; }
};
struct Counted : Cell {
  int times = 0;
  __host__ __device__ int get() const override { return value * times; }
};

__global__ void count(Counted* cells) { cells[threadIdx.x].times += 1; }

int main() {
  Counted* cells = new Counted[32];
  bool good = true;
  for (int round = 1; round < 4; ++round) {
    CK(cudaHostRegister(cells, 32 * sizeof *cells, cudaHostRegisterDefault));
    Counted* on_device;
    CK(cudaHostGetDevicePointer(&on_device, cells, 0));
    count<<<1, 32>>>(on_device);
    CK(cudaDeviceSynchronize());
    const Cell* last = cells + 31;
    good = good && last->get() == round;
    CK(cudaHostUnregister(cells));
    good = good && last->get() == round;
  }
  delete[] cells;
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
