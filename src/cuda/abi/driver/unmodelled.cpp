// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA's driver interface that are not modelled: what needs images of kernels, green contexts, graphs of
// kernels, tensor maps and virtual memory. They can be linked, return CUDA_ERROR_NOT_SUPPORTED, and say so once.
#include <warpfiber/cuda/driver/graphics.h>
#include <warpfiber/cuda/driver/resources.h>
#include <warpfiber/cuda/driver/unmodelled.h>

#include "abi/driver/driver_call.hpp"

namespace {

CUresult not_modelled(const char* function, const void* returns_to = __builtin_return_address(0)) {
  return warpfiber::abi::driver_call_always(
      function, [function] { return warpfiber::runtime::unmodelled(function); }, returns_to);
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule*, const char*) {
  return not_modelled("cuModuleLoad");
}
CUresult cuModuleLoadData(CUmodule*, const void*) {
  return not_modelled("cuModuleLoadData");
}
CUresult cuModuleLoadDataEx(CUmodule*, const void*, unsigned int, CUjit_option*, void**) {
  return not_modelled("cuModuleLoadDataEx");
}
CUresult cuModuleLoadFatBinary(CUmodule*, const void*) {
  return not_modelled("cuModuleLoadFatBinary");
}
CUresult cuModuleUnload(CUmodule) {
  return not_modelled("cuModuleUnload");
}
CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*) {
  return not_modelled("cuModuleGetFunction");
}
CUresult cuModuleGetGlobal(CUdeviceptr*, size_t*, CUmodule, const char*) {
  return not_modelled("cuModuleGetGlobal");
}
CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState*) {
  return not_modelled("cuLinkCreate");
}
CUresult cuLinkAddData(CUlinkState, CUjitInputType, void*, size_t, const char*, unsigned int, CUjit_option*, void**) {
  return not_modelled("cuLinkAddData");
}
CUresult cuLinkAddFile(CUlinkState, CUjitInputType, const char*, unsigned int, CUjit_option*, void**) {
  return not_modelled("cuLinkAddFile");
}
CUresult cuLinkComplete(CUlinkState, void**, size_t*) {
  return not_modelled("cuLinkComplete");
}
CUresult cuLinkDestroy(CUlinkState) {
  return not_modelled("cuLinkDestroy");
}
CUresult cuLibraryLoadData(CUlibrary*, const void*, CUjit_option*, void**, unsigned int, CUlibraryOption*, void**,
                           unsigned int) {
  return not_modelled("cuLibraryLoadData");
}
CUresult cuLibraryLoadFromFile(CUlibrary*, const char*, CUjit_option*, void**, unsigned int, CUlibraryOption*, void**,
                               unsigned int) {
  return not_modelled("cuLibraryLoadFromFile");
}
CUresult cuLibraryUnload(CUlibrary) {
  return not_modelled("cuLibraryUnload");
}
CUresult cuLibraryGetKernel(CUkernel*, CUlibrary, const char*) {
  return not_modelled("cuLibraryGetKernel");
}
CUresult cuLibraryGetGlobal(CUdeviceptr*, size_t*, CUlibrary, const char*) {
  return not_modelled("cuLibraryGetGlobal");
}
CUresult cuLibraryGetManaged(CUdeviceptr*, size_t*, CUlibrary, const char*) {
  return not_modelled("cuLibraryGetManaged");
}
CUresult cuKernelGetLibrary(CUlibrary*, CUkernel) {
  return not_modelled("cuKernelGetLibrary");
}
CUresult cuFuncGetModule(CUmodule*, CUfunction) {
  return not_modelled("cuFuncGetModule");
}
CUresult cuGreenCtxCreate(CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned int) {
  return not_modelled("cuGreenCtxCreate");
}
CUresult cuGreenCtxDestroy(CUgreenCtx) {
  return not_modelled("cuGreenCtxDestroy");
}
CUresult cuGreenCtxGetId(CUgreenCtx, unsigned long long*) {
  return not_modelled("cuGreenCtxGetId");
}
CUresult cuCtxFromGreenCtx(CUcontext*, CUgreenCtx) {
  return not_modelled("cuCtxFromGreenCtx");
}
CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return not_modelled("cuTensorMapEncodeTiled");
}
CUresult cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                 const cuuint64_t*, const int*, const int*, cuuint32_t, cuuint32_t, const cuuint32_t*,
                                 CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill) {
  return not_modelled("cuTensorMapEncodeIm2col");
}
CUresult cuTensorMapEncodeIm2colWide(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                     const cuuint64_t*, int, int, cuuint32_t, cuuint32_t, const cuuint32_t*,
                                     CUtensorMapInterleave, CUtensorMapIm2ColWideMode, CUtensorMapSwizzle,
                                     CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return not_modelled("cuTensorMapEncodeIm2colWide");
}
CUresult cuDeviceGetDevResource(CUdevice, CUdevResource*, CUdevResourceType) {
  return not_modelled("cuDeviceGetDevResource");
}
CUresult cuCtxGetDevResource(CUcontext, CUdevResource*, CUdevResourceType) {
  return not_modelled("cuCtxGetDevResource");
}
CUresult cuGreenCtxGetDevResource(CUgreenCtx, CUdevResource*, CUdevResourceType) {
  return not_modelled("cuGreenCtxGetDevResource");
}
CUresult cuDevSmResourceSplitByCount(CUdevResource*, unsigned int*, const CUdevResource*, CUdevResource*, unsigned int,
                                     unsigned int) {
  return not_modelled("cuDevSmResourceSplitByCount");
}
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc*, CUdevResource*, unsigned int) {
  return not_modelled("cuDevResourceGenerateDesc");
}
CUresult cuGreenCtxRecordEvent(CUgreenCtx, CUevent) {
  return not_modelled("cuGreenCtxRecordEvent");
}
CUresult cuGreenCtxWaitEvent(CUgreenCtx, CUevent) {
  return not_modelled("cuGreenCtxWaitEvent");
}
CUresult cuStreamGetGreenCtx(CUstream, CUgreenCtx*) {
  return not_modelled("cuStreamGetGreenCtx");
}
CUresult cuGreenCtxStreamCreate(CUstream*, CUgreenCtx, unsigned int, int) {
  return not_modelled("cuGreenCtxStreamCreate");
}
CUresult cuGraphicsSubResourceGetMappedArray(CUarray*, CUgraphicsResource, unsigned int, unsigned int) {
  return not_modelled("cuGraphicsSubResourceGetMappedArray");
}
CUresult cuTensorMapReplaceAddress(CUtensorMap*, void*) {
  return not_modelled("cuTensorMapReplaceAddress");
}
CUresult cuGraphAddKernelNode(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, const CUDA_KERNEL_NODE_PARAMS*) {
  return not_modelled("cuGraphAddKernelNode");
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode, CUkernelNodeAttrID, const CUkernelNodeAttrValue*) {
  return not_modelled("cuGraphKernelNodeSetAttribute");
}
CUresult cuMemAddressReserve(CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long) {
  return not_modelled("cuMemAddressReserve");
}
CUresult cuMemAddressFree(CUdeviceptr, size_t) {
  return not_modelled("cuMemAddressFree");
}
CUresult cuMemCreate(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*, unsigned long long) {
  return not_modelled("cuMemCreate");
}
CUresult cuMemRelease(CUmemGenericAllocationHandle) {
  return not_modelled("cuMemRelease");
}
CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long) {
  return not_modelled("cuMemMap");
}
CUresult cuMemUnmap(CUdeviceptr, size_t) {
  return not_modelled("cuMemUnmap");
}
CUresult cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t) {
  return not_modelled("cuMemSetAccess");
}
CUresult cuMemGetAllocationGranularity(size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags) {
  return not_modelled("cuMemGetAllocationGranularity");
}
CUresult cuMemExportToShareableHandle(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                                      unsigned long long) {
  return not_modelled("cuMemExportToShareableHandle");
}
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType) {
  return not_modelled("cuMemImportFromShareableHandle");
}

}  // extern "C"
