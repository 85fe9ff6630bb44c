// SPDX-License-Identifier: Apache-2.0
//
// Linked into a program for a GPU by `warpfiber crosscheck`, with the linker's --wrap for every function here: does
// what CUDA's runtime does and notes what came back from the device (docs/crosscheck.md). The program is unchanged.
// Compiled by nvcc, as a host file; knows nothing of the program. Nothing is noted unless recorder.cpp has begun a run.
#include <cuda_runtime.h>
#include <warpfiber/crosscheck/copy_log.hpp>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

using warpfiber::crosscheck::CopiedBox;
using warpfiber::crosscheck::CopyFacts;
using warpfiber::crosscheck::CopyLog;

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
// The linker's names: of what is called in place of `name`, and of the function that this replaces. CUDA's header makes
// `name` another one for programs compiled with --default-stream per-thread.
#define OURS(name) JOIN(__wrap_, name)
#define THEIRS(name) JOIN(__real_, name)

/// Where copies go; recorder.cpp opens it.
CopyLog& warpfiber_copy_log() {
  static CopyLog& log = *new CopyLog;  // never destroyed: copies are noted until the very end
  return log;
}

namespace {

/// Whether a copy of this kind from here to there brings something back to the host.
bool comes_back(const void* to, const void* from, bool from_device, cudaMemcpyKind kind) {
  if (!warpfiber_copy_log().is_open()) return false;
  if (kind != cudaMemcpyDefault) return kind == cudaMemcpyDeviceToHost;
  cudaPointerAttributes target{};
  cudaPointerAttributes source{};
  if (cudaPointerGetAttributes(&target, to) != cudaSuccess) return false;
  if (!from_device && cudaPointerGetAttributes(&source, from) != cudaSuccess) return false;
  const bool to_host = target.type == cudaMemoryTypeHost || target.type == cudaMemoryTypeUnregistered;
  return to_host && (from_device || source.type == cudaMemoryTypeDevice || source.type == cudaMemoryTypeManaged);
}

/// A copy that is under way.
struct Pending {
  CopyFacts facts;
  CopiedBox box;
};

void CUDART_CB finish(void* pending) {
  const std::unique_ptr<Pending> copy(static_cast<Pending*>(pending));
  warpfiber_copy_log().write(copy->facts, copy->box);
}

CopyFacts next_copy(const char* function) {
  CopyFacts facts;
  facts.ordinal = warpfiber_copy_log().number_copy();
  facts.function = function;
  return facts;
}

void note(const char* function, const CopiedBox& box) {
  if (box.bytes() != 0) warpfiber_copy_log().write(next_copy(function), box);
}

/// The bytes are there when the stream has got so far.
void note_later(const char* function, const CopiedBox& box, cudaStream_t stream) {
  // What goes into a graph is done when that is launched, and as often.
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const bool asked = cudaStreamIsCapturing(stream, &capture) == cudaSuccess;
  if (box.bytes() == 0 || (asked && capture != cudaStreamCaptureStatusNone)) return;
  auto pending = std::unique_ptr<Pending>(new Pending{next_copy(function), box});
  if (cudaLaunchHostFunc(stream, finish, pending.get()) == cudaSuccess) static_cast<void>(pending.release());
}

CopiedBox line(void* to, size_t bytes) {
  return CopiedBox{to, bytes, 1, 1, 0, 0};
}

CopiedBox rows(void* to, size_t pitch, size_t width, size_t height) {
  return CopiedBox{to, width, height, 1, pitch, 0};
}

/// Where a box of an array takes part it is measured in the array's elements.
CopiedBox box_of(const cudaMemcpy3DParms& p) {
  size_t element = 1;
  if (p.srcArray != nullptr) {
    cudaChannelFormatDesc format{};
    cudaExtent extent{};
    unsigned flags = 0;
    if (cudaArrayGetInfo(&format, &extent, &flags, p.srcArray) != cudaSuccess) return {};
    element = static_cast<size_t>(format.x + format.y + format.z + format.w) / 8;
  }
  const size_t slice = p.dstPtr.pitch * p.dstPtr.ysize;
  char* const at = static_cast<char*>(p.dstPtr.ptr) + p.dstPos.z * slice + p.dstPos.y * p.dstPtr.pitch + p.dstPos.x;
  return {at, p.extent.width * element, p.extent.height, p.extent.depth, p.dstPtr.pitch, slice};
}

bool box_comes_back(const cudaMemcpy3DParms* p) {
  return p != nullptr && p->dstPtr.ptr != nullptr &&
         comes_back(p->dstPtr.ptr, p->srcPtr.ptr, p->srcArray != nullptr, p->kind);
}

/// Managed memory that is not freed yet.
struct Managed {
  std::mutex mutex;
  std::map<void*, std::pair<std::uint64_t, size_t>> all;  // number and bytes by address
};

Managed& managed() {
  static Managed& memory = *new Managed;
  return memory;
}

void note_managed(void* at, std::uint64_t number, size_t bytes) {
  CopyFacts facts;
  facts.kind = "managed";
  facts.ordinal = number;
  facts.function = "cudaMallocManaged";
  warpfiber_copy_log().write(facts, line(at, bytes));
}

/// What a program leaves unfreed is looked at before the runtime goes, which began before the first allocation.
void note_all_managed() {
  if (!warpfiber_copy_log().is_open() || cudaDeviceSynchronize() != cudaSuccess) return;
  Managed& memory = managed();
  const std::lock_guard<std::mutex> lock(memory.mutex);
  for (const auto& [at, piece] : memory.all) note_managed(at, piece.first, piece.second);
  memory.all.clear();
}

void hold_managed(void* at, size_t bytes) {
  if (!warpfiber_copy_log().is_open() || at == nullptr || bytes == 0) return;
  static const int registered = std::atexit(note_all_managed);
  static_cast<void>(registered);
  Managed& memory = managed();
  const std::lock_guard<std::mutex> lock(memory.mutex);
  memory.all[at] = {warpfiber_copy_log().number_managed(), bytes};
}

void let_managed_go(void* at) {
  Managed& memory = managed();
  const std::lock_guard<std::mutex> lock(memory.mutex);
  const auto piece = memory.all.find(at);
  if (piece == memory.all.end() || cudaDeviceSynchronize() != cudaSuccess) return;
  note_managed(at, piece->second.first, piece->second.second);
  memory.all.erase(piece);
}

}  // namespace

