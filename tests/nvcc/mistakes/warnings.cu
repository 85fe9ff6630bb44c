// SPDX-License-Identifier: Apache-2.0
//
// What -Wall -Wextra -Wshadow says of kernels, with two statements on a line.
__device__ unsigned limit;

__global__ void k(int* p, int unused_parameter) {  // warning: unused_parameter
  int unused;  // warning: unused
  __shared__ unsigned count; int behind;  // warning: behind
  if (threadIdx.x == 0) count = 3;
  __syncthreads();
  if (p[0] < count) p[1] = 2;  // warning
  if (p[2] < limit) p[1] = 2;  // warning
}

template <class T>
__global__ void of_template(T* p) { int unused; p[0] = p[1] < 3u; }  // warning

__global__ void on_lines(
    int* p,
    int other) {  // warning: other
  p[0] = 1;
}

__global__ void beyond(int* p) {
  int cells[4] = {};
#pragma unroll
  for (int i = 0; i < 4; i++) cells[i] = p[i];
  cells[p[0] & 3] = 2;
  p[1] = cells[5];  // warning
}

int main() {
  k<<<1, 32>>>(nullptr, 0); int late;  // warning: late
  of_template<int><<<1, 32>>>(nullptr);
  on_lines<<<1, 1>>>(nullptr, 1);
  beyond<<<1, 1>>>(nullptr);
}
