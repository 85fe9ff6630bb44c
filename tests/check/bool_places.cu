// SPDX-License-Identifier: Apache-2.0
// Bytes in all places where a kernel may read a bool. The argument is their value.
#include <cstdlib>
#include <cstring>

struct Options {
  int number;
  bool is_on;
};

__constant__ bool constants[4];
__device__ bool variable;

__device__ __noinline__ int choose(bool flag, int x) {
  return flag ? x : -x;
}
__device__ __noinline__ int by_reference(const bool& flag) {
  return flag ? 1 : 2;
}

__global__ void of_pointer(const bool* flags, int* out) {
  *out = *flags ? 1 : 2;
}
__global__ void of_array(const bool* flags, int* out) {
  *out = flags[blockDim.x] ? 1 : 2;
}
__global__ void of_member(const Options* options, int* out) {
  *out = options->is_on ? 1 : 2;
}
__global__ void of_parameter(Options options, int* out) {
  *out = options.is_on ? 1 : 2;
}
__global__ void of_argument(const bool* flags, int* out) {
  *out = choose(flags[1], 3);
}
__global__ void of_reference(const bool* flags, int* out) {
  *out = by_reference(flags[1]);
}
__global__ void of_shared(const char* bytes, int* out) {
  __shared__ bool flags[4];
  std::memcpy(flags, bytes, sizeof flags);
  __syncthreads();
  *out = flags[1] ? 1 : 2;
}
__global__ void of_constant(int* out) {
  *out = constants[1] ? 1 : 2;
}
__global__ void of_variable(int* out) {
  *out = variable ? 1 : 2;
}
__global__ void of_negation(const bool* flags, int* out) {
  *out = !flags[2];
}
__global__ void of_sum(const bool* flags, int* out) {
  *out = flags[1] + flags[2];
}
__global__ void of_copy(const bool* flags, bool* out) {
  *out = flags[1];
}

int main(int count, char** words) {
  const int byte = count > 1 ? std::atoi(words[1]) : 2;
  void* memory = nullptr;
  int* out = nullptr;
  cudaMalloc(&memory, 16);
  cudaMalloc(&out, sizeof *out);
  cudaMemset(memory, byte, 16);
  Options options;
  std::memset(static_cast<void*>(&options), byte, sizeof options);
  cudaMemcpyToSymbol(constants, &options, sizeof constants);
  cudaMemcpyToSymbol(variable, &options, sizeof variable);
  const bool* const flags = static_cast<const bool*>(memory);
  of_pointer<<<1, 1>>>(flags, out);
  of_array<<<1, 1>>>(flags, out);
  of_member<<<1, 1>>>(static_cast<const Options*>(memory), out);
  of_parameter<<<1, 1>>>(options, out);
  of_argument<<<1, 1>>>(flags, out);
  of_reference<<<1, 1>>>(flags, out);
  of_shared<<<1, 1>>>(static_cast<const char*>(memory), out);
  of_constant<<<1, 1>>>(out);
  of_variable<<<1, 1>>>(out);
  of_negation<<<1, 1>>>(flags, out);
  of_sum<<<1, 1>>>(flags, out);
  of_copy<<<1, 1>>>(flags, reinterpret_cast<bool*>(out));
  return cudaDeviceSynchronize() != cudaSuccess;
}
