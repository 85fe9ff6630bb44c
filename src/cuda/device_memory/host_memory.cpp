// SPDX-License-Identifier: Apache-2.0
// Sources: msync(2), mincore(2); proc(5), "MemAvailable".
#include "device_memory/host_memory.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>

#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/system/control_groups.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "fiber/tools.hpp"
#include "memory/host/host_blocks.hpp"
#include "process/user_call.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::device_memory {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

std::string text_of(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Takes four times as long as msync for a page.
bool have_own_pages(std::uintptr_t at, std::size_t bytes, std::size_t page) {
  std::array<unsigned char, 4096> resident;  // one for each page, not looked at
  while (bytes > 0) {
    const std::size_t piece = std::min(bytes, resident.size() * page);
    if (::mincore(reinterpret_cast<void*>(at), piece, resident.data()) != 0 && errno == ENOMEM) return false;
    at += piece;
    bytes -= piece;
  }
  return true;
}

std::size_t page_size() {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return page;
}

}  // namespace

std::size_t absent_bytes(const void* memory, std::size_t bytes) {
  const std::size_t page = page_size();
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  std::size_t left = bytes / page * page;
  std::size_t absent = 0;
  std::array<unsigned char, 4096> resident;
  for (std::uintptr_t at = first; left > 0;) {
    const std::size_t piece = std::min(left, resident.size() * page);
    if (::mincore(reinterpret_cast<void*>(at), piece, resident.data()) != 0) return absent * page;
    const auto end = resident.begin() + static_cast<std::ptrdiff_t>(piece / page);
    absent += static_cast<std::size_t>(std::count_if(resident.begin(), end, [](unsigned char is) { return is == 0; }));
    at += piece;
    left -= piece;
  }
  return absent * page;
}

std::size_t available_in_meminfo(const std::string& text) {
  constexpr const char* kKey = "MemAvailable:";
  const std::size_t at = text.find(kKey);
  if (at == std::string::npos) return kUnknown;
  std::istringstream rest(text.substr(at + std::string(kKey).size()));
  std::size_t kibibytes = 0;
  return rest >> kibibytes ? kibibytes * 1024 : kUnknown;
}

bool is_mapped(const void* memory, std::size_t bytes) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  static const bool observed = fiber::is_observed();
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = first - first % page;
  // The system would round a size that wraps around up to nothing.
  if (bytes > base::kLargestSize - first) return false;
  const std::size_t size = bytes + (first - begin);
  // Linux starts no writing for MS_ASYNC and only looks what is there. To valgrind the call reads all of the pages.
  if (observed) return have_own_pages(begin, size, page);
  return ::msync(reinterpret_cast<void*>(begin), size, MS_ASYNC) == 0 || errno != ENOMEM;
}

std::size_t available_host_bytes() {
  return std::min(available_in_meminfo(text_of("/proc/meminfo")),
                  base::memory_left_in_groups(base::group_membership(), base::kControlGroups));
}

// Static variables are read from debug information. So are local ones, at the offset that the address has in the frame
// of the function whose part of the stack it is in.

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
