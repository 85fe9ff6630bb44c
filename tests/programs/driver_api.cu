// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface without modules, in the style of a sample that queries devices and one of streams and events:
// initialisation, contexts and their errors, memory, copies, fills, streams, events, launches by handle, entry points.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

static int failures = 0;
#define EXPECT(condition)                                                       \
  do {                                                                          \
    if (!(condition)) {                                                         \
      std::printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                               \
    }                                                                           \
  } while (0)
#define CHECK(call) EXPECT((call) == CUDA_SUCCESS)

__global__ void scale(float* values, int count, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= by;
}

void before_initialisation() {
  CUdeviceptr memory = 0;
  int count = 0;
  EXPECT(cuMemAlloc(&memory, 16) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuInit(0));
  EXPECT(cuMemAlloc(&memory, 16) == CUDA_ERROR_INVALID_CONTEXT);
}

void devices() {
  int version = 0, count = 0, threads = 0, major = 0, minor = 0;
  CHECK(cuDriverGetVersion(&version));
  EXPECT(version == CUDA_VERSION);
  CHECK(cuDeviceGetCount(&count));
  EXPECT(count >= 1);
  CUdevice device = -1;
  CHECK(cuDeviceGet(&device, 0));
  EXPECT(cuDeviceGet(&device, count) == CUDA_ERROR_INVALID_DEVICE);
  char name[8];
  CHECK(cuDeviceGetName(name, sizeof name, device));
  EXPECT(std::strlen(name) == 7 && std::strncmp(name, "NVIDIA ", 7) == 0);
  size_t bytes = 0;
  CHECK(cuDeviceTotalMem(&bytes, device));
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  EXPECT(bytes == properties.totalGlobalMem);
  CHECK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  EXPECT(threads == 1024 && major == properties.major && minor == properties.minor);
  const char* text = nullptr;
  CHECK(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text));
  EXPECT(std::strcmp(text, "CUDA_ERROR_INVALID_CONTEXT") == 0);
  CHECK(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  EXPECT(std::strcmp(text, "invalid argument") == 0);
  EXPECT(cuGetErrorName(static_cast<CUresult>(9), &text) == CUDA_ERROR_INVALID_VALUE && text == nullptr);
}

void contexts() {
  CUcontext primary = nullptr, own = nullptr, found = nullptr;
  unsigned flags = 1;
  int active = 1;
  CHECK(cuCtxSetCurrent(nullptr));
  CHECK(cuCtxGetCurrent(&found));
  EXPECT(found == nullptr);
  CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(flags == 0 && active == 1);
  CHECK(cuCtxCreate(&own, nullptr, CU_CTX_SCHED_AUTO, 0));
  CHECK(cuCtxGetCurrent(&found));
  EXPECT(found == own && own != primary);
  CHECK(cuCtxPushCurrent(primary));
  CHECK(cuCtxPopCurrent(&found));
  EXPECT(found == primary);
  CHECK(cuCtxDestroy(own));
  EXPECT(cuCtxSetCurrent(own) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxPopCurrent(&found) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxSetCurrent(primary));
  CUdevice device = -1;
  CHECK(cuCtxGetDevice(&device));
  EXPECT(device == 0);
  EXPECT(cudaPeekAtLastError() == cudaSuccess);
}

void memory() {
  constexpr int kCount = 1000;
  std::vector<unsigned> host(kCount);
  CUdeviceptr a = 0, b = 0, base = 0, managed = 0;
  size_t bytes = 0;
  EXPECT(cuMemAlloc(&a, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAlloc(&a, kCount * 4));
  CHECK(cuMemAlloc(&b, kCount * 4));
  CHECK(cuMemGetAddressRange(&base, &bytes, a + 40));
  EXPECT(base == a && bytes == kCount * 4);
  CHECK(cuMemsetD32(a, 0x01020304, kCount));
  CHECK(cuMemsetD16(a + 8, 0x0506, 3));
  CHECK(cuMemsetD8(a + 16, 7, 1));
  EXPECT(cuMemsetD32(a + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyDtoD(b, a, kCount * 4));
  CHECK(cuMemcpyDtoH(host.data(), b, kCount * 4));
  EXPECT(host[0] == 0x01020304 && host[2] == 0x05060506 && host[3] == 0x01020506 && host[4] == 0x01020307);
  EXPECT(cuMemcpyHtoD(a, host.data(), kCount * 4 + 1) == CUDA_ERROR_INVALID_VALUE);

  CUDA_MEMCPY2D rows{};
  unsigned block[4] = {};
  rows.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  rows.srcDevice = a;
  rows.srcPitch = 16;
  rows.srcXInBytes = 8;
  rows.dstMemoryType = CU_MEMORYTYPE_HOST;
  rows.dstHost = block;
  rows.dstPitch = rows.WidthInBytes = 8;
  rows.Height = 2;
  CHECK(cuMemcpy2D(&rows));
  EXPECT(block[0] == host[2] && block[1] == host[3] && block[2] == host[6] && block[3] == host[7]);

  CHECK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  CUmemorytype type{};
  unsigned is_managed = 0;
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, managed));
  CHECK(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  EXPECT(type == CU_MEMORYTYPE_DEVICE && is_managed == 1);
  const auto of_host = reinterpret_cast<CUdeviceptr>(host.data());
  EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, of_host) == CUDA_ERROR_INVALID_VALUE);
  int ordinal = 0;
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* answers[] = {&type, &ordinal};
  CHECK(cuPointerGetAttributes(2, which, answers, of_host));
  EXPECT(type == 0 && ordinal == CU_DEVICE_INVALID);
  CHECK(cuMemFree(managed));
  CHECK(cuMemFree(a));
  CHECK(cuMemFree(b));
  EXPECT(cuMemFree(b) == CUDA_ERROR_INVALID_VALUE);
}

