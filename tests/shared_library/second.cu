// SPDX-License-Identifier: Apache-2.0
// A library with kernels that read the memory of another, some whose threads race, and one that calls what only host code
// can: a virtual function of an object that host code has constructed.
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

struct Shape {
  __host__ __device__ virtual int area() const { return 1; }
};

__global__ void measure(const Shape* shape, int* area) {
  *area = shape->area();
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
extern "C" int* place_of_variable() {
  int* place = nullptr;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&place), of_library);
  return place;
}
extern "C" int race_of_variable() {
  write_variable<<<1, 64>>>();
  return cudaDeviceSynchronize();
}

extern "C" int call_of_host_object(int* area) {
  const Shape shape;
  Shape* on_device = nullptr;
  if (const cudaError_t error = cudaMalloc(&on_device, sizeof(Shape))) return error;
  if (const cudaError_t error = cudaMemcpy(on_device, &shape, sizeof(Shape), cudaMemcpyHostToDevice)) return error;
  measure<<<1, 1>>>(on_device, area);
  return cudaDeviceSynchronize();
}
