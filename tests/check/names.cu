// SPDX-License-Identifier: Apache-2.0
// Parts of variables in reports have the names that the program has for them: members and indices of any nesting.
#include <array>
#include <cstdio>
#include <cstring>

struct Leaf {
  int key;
  float children[4];
};

struct Flags {
  unsigned ready : 1, busy : 1;
  unsigned level : 8;
  unsigned rest : 22;
};

struct Node : Leaf {
  Leaf leaf[3];
  union {
    float weight;
    int bits;
  };
  union {
    char text[4];
    int word;
  } u;
  Flags flags;
};

template <class T, int kCount>
struct Row {
  T items[kCount];
};

class Counter {
 public:
  __device__ void set(int value) { value_ = value; }

 private:
  int limit_ = 0;
  int value_;
};

typedef double Rows[3][5];

namespace app {
namespace inner {
__device__ Node nodes[4];
}
__managed__ Row<Leaf, 5> managed;
}  // namespace app
__constant__ Node table[2];
template <class T>
__device__ Row<T, 3> buffer[2];

__global__ void in_shared() {
  __shared__ Node node;
  __shared__ Row<Row<Leaf, 4>, 2> rows[3];
  __shared__ alignas(32) Rows typed[2];
  __shared__ std::array<float4, 8> vectors;
  __shared__ Counter counter;
  const int t = threadIdx.x;
  node.leaf[1].children[2] = t;
  node.key = t;
  node.weight = t;
  node.u.text[3] = t;
  node.flags.level = t;
  rows[2].items[1].items[3].key = t;
  typed[1][2][4] = t;
  vectors[5].z = t;
  counter.set(t);
}

__global__ void in_global() {
  const int t = threadIdx.x;
  app::inner::nodes[2].leaf[1].children[3] = t;
  app::managed.items[4].key = t;
  buffer<int>[1].items[2] = t;
}

template <class T>
__global__ void unwritten(T* out, int i) {
  __shared__ Row<T, 4> rows[3];
  if (threadIdx.x != 0) return;
  rows[0].items[0] = 1;
  out[0] = rows[2].items[1];
  out[1] = table[i].key;
}

template <class T>
struct Matrix {
  int width;
  T* rows[2];
};

__global__ void by_arguments(bool fast, Node* nodes, float (*grid)[8], const Matrix<short> matrix, int* same,
                             int* again) {
  const int t = threadIdx.x;
  nodes[1].leaf[2].children[3] = t;
  grid[3][5] = t;
  matrix.rows[1][t / 64 + 7] = t;
  same[6] = t;
  if (t == 0) nodes[2].key = 1;
}

__device__ char text[64];

__global__ void by_wider_type(char* buffer) {
  reinterpret_cast<int*>(buffer)[6] = 1000 + threadIdx.x;
  reinterpret_cast<int*>(text)[2] = 1000 + threadIdx.x;
}

extern __shared__ __align__(16) float sums[];

__device__ void add(int t) {
  sums[200] = t;
}

__device__ __noinline__ void put(int* to, int t) {
  to[2] = t;
}

__global__ void in_dynamic() {
  extern __shared__ Node pool[];
  const int t = threadIdx.x;
  pool[2].leaf[1].children[2] = t;
  add(t);
  put(&pool[1].key, t);
}

__global__ void in_two_dynamic(int i) {
  extern __shared__ short keys[][8];
  extern __shared__ double weights[];
  keys[4][3] = threadIdx.x;
  weights[i] = threadIdx.x;
}

template <class T>
T* allocated(std::size_t count) {
  T* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));
  return memory;
}

__device__ Node* list;
__constant__ Matrix<int> table_of_rows;

__global__ void by_variables() {
  const int t = threadIdx.x;
  list[1].leaf[2].key = t;
  table_of_rows.rows[1][5] = t;
}

__global__ void by_indirection(Matrix<double>* matrix, float** parts) {
  const int t = threadIdx.x;
  matrix->rows[0][7] = t;
  parts[2][3] = t;
  if (t == 0) parts[2][16] = 1;
}

struct Mailbox {
  int payload;
  volatile int is_full;
};
__device__ Mailbox boxes[3];

