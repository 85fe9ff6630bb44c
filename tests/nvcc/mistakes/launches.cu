// SPDX-License-Identifier: Apache-2.0
//
// Launches that no kernel takes, and configurations that are none.
#include <cstdio>

__global__ void take(int* p, int n) {
  p[0] = n;
}

template <class T, int kN>
__global__ void take_both(T* p, const T* q, int n) {
  p[0] = q[kN] + n;
}

int main() {
  int* d = nullptr;
  float* f = nullptr;
  double* e = nullptr;
  take<<<1, 32>>>(dd, 3);  // mistake: dd
  take<<<blocks, 32>>>(d, 3);  // mistake: blocks
  take<<<1, 32>>>(d);  // mistake
  take<<<1, 32>>>(3.0f, 4);  // mistake
  take<<<1, 32>>>(d, 3, 4);  // mistake
  take<<<1, 32, 0, "a">>>(d, 3);  // mistake: "a"
  take<<<"many", 32>>>(d, 3);  // mistake: "many"
  take_both<float, 3><<<1, 32>>>(f, e, 3);  // mistake
  take_both<float><<<1, 32>>>(f, f, 3);  // mistake
  take_both<float, 2><<<dim3(1), dim3(2)>>>(f, f);  // mistake
  absent<<<1, 1>>>(d);  // mistake: absent
  absent_template<float><<<1, 1>>>(d);  // mistake: absent_template
}