extern "C" {

cudaError_t THEIRS(cudaMemcpy)(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t OURS(cudaMemcpy)(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t error = THEIRS(cudaMemcpy)(to, from, bytes, kind);
  if (error == cudaSuccess && comes_back(to, from, false, kind)) note("cudaMemcpy", line(to, bytes));
  return error;
}

cudaError_t THEIRS(cudaMemcpyAsync)(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t);
cudaError_t OURS(cudaMemcpyAsync)(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaError_t error = THEIRS(cudaMemcpyAsync)(to, from, bytes, kind, stream);
  if (error == cudaSuccess && comes_back(to, from, false, kind)) {
    note_later("cudaMemcpyAsync", line(to, bytes), stream);
  }
  return error;
}

cudaError_t THEIRS(cudaMemcpy2D)(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t OURS(cudaMemcpy2D)(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                               size_t height, cudaMemcpyKind kind) {
  const cudaError_t error = THEIRS(cudaMemcpy2D)(to, to_pitch, from, from_pitch, width, height, kind);
  if (error == cudaSuccess && comes_back(to, from, false, kind)) {
    note("cudaMemcpy2D", rows(to, to_pitch, width, height));
  }
  return error;
}

cudaError_t THEIRS(cudaMemcpy2DAsync)(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t);
cudaError_t OURS(cudaMemcpy2DAsync)(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                    size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaError_t error = THEIRS(cudaMemcpy2DAsync)(to, to_pitch, from, from_pitch, width, height, kind, stream);
  if (error == cudaSuccess && comes_back(to, from, false, kind)) {
    note_later("cudaMemcpy2DAsync", rows(to, to_pitch, width, height), stream);
  }
  return error;
}

cudaError_t THEIRS(cudaMemcpy3D)(const cudaMemcpy3DParms*);
cudaError_t OURS(cudaMemcpy3D)(const cudaMemcpy3DParms* parameters) {
  const cudaError_t error = THEIRS(cudaMemcpy3D)(parameters);
  if (error == cudaSuccess && box_comes_back(parameters)) note("cudaMemcpy3D", box_of(*parameters));
  return error;
}

cudaError_t THEIRS(cudaMemcpy3DAsync)(const cudaMemcpy3DParms*, cudaStream_t);
cudaError_t OURS(cudaMemcpy3DAsync)(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  const cudaError_t error = THEIRS(cudaMemcpy3DAsync)(parameters, stream);
  if (error == cudaSuccess && box_comes_back(parameters)) {
    note_later("cudaMemcpy3DAsync", box_of(*parameters), stream);
  }
  return error;
}

cudaError_t THEIRS(cudaMemcpyFromSymbol)(void*, const void*, size_t, size_t, cudaMemcpyKind);
cudaError_t OURS(cudaMemcpyFromSymbol)(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  const cudaError_t error = THEIRS(cudaMemcpyFromSymbol)(to, symbol, bytes, offset, kind);
  if (error == cudaSuccess && comes_back(to, nullptr, true, kind)) note("cudaMemcpyFromSymbol", line(to, bytes));
  return error;
}

cudaError_t THEIRS(cudaMemcpyFromSymbolAsync)(void*, const void*, size_t, size_t, cudaMemcpyKind, cudaStream_t);
cudaError_t OURS(cudaMemcpyFromSymbolAsync)(void* to, const void* symbol, size_t bytes, size_t offset,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaError_t error = THEIRS(cudaMemcpyFromSymbolAsync)(to, symbol, bytes, offset, kind, stream);
  if (error == cudaSuccess && comes_back(to, nullptr, true, kind)) {
    note_later("cudaMemcpyFromSymbolAsync", line(to, bytes), stream);
  }
  return error;
}

cudaError_t THEIRS(cudaMemcpy2DFromArray)(void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                                          cudaMemcpyKind);
cudaError_t OURS(cudaMemcpy2DFromArray)(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                        size_t width, size_t height, cudaMemcpyKind kind) {
  const cudaError_t error = THEIRS(cudaMemcpy2DFromArray)(to, pitch, from, x, y, width, height, kind);
  if (error == cudaSuccess && comes_back(to, nullptr, true, kind)) {
    note("cudaMemcpy2DFromArray", rows(to, pitch, width, height));
  }
  return error;
}

cudaError_t THEIRS(cudaMemcpy2DFromArrayAsync)(void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                                               cudaMemcpyKind, cudaStream_t);
cudaError_t OURS(cudaMemcpy2DFromArrayAsync)(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                             size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const cudaError_t error = THEIRS(cudaMemcpy2DFromArrayAsync)(to, pitch, from, x, y, width, height, kind, stream);
  if (error == cudaSuccess && comes_back(to, nullptr, true, kind)) {
    note_later("cudaMemcpy2DFromArrayAsync", rows(to, pitch, width, height), stream);
  }
  return error;
}

cudaError_t THEIRS(cudaMallocManaged)(void**, size_t, unsigned);
cudaError_t OURS(cudaMallocManaged)(void** memory, size_t bytes, unsigned flags) {
  const cudaError_t error = THEIRS(cudaMallocManaged)(memory, bytes, flags);
  if (error == cudaSuccess && memory != nullptr) hold_managed(*memory, bytes);
  return error;
}

cudaError_t THEIRS(cudaDeviceReset)();
cudaError_t OURS(cudaDeviceReset)() {
  note_all_managed();
  return THEIRS(cudaDeviceReset)();
}

cudaError_t THEIRS(cudaFree)(void*);
cudaError_t OURS(cudaFree)(void* memory) {
  if (memory != nullptr && warpfiber_copy_log().is_open()) let_managed_go(memory);
  return THEIRS(cudaFree)(memory);
}

}  // extern "C"
