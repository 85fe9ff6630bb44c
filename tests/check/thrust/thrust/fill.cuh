// SPDX-License-Identifier: Apache-2.0
//
// As Thrust has them: functions of the host that allocate and launch for the program, in a folder and a namespace of
// that name.
#pragma once

namespace thrust {

template <class T>
T* allocate(int elements) {
  T* memory = nullptr;
  cudaMalloc(&memory, static_cast<unsigned long>(elements) * sizeof(T));
  return memory;
}

template <class T>
__global__ void assign(T* to, int elements, T value) {
  if (threadIdx.x < elements) to[threadIdx.x] = value;
}

template <class T>
__noinline__ void launch(T* to, int elements, T value) {
  assign<<<1, 32>>>(to, elements, value);
}

template <class T>
void fill(T* to, int elements, T value) {
  launch(to, elements, value);
}

}  // namespace thrust
