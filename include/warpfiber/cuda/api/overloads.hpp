// SPDX-License-Identifier: Apache-2.0
// The C++ overloads of CUDA's runtime: pointers of any type where C takes void**, variables where C takes their
// address, kernels where C takes untyped pointers, and arguments left out. What each does is what the function of the
// same name in C does; included by cuda_runtime.h.
#pragma once

#include <warpfiber/cuda/api/runtime.h>
#include <warpfiber/cuda/api/occupancy_overloads.hpp>
#include <warpfiber/cuda/api/older_graph_forms.hpp>
#include <warpfiber/cuda/api/typed_copies.hpp>
#include <warpfiber/detail/config.hpp>

#include <utility>

namespace warpfiber::detail {
void checked_dependencies_met();  // detail/checked.hpp, which older dialects of C++ do not compile
}

namespace warpfiber::cuda::detail {

template <class T>
void** untyped(T** pointer) {
  // By way of void*: what T points to may be const.
  return static_cast<void**>(static_cast<void*>(pointer));
}

/// The address that names a variable of a device, whatever its type's own operator& does.
template <class T>
const void* symbol_of(const T& variable) {
  return const_cast<const void*>(static_cast<const volatile void*>(__builtin_addressof(variable)));
}

}  // namespace warpfiber::cuda::detail

/// How libraries synchronise in a kernel since CUDA 11.6. There it is refused, as cudaDeviceSynchronize() is.
inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance() {
  return ::cudaDeviceSynchronize();
}

// What nvcc makes of a launch in a kernel, and libraries write themselves (CUDA C++ Programming Guide, "Dynamic
// Parallelism", "Launching Device Kernels from PTX"). Launches in kernels are not modelled: cudaErrorNotSupported, with
// a line that says so.
inline cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block, unsigned shared,
                                    cudaStream_t stream) {
  return ::cudaLaunchKernel(kernel, grid, block, &parameters, shared, stream);
}
inline cudaError_t cudaLaunchDeviceV2(void* parameters, cudaStream_t stream) {
  return ::cudaLaunchKernel(parameters, dim3(), dim3(), &parameters, 0, stream);
}
/// Null: there is no memory for the arguments of a launch that is not supported.
inline void* cudaGetParameterBuffer(size_t /*alignment*/, size_t /*bytes*/) {
  return nullptr;
}
inline void* cudaGetParameterBufferV2(void* /*kernel*/, dim3 /*grid*/, dim3 /*block*/, unsigned /*shared*/) {
  return nullptr;
}

// Programmatic dependent launches (CUDA C++ Programming Guide, "Programmatic Dependent Launch"): a kernel starts when
// those before it in its stream have ended, whatever its attributes allow, so there is nothing to wait for. The checker
// orders it behind them from the wait on.
inline void cudaGridDependencySynchronize() {
  if (warpfiber::detail::kHasHooks) warpfiber::detail::checked_dependencies_met();
}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

// Allocation. Inlined in every build: an allocation is identified by what its call returns to, which is in the user's
// function.
#define WARPFIBER_ALLOCATES inline __attribute__((always_inline))

template <class T>
WARPFIBER_ALLOCATES cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc(warpfiber::cuda::detail::untyped(pointer), bytes);
}
WARPFIBER_ALLOCATES cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned flags) {
  return ::cudaHostAlloc(pointer, bytes, flags);
}
template <class T>
WARPFIBER_ALLOCATES cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned flags = 0) {
  return ::cudaHostAlloc(warpfiber::cuda::detail::untyped(pointer), bytes, flags);
}
template <class T>
WARPFIBER_ALLOCATES cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
  return ::cudaHostAlloc(warpfiber::cuda::detail::untyped(pointer), bytes, flags);
}
template <class T>
WARPFIBER_ALLOCATES cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return ::cudaHostGetDevicePointer(warpfiber::cuda::detail::untyped(device), host, flags);
}
template <class T>
WARPFIBER_ALLOCATES cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  [[maybe_unused]] const warpfiber::cuda::detail::Elements<T> elements;
  return ::cudaMallocManaged(warpfiber::cuda::detail::untyped(pointer), bytes, flags);
}
template <class T>
WARPFIBER_ALLOCATES cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(warpfiber::cuda::detail::untyped(pointer), pitch, width, height);
}
template <class T>
WARPFIBER_ALLOCATES cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync(warpfiber::cuda::detail::untyped(pointer), bytes, stream);
}
WARPFIBER_ALLOCATES cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}
template <class T>
WARPFIBER_ALLOCATES cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(warpfiber::cuda::detail::untyped(pointer), bytes, pool, stream);
}
template <class T>
WARPFIBER_ALLOCATES cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                                        cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(warpfiber::cuda::detail::untyped(pointer), bytes, pool, stream);
}
#undef WARPFIBER_ALLOCATES

