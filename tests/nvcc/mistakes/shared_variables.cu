// SPDX-License-Identifier: Apache-2.0
//
// Types, sizes and initialisers of CUDA's variables that nobody has declared.
template <class T>
__global__ void in_template(T* p) {
  __shared__ T cells[CELLS];      // mistake: CELLS
  __shared__ Unknown one, two[4]; // mistake: Unknown
  cells[threadIdx.x] = p[threadIdx.x];
  one.x = cells[0];
  two[1].x = one.x;
}

__global__ void sizes(int* p) {
  __shared__ int s[SIZE];  // mistake: SIZE
  __shared__ int sound[4];
  s[threadIdx.x] = p[threadIdx.x];
  sound[0] = s[1];
}

__global__ void launched_size(int* p) {
  extern __shared__ Missing d[];  // mistake: Missing
  p[0] = d[0];
}

__global__ void other_size(int* p) {
  extern __shared__ float d[];
  p[0] = d[1] + undeclared;  // mistake: undeclared
}

struct Member {
  __device__ int get(int i) {
    __shared__ Absent a[4];  // mistake: Absent
    return a[i].x;
  }
};

__shared__ int of_file[ROWS];  // mistake: ROWS
__device__ Nothing in_memory[4];  // mistake: Nothing
__constant__ float coefficients[COUNT];  // mistake: COUNT
__managed__ Nowhere managed;  // mistake: Nowhere
__device__ int initialised = origin;  // mistake: origin
__constant__ int table[4] = {1, 2, last};  // mistake: last

__global__ void users(int* p) {
  of_file[0] = p[0];
  p[1] = in_memory[1].x + initialised + table[1];
}

int main() {
  float h[4] = {};
  cudaMemcpyToSymbol(coefficients, h, sizeof h);
  in_template<float><<<1, 32>>>(nullptr);
  in_template<int><<<1, 32>>>(nullptr);
  sizes<<<1, 32>>>(nullptr);
}
