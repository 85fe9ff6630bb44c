// SPDX-License-Identifier: Apache-2.0
// What -fsanitize=alignment makes g++ and clang++ call before an access by a pointer that is not aligned to its type.
// The hooks of accesses see parts of it only: a structure may be copied member by member, each of which is aligned.
// The layout of the arguments is that of compiler-rt's ubsan_handlers.h. clang++ does not check where it copies
// structures: calls are put there when a program is built (src/compiler/instrument/aligned_copies.cpp).
#include <warpfiber/detail/current_thread.hpp>

#include <cstdint>
#include <utility>

#include "abi/hooks/judging.hpp"
#include "abi/hooks/type_descriptor.hpp"
#include "check/launch/launch_checker.hpp"
#include "engine/worker.hpp"

namespace {

struct MismatchData {
  warpfiber::abi::SourceLocation place;
  const void* type;
  std::uint8_t log_alignment;
  std::uint8_t kind;
};

// Of the kinds only these touch all of the object.
constexpr std::uint8_t kLoad = 0;
constexpr std::uint8_t kStore = 1;

void expect(std::uintptr_t address, unsigned alignment, bool write, const void* instruction) {
  const auto* at = reinterpret_cast<const void*>(address);
  if (address % alignment == 0 || warpfiber::check::active_checker == nullptr || !warpfiber::check::shadow.covers(at))
    return;
  if (warpfiber::abi::refuse_misaligned(at, alignment, write, instruction))
    warpfiber::check::active_checker->log().refusals().expect(at);
}

void check_pointer(const MismatchData& data, std::uintptr_t address, const void* instruction) {
  if (data.kind == kLoad || data.kind == kStore) {
    expect(address, 1U << data.log_alignment, data.kind == kStore, instruction);
  }
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier)

extern "C" void __ubsan_handle_type_mismatch_v1(void* data, std::uintptr_t address) {
  check_pointer(*static_cast<const MismatchData*>(data), address, __builtin_return_address(0));
}
extern "C" void __ubsan_handle_type_mismatch_v1_abort(void* data, std::uintptr_t address) {
  check_pointer(*static_cast<const MismatchData*>(data), address, __builtin_return_address(0));
}
extern "C" void __warpfiber_expect_aligned(std::uintptr_t address, std::uint64_t alignment, int write) {
  expect(address, static_cast<unsigned>(alignment), write != 0, __builtin_return_address(0));
}

// NOLINTEND(bugprone-reserved-identifier)