// Managed memory. Those that take a device's number are CUDA 12's.

inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream = nullptr) {
  const cudaMemLocationType type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  cudaMemLocation location{};
  location.type = type;
  location.id = device < 0 ? 0 : device;
  return ::cudaMemPrefetchAsync(pointer, bytes, location, 0, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  cudaMemLocation location{};
  location.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device < 0 ? 0 : device;
  return ::cudaMemAdvise(pointer, bytes, advice, location);
}
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t bytes = 0,
                                            unsigned flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), bytes, flags);
}
template <class T>
inline cudaError_t cudaMemPrefetchBatchAsync(T** pointers, size_t* sizes, size_t count, cudaMemLocation* locations,
                                             size_t* location_of, size_t location_count, unsigned long long flags,
                                             cudaStream_t stream) {
  return ::cudaMemPrefetchBatchAsync(warpfiber::cuda::detail::untyped(pointers), sizes, count, locations, location_of,
                                     location_count, flags, stream);
}
template <class T>
inline cudaError_t cudaMemPrefetchBatchAsync(T** pointers, size_t* sizes, size_t count, cudaMemLocation location,
                                             unsigned long long flags, cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemPrefetchBatchAsync(warpfiber::cuda::detail::untyped(pointers), sizes, count, &location, &first, 1,
                                     flags, stream);
}
template <class T>
inline cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T** pointers, size_t* sizes, size_t count,
                                                       cudaMemLocation* locations, size_t* location_of,
                                                       size_t location_count, unsigned long long flags,
                                                       cudaStream_t stream) {
  return ::cudaMemDiscardAndPrefetchBatchAsync(warpfiber::cuda::detail::untyped(pointers), sizes, count, locations,
                                               location_of, location_count, flags, stream);
}
template <class T>
inline cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T** pointers, size_t* sizes, size_t count,
                                                       cudaMemLocation location, unsigned long long flags,
                                                       cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemDiscardAndPrefetchBatchAsync(warpfiber::cuda::detail::untyped(pointers), sizes, count, &location,
                                               &first, 1, flags, stream);
}
template <class T, class Source>
inline cudaError_t cudaMemcpyBatchAsync(T* const* to, Source* const* from, const size_t* sizes, size_t count,
                                        cudaMemcpyAttributes* attributes, size_t* attributes_of, size_t attribute_count,
                                        cudaStream_t stream) {
  return ::cudaMemcpyBatchAsync((void* const*)to, (const void* const*)from, sizes, count, attributes, attributes_of,
                                attribute_count, stream);
}
template <class T, class Source>
inline cudaError_t cudaMemcpyBatchAsync(T* const* to, Source* const* from, const size_t* sizes, size_t count,
                                        cudaMemcpyAttributes attributes, cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemcpyBatchAsync((void* const*)to, (const void* const*)from, sizes, count, &attributes, &first, 1,
                                stream);
}