__global__ void hand_over(int* out) {
  if (blockIdx.x == 0) {
    boxes[1].payload = 42;
    boxes[1].is_full = 1;
  } else {
    while (boxes[1].is_full == 0) {
    }
    *out = boxes[1].payload;
  }
}

void launch_with_variables() {
  Node* const nodes = allocated<Node>(2);
  const Matrix<int> rows{4, {nullptr, allocated<int>(8)}};
  cudaMemcpyToSymbol(list, &nodes, sizeof nodes);
  cudaMemcpyToSymbol(table_of_rows, &rows, sizeof rows);
  by_variables<<<1, 64>>>();
}

void launch_with_indirection() {
  Matrix<double>* const matrix = allocated<Matrix<double>>(1);
  float** const parts = allocated<float*>(4);
  const Matrix<double> host{4, {allocated<double>(8), nullptr}};
  float* const of_host[4] = {nullptr, nullptr, allocated<float>(16), nullptr};
  cudaMemcpy(matrix, &host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(parts, of_host, sizeof of_host, cudaMemcpyHostToDevice);
  by_indirection<<<1, 64>>>(matrix, parts);
}

void launch_with_arguments() {
  Node* nodes = allocated<Node>(2);
  float* grid = allocated<float>(64);
  short* row = allocated<short>(16);
  int* both = allocated<int>(16);
  by_arguments<<<1, 64>>>(true, nodes, reinterpret_cast<float(*)[8]>(grid), Matrix<short>{16, {nullptr, row}}, both,
                          both);
}

/// Beyond the end, to which the input is nearer than the output.
__global__ void in_one_allocation(float4* output, const float4* input) {
  output[threadIdx.x + 20] = input[threadIdx.x % 4];
}

__global__ void copied_in_one_allocation(char* output, const char* input) {
  std::memcpy(output + 340 + threadIdx.x * 12, input + threadIdx.x, 12);
}

int main(int argc, char** argv) {
  const bool has_arguments = argc > 1 && std::strcmp(argv[1], "arguments") == 0;
  const bool hands_over = argc > 1 && std::strcmp(argv[1], "hand-over") == 0;
  const bool has_variables = argc > 1 && std::strcmp(argv[1], "variables") == 0;
  const bool has_indirection = argc > 1 && std::strcmp(argv[1], "indirection") == 0;
  const bool is_wider = argc > 1 && std::strcmp(argv[1], "wider") == 0;
  const bool is_dynamic = argc > 1 && std::strcmp(argv[1], "dynamic") == 0;
  const bool is_global = argc > 1 && std::strcmp(argv[1], "global") == 0;
  const bool is_shared_by_two = argc > 1 && std::strcmp(argv[1], "one-allocation") == 0;
  const bool is_copied = argc > 1 && std::strcmp(argv[1], "copied") == 0;
  const bool is_unwritten = argc > 1 && std::strcmp(argv[1], "unwritten") == 0;
  int* out = nullptr;
  cudaMalloc(&out, 2 * sizeof(int));
  if (has_arguments) {
    launch_with_arguments();
  } else if (hands_over) {
    hand_over<<<2, 1>>>(out);
  } else if (has_variables) {
    launch_with_variables();
  } else if (has_indirection) {
    launch_with_indirection();
  } else if (is_wider) {
    by_wider_type<<<1, 64>>>(allocated<char>(64));
  } else if (is_dynamic) {
    in_dynamic<<<1, 64, 4096>>>();
    in_two_dynamic<<<1, 32, 256>>>(32);
  } else if (is_global) {
    in_global<<<1, 64>>>();
  } else if (is_shared_by_two) {
    float4* const both = allocated<float4>(24);
    cudaMemset(both, 0, 24 * sizeof(float4));
    in_one_allocation<<<1, 8>>>(both, both + 16);
  } else if (is_copied) {
    char* const both = allocated<char>(384);
    cudaMemset(both, 0, 384);
    copied_in_one_allocation<<<1, 8>>>(both, both + 256);
  } else if (is_unwritten) {
    unwritten<<<1, 32>>>(out, 2);
  } else {
    in_shared<<<1, 64>>>();
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
