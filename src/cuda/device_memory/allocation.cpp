// SPDX-License-Identifier: Apache-2.0
// Source of the errors: CUDA Runtime API, "Memory Management"; where that is silent or says otherwise, what an H200
// printed (CUDA 13.0).
#include "device_memory/allocation.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "base/index.hpp"
#include "device_memory/accesses.hpp"
#include "device_memory/copied_back.hpp"
#include "device_memory/ordering.hpp"
#include "device_memory/table.hpp"
#include "launches/checking/unwritten_rows.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"
#include "process/findings/host_findings.hpp"
#include "record/reason.hpp"

namespace warpfiber::device_memory {

using record::ReasonKind;

namespace {

constexpr unsigned kHostAllocFlags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kHostRegisterFlags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

/// Whether the process has memory at every address of the range.
bool is_mapped(const void* memory, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t within = first % page;
  if (bytes > std::numeric_limits<std::uintptr_t>::max() - first) return false;
  const std::uintptr_t end = first + bytes;
  std::array<unsigned char, 1024> in_memory;  // a byte for each page, of which nobody asks whether it was swapped out
  for (std::uintptr_t at = first - within; at < end;) {
    const std::uintptr_t part = std::min<std::uintptr_t>(end - at, in_memory.size() * page);
    // msync would show it as well, but valgrind takes it to read what is there.
    if (mincore(reinterpret_cast<void*>(at), part, in_memory.data()) != 0) return false;
    at += part;
  }
  return true;
}

Error no_place_for_result() {
  return process::fail(Error::invalid_value, ReasonKind::result_pointer_null);
}

Error unknown_flags(unsigned flags) {
  return process::fail(Error::invalid_value, {ReasonKind::flags_unknown, flags});
}

/// Nothing is allocated for 0 bytes.
Error allocate_here(MemoryKind kind, void** memory, std::size_t bytes, unsigned flags) {
  if (memory == nullptr) return no_place_for_result();
  if (bytes == 0) {
    *memory = nullptr;
    return Error::success;
  }
  const Error refused = allocate(kind, process::current_device(), bytes, flags, memory);
  if (refused == Error::success) note_allocation(*memory, bytes);
  return refused;
}

/// How many pieces of `unit` hold `bytes`.
std::size_t pieces(std::size_t bytes, std::size_t unit) {
  return bytes / unit + (bytes % unit != 0 ? 1 : 0);
}

/// Pinned or registered memory of the host around `host`, or nothing.
std::optional<MemoryBlock> pinned_block(const void* host) {
  auto block = block_at(host);
  if (!block.has_value() || block->on_device()) return std::nullopt;
  return block;
}

Error not_pinned(const void* host) {
  const auto block = block_at(host);
  if (!block.has_value())
    return process::fail(Error::invalid_value, {ReasonKind::address_is_not_pinned, what_is(host)});
  return process::fail(Error::invalid_value,
                       {ReasonKind::address_is, record::Reason(ReasonKind::in_memory, kind_name(block->kind))});
}

}  // namespace

Error malloc_device(void** memory, std::size_t bytes) {
  return allocate_here(MemoryKind::device, memory, bytes, 0);
}

Error free_device(void* memory) {
  if (memory == nullptr) return Error::success;
  const Error failed = wait_for_device();
  if (failed != Error::success) return failed;
  managed_goes(memory);
  return note_release_and_free(memory, MemoryKind::device, MemoryKind::managed);
}

Error free_async(void* memory, cudaStream_t stream) {
  if (memory == nullptr) return Error::success;
  const auto block = block_at(memory);
  if (!block.has_value() || !block->on_device() || block->base != memory) {
    const record::Reason why = block.has_value() ? record::Reason(ReasonKind::address_of_no_allocation)
                                                 : record::Reason(ReasonKind::address_is, what_is(memory));
    if (process::host_is_checked()) {
      process::report_host_finding(process::invalid_free(memory, why, process::user_call()));
      process::finding_is_made();
    }
    return process::fail(Error::invalid_value, why);
  }
  return in_stream(stream, streams::FreeOperation{memory}, Wait::no);
}

Error malloc_managed(void** memory, std::size_t bytes, unsigned flags) {
  if (memory == nullptr) return no_place_for_result();
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return process::fail(Error::invalid_value, ReasonKind::attach_flags_invalid);
  }
  const Error refused = allocate_here(MemoryKind::managed, memory, bytes, flags);
  if (refused == Error::success) keep_managed(*memory, bytes);
  return refused;
}

