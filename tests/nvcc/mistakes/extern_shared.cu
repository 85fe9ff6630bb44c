// SPDX-License-Identifier: Apache-2.0
//
// Extern shared variables of one name and two types.
template <class T>
__global__ void any_type(T* p) {
  extern __shared__ T one_name[];  // mistake: one_name
  p[0] = one_name[0];
}

__global__ void floats(float* p) {
  extern __shared__ float numbers[];
  p[0] = numbers[0];
}

__global__ void looks(float* p) {
  extern volatile __shared__ float numbers[];  // mistake: numbers
  p[0] = numbers[0];
}

namespace elsewhere {
__global__ void whole(int* p) {
  extern __shared__ int numbers[];
  p[0] = numbers[0];
}
}  // namespace elsewhere

int main() {
  any_type<<<1, 32, 128>>>((float*)nullptr);
  any_type<<<1, 32, 256>>>((double*)nullptr);
}
