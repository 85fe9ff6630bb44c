// SPDX-License-Identifier: Apache-2.0
// What -fsanitize=bounds-strict makes g++, and -fsanitize=array-bounds clang++, call before an index outside the bounds
// of its array is used. Reported of kernels only: tools for the host's code exist. One past the end is no such index
// where only the address is taken: the compilers see to that.
// The layout of the arguments is that of compiler-rt's ubsan_handlers.h.
#include <warpfiber/detail/current_thread.hpp>

#include <cstdint>
#include <optional>

#include "abi/hooks/busy.hpp"
#include "abi/hooks/type_descriptor.hpp"
#include "check/launch/launch_checker.hpp"
#include "engine/leaving_out/leaving_out.hpp"
#include "instrument/x86/steps.hpp"

namespace {

using warpfiber::abi::SourceLocation;
using warpfiber::abi::TypeDescriptor;

struct BoundsData {
  SourceLocation place;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};

/// Whether the access that the index is for is to be left out.
bool report(const BoundsData& data, std::uintptr_t index, const void* instruction) {
  if (warpfiber::check::active_checker == nullptr) return false;
  const warpfiber::abi::Busy busy;
  const TypeDescriptor& type = *data.index;
  auto bad = warpfiber::check::bad_index(data.array->name, index, 1U << type.log_of_bits(), type.has_sign());
  if (!bad.has_value()) return false;
  bad->line = data.place.line;
  bad->column = data.place.column;
  warpfiber::check::active_checker->calls().index_outside(*bad, instruction);
  return !busy.was_busy() && warpfiber::engine::can_leave_out(instruction);
}

/// The last thing that a hook does. Where a hook judges the access, that leaves it out instead.
void leave_out_element(std::uintptr_t index, const void* instruction) {
  warpfiber::detail::current_thread.busy = true;
  warpfiber::instrument::x86::warpfiber_leave_out_element(index, instruction);
}

}  // namespace

extern "C" void __ubsan_handle_out_of_bounds(void* data, std::uintptr_t index) {
  const void* const instruction = __builtin_return_address(0);
  if (report(*static_cast<const BoundsData*>(data), index, instruction)) leave_out_element(index, instruction);
}
extern "C" void __ubsan_handle_out_of_bounds_abort(void* data, std::uintptr_t index) {
  const void* const instruction = __builtin_return_address(0);
  if (report(*static_cast<const BoundsData*>(data), index, instruction)) leave_out_element(index, instruction);
}