Error malloc_pitch(void** memory, std::size_t* pitch, std::size_t width, std::size_t height, std::size_t depth) {
  if (memory == nullptr || pitch == nullptr) return no_place_for_result();
  // Rows may be longer than the device's memPitch, which is about copies.
  const std::size_t unit = process::model_of(process::current_device()).texture_alignment;
  const std::size_t row = base::product_of(pieces(width, unit), unit);
  const std::size_t bytes = base::product_of(base::product_of(row, height), depth);
  const Error refused = allocate_here(MemoryKind::device, memory, bytes, 0);
  if (refused == Error::success) *pitch = bytes != 0 ? row : 0;
  if (process::host_is_checked() && bytes != 0) launches::launch_extents().add_padded_rows(width, row);
  return refused;
}

Error malloc_host(void** memory, std::size_t bytes, unsigned flags) {
  if ((flags & ~kHostAllocFlags) != 0) return unknown_flags(flags);
  return allocate_here(MemoryKind::pinned, memory, bytes, flags);
}

Error free_host(void* memory) {
  if (memory == nullptr) return Error::success;
  const Error failed = wait_for_device();
  if (failed != Error::success) return failed;
  return note_release_and_free(memory, MemoryKind::pinned, MemoryKind::pinned);
}

Error register_host(void* memory, std::size_t bytes, unsigned flags) {
  if (memory == nullptr || bytes == 0) return process::fail(Error::invalid_value, ReasonKind::pointer_null_or_size_0);
  if ((flags & ~kHostRegisterFlags) != 0) return unknown_flags(flags);
  if (!is_mapped(memory, bytes)) {
    return process::fail(Error::invalid_value, {ReasonKind::bytes_not_mapped, bytes});
  }
  const Error error = pin(memory, bytes, process::current_device(), flags);
  if (error == Error::success) note_registration(memory, bytes);
  return error;
}

Error unregister_host(void* memory) {
  if (memory == nullptr) return process::fail(Error::invalid_value, ReasonKind::address_null);
  const Error failed = wait_for_device();
  if (failed != Error::success) return failed;
  const auto block = block_at(memory);
  const Error error = unpin(memory);
  if (error == Error::success) note_unregistration(block->base, block->bytes);
  return error;
}

Error host_device_pointer(void** device, void* host, unsigned flags) {
  if (device == nullptr) return no_place_for_result();
  if (flags != 0) return process::fail(Error::invalid_value, ReasonKind::flags_not_zero);
  if (!pinned_block(host).has_value()) return not_pinned(host);
  *device = host;
  return Error::success;
}

Error host_flags(unsigned* flags, void* host) {
  if (flags == nullptr) return no_place_for_result();
  const auto block = block_at(host);
  if (!block.has_value() || block->kind == MemoryKind::device) return not_pinned(host);
  // With one address space for host and devices all pinned memory is mapped. Flags of managed memory are of another
  // kind.
  *flags = (block->kind == MemoryKind::managed ? 0 : block->flags) | cudaHostAllocMapped;
  return Error::success;
}

Error memory_info(std::size_t* free, std::size_t* total) {
  if (free != nullptr) *free = free_bytes(process::current_device());
  if (total != nullptr) *total = process::model_of(process::current_device()).global_bytes;
  return Error::success;
}

}  // namespace warpfiber::device_memory
