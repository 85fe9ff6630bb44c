// SPDX-License-Identifier: Apache-2.0
// Static variables are read from debug information. So are local ones, at the offset that the address has in the frame
// of the function whose part of the stack it is in.
#include "device_memory/host/host_objects.hpp"

#include <malloc.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>

#include "base/locks/annotated_mutex.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "memory/host/host_blocks.hpp"
#include "process/user_call.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::device_memory {

using record::ReasonKind;

namespace {

/// The function of the calling thread whose frame has an address.
struct FrameSearch {
  std::uintptr_t address = 0;
  std::uintptr_t code = 0;       // of the call in it
  std::uintptr_t canonical = 0;  // address of the frame: its caller's stack pointer; 0: none was found
};

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* search) {
  auto& wanted = *static_cast<FrameSearch*>(search);
  // What the unwinder gives for a function is its stack pointer: where the frame of the function that it calls ends.
  const std::uintptr_t stack_pointer = _Unwind_GetCFA(context);
  if (wanted.address < stack_pointer) {
    wanted.canonical = stack_pointer;
    return _URC_END_OF_STACK;
  }
  wanted.code = _Unwind_GetIP(context) - 1;
  return _URC_NO_REASON;
}

/// Whether all arguments of the call are in registers. clang++ says where variables are from the stack pointer, and
/// does not count what it has pushed.
bool pushes_nothing(const char* call) {
  constexpr std::string_view kCalls[] = {
      "cudaMemcpy",           "cudaMemcpyAsync",         "cudaMemcpyToSymbol",
      "cudaMemcpyFromSymbol", "cudaMemcpyToSymbolAsync", "cudaMemcpyFromSymbolAsync"};
  return std::ranges::find(kCalls, std::string_view(call)) != std::end(kCalls);
}

/// Of the function that makes the call in progress.
std::optional<HostObject> local_variable_around(const void* address) {
  const process::UserCall& call = process::user_call();
  if (call.returns_to == nullptr || !pushes_nothing(call.function)) return std::nullopt;
  FrameSearch search{reinterpret_cast<std::uintptr_t>(address)};
  // Below the frames of the callers nothing is the program's.
  if (search.address < reinterpret_cast<std::uintptr_t>(&search)) return std::nullopt;
  _Unwind_Backtrace(look_at_frame, &search);
  if (search.canonical == 0 || search.code != reinterpret_cast<std::uintptr_t>(call.returns_to) - 1)
    return std::nullopt;
  const auto offset = static_cast<std::int64_t>(search.address - search.canonical);
  for (const symbols::LocalVariable& variable :
       symbols::Symboliser::of_process().local_variables(search.code, symbols::LocalScope::seen_there)) {
    if (variable.type == nullptr || !variable.frame_offset.has_value()) continue;
    const std::int64_t within = offset - *variable.frame_offset;
    const std::uint64_t bytes = variable.type->bytes;
    if (within < 0 || static_cast<std::uint64_t>(within) >= bytes) continue;
    return HostObject{static_cast<const char*>(address) - within,
                      bytes,
                      {ReasonKind::host_frame, variable.name, record::ByteSize{bytes}}};
  }
  return std::nullopt;
}

std::optional<HostObject> static_variable_around(const void* address) {
  const auto found = symbols::Symboliser::of_process().variable(reinterpret_cast<std::uintptr_t>(address));
  if (!found.has_value() || found->base == nullptr || found->bytes == 0) return std::nullopt;
  return HostObject{
      found->base, found->bytes, {ReasonKind::host_variable, found->name, record::ByteSize{found->bytes}}};
}

std::optional<HostObject> variable_around(const void* address) {
  auto found = static_variable_around(address);
  return found.has_value() ? found : local_variable_around(address);
}

bool is_within(const HostObject& object, const void* at, std::size_t bytes) {
  return bytes <= static_cast<std::size_t>(object.base + object.bytes - static_cast<const char*>(at));
}

}  // namespace

/// Loops repeat the same copies.
struct FittingCopies {
  static constexpr std::size_t kMost = 4096;

  base::Mutex mutex;
  std::set<std::tuple<const void*, const void*, std::size_t>> all
      WARPFIBER_GUARDED_BY(mutex);  // by the call, the address and the bytes
};

std::optional<HostObject> exceeded_host_object(const void* at, std::size_t bytes) {
  const auto block = memory::host_block_around(at, [](void* memory) { return ::malloc_usable_size(memory); });
  if (block.has_value()) {
    const HostObject object{block->base, block->bytes, {ReasonKind::host_block, record::ByteSize{block->bytes}}};
    return is_within(object, at, bytes) ? std::nullopt : std::optional(object);
  }
  FittingCopies& fitting = DeviceMemoryState::of_process().fitting_copies.get();
  const std::tuple copy(process::user_call().returns_to, at, bytes);
  const base::Lock lock(fitting.mutex);
  if (fitting.all.contains(copy)) return std::nullopt;
  auto found = variable_around(at);
  if (found.has_value() && !is_within(*found, at, bytes)) return found;
  if (fitting.all.size() == FittingCopies::kMost) fitting.all.clear();
  fitting.all.insert(copy);
  return std::nullopt;
}

}  // namespace warpfiber::device_memory
