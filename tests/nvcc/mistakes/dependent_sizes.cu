// SPDX-License-Identifier: Apache-2.0
//
// Types and sizes that turn out wrong when a template is instantiated.
template <class T, int kCells>
__global__ void sized(T* p) {
  __shared__ T cells[kCells];  // mistake
  cells[0] = p[0];
}

template <class T>
struct Tile {
  __device__ int at(int i) {
    __shared__ typename T::missing all[4];  // mistake
    return all[i];
  }
};

__global__ void tiles(int* p) {
  p[0] = Tile<float>().at(1);
}

int main() {
  sized<float, -1><<<1, 32>>>(nullptr);
}
