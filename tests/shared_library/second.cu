// SPDX-License-Identifier: Apache-2.0
// A library with kernels that read the memory of another, and one whose threads race.
__global__ void sum(const int* values, int count, int* result) {
  __shared__ int parts[64];
  parts[threadIdx.x] = static_cast<int>(threadIdx.x) < count ? values[threadIdx.x] : 0;
  __syncthreads();
  for (unsigned half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = parts[0];
}

__device__ int of_library;

__global__ void write_together(int* value) {
  *value = static_cast<int>(threadIdx.x);  // racing
}
__global__ void write_variable() {
  of_library = static_cast<int>(threadIdx.x);  // racing, too
}

extern "C" int sum_values(const int* values, int count, cudaStream_t stream, int* result) {
  int* on_device = nullptr;
  if (const cudaError_t error = cudaMalloc(&on_device, sizeof(int))) return error;
  sum<<<1, 64, 0, stream>>>(values, count, on_device);
  if (const cudaError_t error = cudaMemcpyAsync(result, on_device, sizeof(int), cudaMemcpyDefault, stream)) return error;
  if (const cudaError_t error = cudaStreamSynchronize(stream)) return error;
  return cudaFree(on_device);
}

extern "C" int race(int* value) {
  write_together<<<1, 64>>>(value);
  return cudaDeviceSynchronize();
}
extern "C" int race_of_variable() {
  write_variable<<<1, 64>>>();
  return cudaDeviceSynchronize();
}
