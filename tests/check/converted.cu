// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory that a class declares, as CUDA's samples do it: no function of the access does.
#include <cstdio>

template <class T>
struct SharedMemory {
  __device__ operator T*() {
    extern __shared__ int raw[];
    return reinterpret_cast<T*>(raw);
  }
};

template <class T>
__global__ void in_dynamic_of_class(T value) {
  T* const items = SharedMemory<T>();
  items[threadIdx.x / 64 + 3] = value + threadIdx.x;
}

int main() {
  in_dynamic_of_class<<<1, 64, 256>>>(1);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
