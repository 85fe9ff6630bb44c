// SPDX-License-Identifier: Apache-2.0
//
// Buffers whose type no text beside the copy tells, because it is a template's, a member's or hidden by a macro; the
// compiler knows it. WRONG in the environment names the ways in which the last bit of one element is wrong.
#include <cuda_fp16.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Point {
  float x, y, z;
};
struct Mixed {
  float x;
  int y;
};

constexpr int kWords = 32;
__device__ float of_the_device[kWords];

__global__ void fill(unsigned* to, unsigned word, bool wrong) {
  to[threadIdx.x] = word + (wrong && threadIdx.x == 8);
}

static bool is_wrong(const char* way) {
  const char* wrong = std::getenv("WRONG");
  return wrong != nullptr && std::strstr(wrong, way) != nullptr;
}

constexpr unsigned kOne = 0x3f800000;   // 1.0f
constexpr unsigned kOnes = 0x3c003c00;  // two of __half
constexpr unsigned kNumber = 0x00000007;

#define DOWNLOAD(to, from, bytes) cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost)

template <class T>
struct Array {
  T* device = nullptr;
  std::vector<T> host;

  Array() : host(kWords * sizeof(unsigned) / sizeof(T)) { cudaMalloc((void**)&device, kWords * sizeof(unsigned)); }
  ~Array() { cudaFree(device); }

  void bring_back(const char* way, unsigned word) {
    fill<<<1, kWords>>>((unsigned*)device, word, is_wrong(way));
    DOWNLOAD(host.data(), device, host.size() * sizeof(T));
  }
};

/// By parameters that are members of a structure, from memory and from an array, whose own format is known.
static void bring_back_boxes() {
  float* device = nullptr;
  cudaMalloc(&device, 4 * kWords);
  fill<<<1, kWords>>>((unsigned*)device, kOne, is_wrong("box"));
  std::vector<float> host(kWords);
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(static_cast<void*>(device), 32, 8, 4);
  box.dstPtr = make_cudaPitchedPtr(host.data(), 32, 8, 4);
  box.extent = make_cudaExtent(8 * sizeof(float), 4, 1);
  box.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&box);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 8, 4);
  fill<<<1, kWords>>>((unsigned*)device, kOne, is_wrong("array"));
  cudaMemcpy2DToArray(array, 0, 0, device, 32, 32, 4, cudaMemcpyDeviceToDevice);
  void* bytes = host.data();
  cudaMemcpy2DFromArray(bytes, 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost);
}

int main() {
  Array<float>().bring_back("float", kOne);
  Array<int>().bring_back("number", kNumber);
  Array<__half>().bring_back("half", kOnes);
  Array<float4>().bring_back("vector", kOne);
  Array<Point> points;
  points.host.resize(10);
  points.bring_back("point", kOne);
  Array<std::complex<float>>().bring_back("complex", kOne);
  Array<Mixed>().bring_back("mixed", kOne);
  Array<float> bytes;
  fill<<<1, kWords>>>((unsigned*)bytes.device, kOne, is_wrong("bytes"));
  cudaMemcpyAsync((char*)bytes.host.data(), bytes.device, 4 * kWords, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  void* symbol = nullptr;
  cudaGetSymbolAddress(&symbol, of_the_device);
  fill<<<1, kWords>>>((unsigned*)symbol, kOne, is_wrong("symbol"));
  cudaMemcpyFromSymbol((void*)bytes.host.data(), of_the_device, sizeof of_the_device);
  bring_back_boxes();
  auto managed = static_cast<Point*>(nullptr);
  cudaMallocManaged(&managed, 4 * kWords);
  fill<<<1, kWords>>>((unsigned*)managed, kOne, is_wrong("managed"));
  cudaDeviceSynchronize();
  cudaFree(managed);
}
