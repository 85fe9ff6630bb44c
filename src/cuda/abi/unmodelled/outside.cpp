// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA's runtime that are not modelled: what comes from outside the program. They can be linked, return
// cudaErrorNotSupported, and say so once.
#include <warpfiber/cuda/api/runtime.h>

#include "abi/unmodelled/not_modelled.hpp"

extern "C" {

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
  return not_modelled(__func__);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
  return not_modelled(__func__);
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) {
  return not_modelled(__func__);
}
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaIpcCloseMemHandle(void*) {
  return not_modelled(__func__);
}
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget, cudaFlushGPUDirectRDMAWritesScope) {
  return not_modelled(__func__);
}
cudaError_t cudaDeviceRegisterAsyncNotification(int, cudaAsyncCallback, void*, cudaAsyncCallbackHandle_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaDeviceUnregisterAsyncNotification(int, cudaAsyncCallbackHandle_t) {
  return not_modelled(__func__);
}
cudaError_t cudaDeviceGetNvSciSyncAttributes(void*, int, int) {
  return not_modelled(__func__);
}
cudaError_t cudaImportExternalMemory(cudaExternalMemory_t*, const cudaExternalMemoryHandleDesc*) {
  return not_modelled(__func__);
}
cudaError_t cudaExternalMemoryGetMappedBuffer(void**, cudaExternalMemory_t, const cudaExternalMemoryBufferDesc*) {
  return not_modelled(__func__);
}
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t*, cudaExternalMemory_t,
                                                      const cudaExternalMemoryMipmappedArrayDesc*) {
  return not_modelled(__func__);
}
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t) {
  return not_modelled(__func__);
}
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t*, const cudaExternalSemaphoreHandleDesc*) {
  return not_modelled(__func__);
}
cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t*, const cudaExternalSemaphoreSignalParams*,
                                              unsigned int, cudaStream_t) {
  return not_modelled(__func__);
}
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t*, const cudaExternalSemaphoreWaitParams*,
                                            unsigned int, cudaStream_t) {
  return not_modelled(__func__);
}
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t*, cudaGraphicsResource_t) {
  return not_modelled(__func__);
}
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t, void*, cudaLogsCallbackHandle*) {
  return not_modelled(__func__);
}
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle) {
  return not_modelled(__func__);
}
cudaError_t cudaLogsCurrent(cudaLogIterator*, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaLogsDumpToFile(cudaLogIterator*, const char*, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaLogsDumpToMemory(cudaLogIterator*, char*, size_t*, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaLibraryLoadData(cudaLibrary_t*, const void*, cudaJitOption*, void**, unsigned int, cudaLibraryOption*,
                                void**, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t*, const char*, cudaJitOption*, void**, unsigned int,
                                    cudaLibraryOption*, void**, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaLibraryUnload(cudaLibrary_t) {
  return not_modelled(__func__);
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t*, cudaLibrary_t, const char*) {
  return not_modelled(__func__);
}
cudaError_t cudaLibraryGetGlobal(void**, size_t*, cudaLibrary_t, const char*) {
  return not_modelled(__func__);
}
cudaError_t cudaLibraryGetManaged(void**, size_t*, cudaLibrary_t, const char*) {
  return not_modelled(__func__);
}
cudaError_t cudaLibraryGetUnifiedFunction(void**, cudaLibrary_t, const char*) {
  return not_modelled(__func__);
}
cudaError_t cudaLibraryGetKernelCount(unsigned int*, cudaLibrary_t) {
  return not_modelled(__func__);
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t*, unsigned int, cudaLibrary_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGetExportTable(const void**, const cudaUUID_t*) {
  return not_modelled(__func__);
}

}  // extern "C"
