// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA's runtime that are not modelled: pools, batches of copies, and rarer questions about memory and
// textures. They can be linked, return cudaErrorNotSupported, and say so once.
#include <warpfiber/cuda/api/runtime.h>

#include "abi/unmodelled/not_modelled.hpp"

extern "C" {

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t*, const cudaChannelFormatDesc*, int) {
  return not_modelled(__func__);
}
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int*, const cudaAtomicOperation*, unsigned int, int) {
  return not_modelled(__func__);
}
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int*, const cudaAtomicOperation*, unsigned int, int, int) {
  return not_modelled(__func__);
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, const cudaChannelFormatDesc*, cudaExtent, unsigned int,
                                     unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t*, cudaMipmappedArray_const_t, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaArray_t, int) {
  return not_modelled(__func__);
}
cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaMipmappedArray_t, int) {
  return not_modelled(__func__);
}
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties*, cudaArray_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties*, cudaMipmappedArray_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMemcpyBatchAsync(void* const*, const void* const*, const size_t*, size_t, cudaMemcpyAttributes*,
                                 size_t*, size_t, cudaStream_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMemcpy3DBatchAsync(size_t, cudaMemcpy3DBatchOp*, unsigned long long, cudaStream_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMemPrefetchBatchAsync(void**, size_t*, size_t, cudaMemLocation*, size_t*, size_t, unsigned long long,
                                      cudaStream_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMemDiscardBatchAsync(void**, size_t*, size_t, unsigned long long, cudaStream_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void**, size_t*, size_t, cudaMemLocation*, size_t*, size_t,
                                                unsigned long long, cudaStream_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMemRangeGetAttribute(void*, size_t, cudaMemRangeAttribute, const void*, size_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMemRangeGetAttributes(void**, size_t*, cudaMemRangeAttribute*, size_t, const void*, size_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t*, cudaMemLocation*, cudaMemAllocationType) {
  return not_modelled(__func__);
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t*, cudaMemLocation*, cudaMemAllocationType) {
  return not_modelled(__func__);
}
cudaError_t cudaMemSetMemPool(cudaMemLocation*, cudaMemAllocationType, cudaMemPool_t) {
  return not_modelled(__func__);
}
cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t, cudaMemAllocationHandleType, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t*, void*, cudaMemAllocationHandleType, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData*, void*) {
  return not_modelled(__func__);
}
cudaError_t cudaMemPoolImportPointer(void**, cudaMemPool_t, cudaMemPoolPtrExportData*) {
  return not_modelled(__func__);
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc*, cudaTextureObject_t) {
  return not_modelled(__func__);
}

}  // extern "C"
