// SPDX-License-Identifier: Apache-2.0
// Functions of graphs as CUDA 12 has them: without data of edges, and with it under names that end in _v2 and _v3.
// Each does what the function of CUDA 13 does without such data. They are there for every CUDART_VERSION but with
// WARPFIBER_STRICT_CUDA; the one form that a program for CUDA 13 could mean otherwise, only for those before 13000.
// Included by cuda_runtime.h; C++.
#pragma once

#include <warpfiber/cuda/api/graph.h>

#ifndef WARPFIBER_STRICT_CUDA

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            size_t count) {
  return ::cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, const cudaGraphEdgeData* data, size_t count) {
  return ::cudaGraphAddDependencies(graph, from, to, data, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t count) {
  return ::cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                  const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                                  size_t count) {
  return ::cudaGraphRemoveDependencies(graph, from, to, data, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  return ::cudaGraphGetEdges(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                        cudaGraphEdgeData* data, size_t* count) {
  return ::cudaGraphGetEdges(graph, from, to, data, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
  return ::cudaGraphNodeGetDependencies(node, nodes, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                   cudaGraphEdgeData* data, size_t* count) {
  return ::cudaGraphNodeGetDependencies(node, nodes, data, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
  return ::cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                     cudaGraphEdgeData* data, size_t* count) {
  return ::cudaGraphNodeGetDependentNodes(node, nodes, data, count);
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    size_t count, cudaGraphNodeParams* parameters) {
  return ::cudaGraphAddNode(node, graph, dependencies, nullptr, count, parameters);
}
inline cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters) {
  return ::cudaGraphAddNode(node, graph, dependencies, data, count, parameters);
}
inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                               const cudaGraphNode_t** nodes = nullptr, size_t* count = nullptr) {
  return ::cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
}
inline cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                               const cudaGraphNode_t** nodes = nullptr,
                                               const cudaGraphEdgeData** data = nullptr, size_t* count = nullptr) {
  return ::cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, data, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                          const cudaGraphEdgeData* data, size_t count,
                                                          unsigned flags = 0) {
  return ::cudaStreamUpdateCaptureDependencies(stream, nodes, data, count, flags);
}

#if CUDART_VERSION < 13000
// In CUDA 13 a third argument of 0 is the data of edges.
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
                                                       unsigned flags = 0) {
  return ::cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}
#endif

#endif
