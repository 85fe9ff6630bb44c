// SPDX-License-Identifier: Apache-2.0
// Kernels move values that nobody has written to other global memory; the first argument says what becomes of them.
#include <cstdio>
#include <cstring>

constexpr int kThreads = 64;

template <class T>
__global__ void copy(const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void add_one(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
}
// What is stored is what was loaded, and yet it was looked at.
__global__ void clip(const int* in, int* out) {
  out[threadIdx.x] = max(in[threadIdx.x], 0);
}
__global__ void clip(const float* in, float* out) {
  out[threadIdx.x] = fmaxf(in[threadIdx.x], 0);
}
__global__ void choose(const int* in, int* out) {
  if (in[threadIdx.x] > 0) out[threadIdx.x] = in[threadIdx.x];
}
__global__ void scatter(const int* in, int* out) {
  out[in[threadIdx.x] & 63] = in[threadIdx.x];
}
__global__ void copy_and_add(const int* in, int* out, int* sum) {
  const int value = in[threadIdx.x];
  out[threadIdx.x] = value;
  sum[threadIdx.x] = value * 2;
}
__global__ void copy_then_use(const int* in, int* out, int* sum) {
  out[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  sum[threadIdx.x] = out[63 - threadIdx.x] + 1;
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* what) { return argc > 1 && std::strcmp(argv[1], what) == 0; };
  constexpr size_t kBytes = kThreads * sizeof(int);
  static int host[kThreads];
  int *in, *out, *other;
  cudaMalloc(&in, kBytes);
  cudaMalloc(&out, kBytes);
  cudaMalloc(&other, kBytes);
  if (asked("to-managed")) cudaMallocManaged(&out, kBytes);
  cudaMemset(in, 0, kBytes - 16 * sizeof(int));
  if (asked("onto-zeros")) cudaMemset(out, 0, kBytes);
  if (asked("clip")) {
    clip<<<1, kThreads>>>(in, out);
  } else if (asked("clip-float")) {
    clip<<<1, kThreads>>>(reinterpret_cast<float*>(in), reinterpret_cast<float*>(out));
  } else if (asked("choose")) {
    choose<<<1, kThreads>>>(in, out);
  } else if (asked("scatter")) {
    scatter<<<1, kThreads>>>(in, out);
  } else if (asked("add-too")) {
    copy_and_add<<<1, kThreads>>>(in, out, other);
  } else if (asked("use-in-kernel")) {
    copy_then_use<<<1, kThreads>>>(in, out, other);
  } else if (asked("float4")) {
    copy<<<1, kThreads / 4>>>(reinterpret_cast<float4*>(in), reinterpret_cast<float4*>(out));
  } else if (asked("float")) {
    copy<<<1, kThreads>>>(reinterpret_cast<float*>(in), reinterpret_cast<float*>(out));
  } else if (asked("double")) {
    copy<<<1, kThreads / 2>>>(reinterpret_cast<double*>(in), reinterpret_cast<double*>(out));
  } else {
    copy<<<1, kThreads>>>(in, out);
  }
  if (asked("twice") || asked("onto-zeros")) copy<<<1, kThreads>>>(out, other);
  if (asked("use")) add_one<<<1, kThreads>>>(out, other);
  if (asked("onto-zeros")) add_one<<<1, kThreads>>>(other, in);
  if (asked("copied-on")) cudaMemcpy(other, out, kBytes, cudaMemcpyDeviceToDevice);
  if (asked("overwritten")) cudaMemset(out, 0, kBytes);
  if (asked("to-host") || asked("overwritten")) cudaMemcpy(host, out, kBytes, cudaMemcpyDeviceToHost);
  if (asked("twice") || asked("copied-on")) cudaMemcpy(host, other, kBytes, cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", host[0], cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
  cudaFree(other);
}
