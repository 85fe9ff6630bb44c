// SPDX-License-Identifier: Apache-2.0
// What an instruction of x86-64 that moves a vector of 16 bytes accesses. The processor refuses an address that is no
// multiple of 16 with a fault that has no address. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace warpfiber::engine {

struct VectorAccess {
  std::uint64_t address = 0;
  bool writes = false;
};

/// `code`: the instruction, of which up to 15 bytes are read. `registers`: by the numbers that instructions have for
/// them, rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15. Nothing where it is no such move to or from memory.
std::optional<VectorAccess> vector_access(const unsigned char* code, const std::array<std::uint64_t, 16>& registers);

}  // namespace warpfiber::engine
