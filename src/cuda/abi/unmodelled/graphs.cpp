// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA's runtime that are not modelled: graphs and stream capture. They can be linked, return
// cudaErrorNotSupported, and say so once.
#include <warpfiber/cuda/api/runtime.h>

#include "abi/unmodelled/not_modelled.hpp"

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return not_modelled(__func__);
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*,
                                          size_t, cudaStreamCaptureMode) {
  return not_modelled(__func__);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
  return not_modelled(__func__);
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus*) {
  return not_modelled(__func__);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long*, cudaGraph_t*,
                                     const cudaGraphNode_t**, const cudaGraphEdgeData**, size_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t*, const cudaGraphEdgeData*, size_t,
                                                unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaKernelNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t, cudaKernelNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t, const cudaKernelNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t, cudaGraphNode_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t, cudaLaunchAttributeID, cudaLaunchAttributeValue*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t, cudaLaunchAttributeID, const cudaLaunchAttributeValue*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaMemcpy3DParms*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const void*,
                                           const void*, size_t, size_t, cudaMemcpyKind) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*,
                                             const void*, size_t, size_t, cudaMemcpyKind) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*, const void*,
                                     size_t, cudaMemcpyKind) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t, cudaMemcpy3DParms*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t, const cudaMemcpy3DParms*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t, const void*, const void*, size_t, size_t,
                                                 cudaMemcpyKind) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t, void*, const void*, size_t, size_t,
                                                   cudaMemcpyKind) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t, void*, const void*, size_t, cudaMemcpyKind) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaMemsetParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t, cudaMemsetParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t, const cudaMemsetParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                 const cudaHostNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t, cudaHostNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t, const cudaHostNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, cudaGraph_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t, cudaGraph_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, cudaEvent_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t, cudaEvent_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t, cudaEvent_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, cudaEvent_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t, cudaEvent_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t, cudaEvent_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                                     const cudaExternalSemaphoreSignalNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t, cudaExternalSemaphoreSignalNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t,
                                                           const cudaExternalSemaphoreSignalNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                                   const cudaExternalSemaphoreWaitNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t, cudaExternalSemaphoreWaitNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t, const cudaExternalSemaphoreWaitNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                     cudaMemAllocNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t, cudaMemAllocNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t, void*) {
  return not_modelled(__func__);
}
cudaError_t cudaDeviceGraphMemTrim(int) {
  return not_modelled(__func__);
}
cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType, void*) {
  return not_modelled(__func__);
}
cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType, void*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphClone(cudaGraph_t*, cudaGraph_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t*, cudaGraphNode_t, cudaGraph_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, size_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t, cudaGraphNode_t*, size_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t, cudaGraphNode_t*, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                     const cudaGraphEdgeData*, size_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                        const cudaGraphEdgeData*, size_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t*, cudaGraph_t, unsigned long long) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t*, cudaGraph_t, cudaGraphInstantiateParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t, unsigned long long*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaKernelNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaMemcpy3DParms*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t, cudaGraphNode_t, const void*, const void*, size_t,
                                                     size_t, cudaMemcpyKind) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t, cudaGraphNode_t, void*, const void*, size_t,
                                                       size_t, cudaMemcpyKind) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t, cudaGraphNode_t, void*, const void*, size_t,
                                               cudaMemcpyKind) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaMemsetParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaHostNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, cudaGraph_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t, cudaGraphNode_t, cudaEvent_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t, cudaGraphNode_t, cudaEvent_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                                               const cudaExternalSemaphoreSignalNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                                             const cudaExternalSemaphoreWaitNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t, cudaGraphNode_t, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t, cudaGraphNode_t, unsigned int*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphDestroy(cudaGraph_t) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char*, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t*, void*, cudaHostFn_t, unsigned int, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t, cudaUserObject_t, unsigned int, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t, cudaUserObject_t, unsigned int) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*, size_t,
                             cudaGraphNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t, cudaGraphNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, cudaGraphNodeParams*) {
  return not_modelled(__func__);
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle*, cudaGraph_t, unsigned int, unsigned int) {
  return not_modelled(__func__);
}

}  // extern "C"
