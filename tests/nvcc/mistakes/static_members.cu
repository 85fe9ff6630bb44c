// SPDX-License-Identifier: Apache-2.0
//
// Static members that were to be variables of the device, or shared by a block.
struct Counter {
  static __device__ int count;  // mistake: __device__
  static const __constant__ float scale = 2;  // mistake: __constant__
  static __device__ int next() { return 1; }
  static const int limit = 4;
};

template <class T>
class Cells {
  static __shared__ T cells[8];  // mistake: __shared__
  inline static __managed__ T seen;  // mistake: __managed__
};

__global__ void k(int* p) {
  p[0] = Counter::next() + Counter::limit;
}

int main() {
  k<<<1, 32>>>(nullptr);
}