// Variables of the device.

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(warpfiber::cuda::detail::symbol_of(symbol), from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = nullptr) {
  return ::cudaMemcpyToSymbolAsync(warpfiber::cuda::detail::symbol_of(symbol), from, bytes, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  [[maybe_unused]] const warpfiber::cuda::detail::Elements<T> elements;
  return ::cudaMemcpyFromSymbol(to, warpfiber::cuda::detail::symbol_of(symbol), bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = nullptr) {
  [[maybe_unused]] const warpfiber::cuda::detail::Elements<T> elements;
  return ::cudaMemcpyFromSymbolAsync(to, warpfiber::cuda::detail::symbol_of(symbol), bytes, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  return ::cudaGetSymbolAddress(address, warpfiber::cuda::detail::symbol_of(symbol));
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return ::cudaGetSymbolSize(bytes, warpfiber::cuda::detail::symbol_of(symbol));
}

// Kernels and launches.

template <class T>
inline cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                    cudaStream_t stream = nullptr) {
  return ::cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                               cudaStream_t stream = nullptr) {
  return ::cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared, stream);
}
/// Arguments become the kernel's parameter types before their addresses are taken.
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                      Arguments&&... arguments) {
  return [&](Parameters... converted) {
    void* pointers[] = {(void*)__builtin_addressof(converted)..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void*)kernel, pointers);
  }(std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, cudaKernel_t kernel, Arguments&&... arguments) {
  void* pointers[] = {(void*)__builtin_addressof(arguments)..., nullptr};
  return ::cudaLaunchKernelExC(config, (const void*)kernel, pointers);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, (const void*)kernel);
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void*)kernel, config);
}
template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void*)kernel, config);
}
template <class T>
inline cudaError_t cudaFuncGetName(const char** name, T* kernel) {
  return ::cudaFuncGetName(name, (const void*)kernel);
}
template <class T>
inline cudaError_t cudaGetKernel(cudaKernel_t* handle, T* kernel) {
  return ::cudaGetKernel(handle, (const void*)kernel);
}
template <class T>
inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, T* kernel) {
  return ::cudaGetFuncBySymbol(handle, (const void*)kernel);
}

// Graphs.

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t*, char*,
                                        size_t) {
  return ::cudaGraphInstantiate(executable, graph, 0);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* failed,
                                       cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = ::cudaGraphExecUpdate(executable, graph, &info);
  if (failed != nullptr) *failed = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* before, size_t count, const T& symbol,
                                                  const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, before, count, warpfiber::cuda::detail::symbol_of(symbol), from,
                                          bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* before, size_t count, void* to,
                                                    const T& symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, before, count, to, warpfiber::cuda::detail::symbol_of(symbol),
                                            bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol, const void* from,
                                                        size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, warpfiber::cuda::detail::symbol_of(symbol), from, bytes, offset,
                                                kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const T& symbol, size_t bytes,
                                                          size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, to, warpfiber::cuda::detail::symbol_of(symbol), bytes, offset,
                                                  kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                            const T& symbol, const void* from, size_t bytes,
                                                            size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, node, warpfiber::cuda::detail::symbol_of(symbol), from,
                                                    bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                              void* to, const T& symbol, size_t bytes, size_t offset,
                                                              cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, node, to, warpfiber::cuda::detail::symbol_of(symbol),
                                                      bytes, offset, kind);
}

// The rest.

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
template <class T>
inline cudaError_t cudaUserObjectCreate(cudaUserObject_t* handle, T* object, unsigned references, unsigned flags) {
  return ::cudaUserObjectCreate(
      handle, object, [](void* pointer) { delete static_cast<T*>(pointer); }, references, flags);
}
template <class T>
inline cudaError_t cudaLibraryGetGlobal(T** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return ::cudaLibraryGetGlobal(warpfiber::cuda::detail::untyped(address), bytes, library, name);
}
template <class T>
inline cudaError_t cudaLibraryGetManaged(T** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return ::cudaLibraryGetManaged(warpfiber::cuda::detail::untyped(address), bytes, library, name);
}
template <class T>
inline cudaError_t cudaLibraryGetUnifiedFunction(T** function, cudaLibrary_t library, const char* symbol) {
  return ::cudaLibraryGetUnifiedFunction(warpfiber::cuda::detail::untyped(function), library, symbol);
}
