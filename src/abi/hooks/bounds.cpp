// SPDX-License-Identifier: Apache-2.0
// What -fsanitize=bounds-strict makes g++, and -fsanitize=array-bounds clang++, call before an index outside the bounds
// of its array is used. Reported of kernels only: tools for the host's code exist. One past the end is no such index
// where only the address is taken: the compilers see to that.
// The layout of the arguments is that of compiler-rt's ubsan_handlers.h.
#include <cstdint>
#include <optional>

#include "abi/hooks/busy.hpp"
#include "abi/hooks/type_descriptor.hpp"
#include "check/launch/launch_checker.hpp"

namespace {

using warpfiber::abi::SourceLocation;
using warpfiber::abi::TypeDescriptor;

struct BoundsData {
  SourceLocation place;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};

void report(const BoundsData& data, std::uintptr_t index, const void* instruction) {
  if (warpfiber::check::active_checker == nullptr) return;
  const warpfiber::abi::Busy busy;
  const TypeDescriptor& type = *data.index;
  auto bad = warpfiber::check::bad_index(data.array->name, index, 1U << type.log_of_bits(), type.has_sign());
  if (!bad.has_value()) return;
  bad->line = data.place.line;
  bad->column = data.place.column;
  warpfiber::check::active_checker->calls().index_outside(*bad, instruction);
}

}  // namespace

extern "C" void __ubsan_handle_out_of_bounds(void* data, std::uintptr_t index) {
  report(*static_cast<const BoundsData*>(data), index, __builtin_return_address(0));
}
extern "C" void __ubsan_handle_out_of_bounds_abort(void* data, std::uintptr_t index) {
  report(*static_cast<const BoundsData*>(data), index, __builtin_return_address(0));
}