void note(void* data) {
  *static_cast<int*>(data) += 1;
}
void note_status(CUstream, CUresult status, void* data) {
  if (status == CUDA_SUCCESS) note(data);
}

/// By an array of pointers the first time, by a buffer the second.
void launch_twice(CUdeviceptr values, int count, CUstream stream) {
  cudaFunction_t function = nullptr;
  EXPECT(cudaGetFuncBySymbol(&function, scale) == cudaSuccess);
  int threads = 0;
  CHECK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  EXPECT(threads == 1024);
  float by = 2;
  void* arguments[] = {&values, &count, &by};
  CHECK(cuLaunchKernel(function, 4, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr));
  struct {
    CUdeviceptr values;
    int count;
    float by;
  } packed = {values, count, 0.5f};
  size_t bytes = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  CUlaunchConfig config{};
  config.gridDimX = 1;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 100;
  config.hStream = stream;
  CHECK(cuLaunchKernelEx(&config, function, nullptr, extra));
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, stream, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

void streams_and_launches() {
  constexpr int kCount = 500;
  float* host = nullptr;
  CUdeviceptr values = 0;
  CUstream stream = nullptr;
  CUevent start = nullptr, end = nullptr;
  CUcontext of_stream = nullptr, current = nullptr;
  CUgreenCtx green = nullptr;
  CHECK(cuMemAllocHost(reinterpret_cast<void**>(&host), kCount * sizeof(float)));
  for (int i = 0; i < kCount; ++i) host[i] = float(i);
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamGetCtx_v2(stream, &of_stream, &green));
  CHECK(cuCtxGetCurrent(&current));
  EXPECT(of_stream == current && green == nullptr);
  CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CHECK(cuMemAllocAsync(&values, kCount * sizeof(float), stream));
  CHECK(cuEventRecord(start, stream));
  CHECK(cuMemcpyHtoDAsync(values, host, kCount * sizeof(float), stream));

  launch_twice(values, kCount, stream);

  int notes = 0;
  CHECK(cuMemcpyDtoHAsync(host, values, kCount * sizeof(float), stream));
  CHECK(cuLaunchHostFunc(stream, note, &notes));
  CHECK(cuStreamAddCallback(stream, note_status, &notes, 0));
  CHECK(cuEventRecord(end, stream));
  CHECK(cuMemFreeAsync(values, stream));
  CHECK(cuEventSynchronize(end));
  CHECK(cuStreamSynchronize(stream));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, start, end));
  EXPECT(milliseconds >= 0 && notes == 2);
  for (int i = 0; i < kCount; ++i) EXPECT(host[i] == (i < 100 ? i : 2 * i));
  CHECK(cuEventDestroy(start));
  CHECK(cuEventDestroy(end));
  CHECK(cuStreamDestroy(stream));
  EXPECT(cuStreamQuery(stream) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuMemFreeHost(host));
}

void entry_points() {
  void* address = nullptr;
  CUdriverProcAddressQueryResult status{};
  CHECK(cuGetProcAddress("cuMemAlloc", &address, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  EXPECT(address == reinterpret_cast<void*>(&cuMemAlloc) && status == CU_GET_PROC_ADDRESS_SUCCESS);
  CHECK(cuGetProcAddress("cuStreamGetCtx", &address, 12050, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  EXPECT(address == reinterpret_cast<void*>(&cuStreamGetCtx_v2));
  CHECK(cuGetProcAddress("cuGreenCtxCreate", &address, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  EXPECT(address == nullptr && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK(cuGetProcAddress("cuNothing", &address, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  EXPECT(address == nullptr && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT(cuGetProcAddress("cuInit", &address, 99000, 0, nullptr) == CUDA_ERROR_INVALID_VALUE);
  cudaDriverEntryPointQueryResult result{};
  EXPECT(cudaGetDriverEntryPointByVersion("cuDeviceGetCount", &address, 12000, cudaEnableDefault, &result) ==
         cudaSuccess);
  EXPECT(result == cudaDriverEntryPointSuccess);
  int count = 0;
  CHECK(reinterpret_cast<PFN_cuDeviceGetCount_v2000>(address)(&count));
  EXPECT(count >= 1);
}

void what_is_not_modelled() {
  CUmodule module = nullptr;
  EXPECT(cuModuleLoadData(&module, "image") == CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(cudaGetLastError() == cudaSuccess);
}

int main() {
  before_initialisation();
  devices();
  contexts();
  memory();
  streams_and_launches();
  entry_points();
  what_is_not_modelled();
  std::printf(failures == 0 ? "PASS\n" : "FAIL\n");
  return failures;
}
