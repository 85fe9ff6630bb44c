// SPDX-License-Identifier: Apache-2.0
// Where instructions of a program run with a private word in place of the memory that they name: copies of them, and
// the memory that the copies use instead. Belongs to one OS thread, on which one copy runs at a time. Functions but
// of_this_thread() and release() use general registers only and call nothing outside of this folder. Linux on x86-64.
#pragma once

#include <cstddef>
#include <cstdint>

#include "instrument/x86/instruction.hpp"

namespace warpfiber::instrument::x86 {

class CodeArea {
 public:
  /// The calling OS thread's; null where the system refuses memory for code that is written at run time. Made by the
  /// first call, near `code`.
  static CodeArea* of_this_thread(const void* code);
  /// The same, without making one.
  static CodeArea* known();
  /// The calling OS thread ends.
  static void release();

  /// A copy of the instruction at `code` that uses our memory, which holds 0, and then goes to `next`. Null where there
  /// is none.
  const std::uint8_t* without_access(const MachineInstruction& of, const std::uint8_t* code, const void* next);
  /// The same of one that does what the original does.
  const std::uint8_t* followed_by(const MachineInstruction& of, const std::uint8_t* code, const void* next);

  /// What an instruction in the area is a copy of; null elsewhere.
  const std::uint8_t* original_of(const void* instruction) const;

 private:
  static constexpr std::size_t kCopies = 512;        // by the last bits of the originals' addresses
  static constexpr std::size_t kCopyBytes = 48;      // an instruction, a jump, and where that goes
  static constexpr std::size_t kMemoryBytes = 4096;  // no operand is larger
  static constexpr std::size_t kOperandBytes = 64;   // of those that are not rare

  struct Copy {
    const std::uint8_t* original = nullptr;
    const void* next = nullptr;
    bool is_without = false;  // the access
  };

  static std::size_t code_bytes();
  static std::size_t mapped_bytes();
  static CodeArea* make(const void* code);
  std::uint8_t* place_of(std::size_t index) { return code_ + index * kCopyBytes; }
  static void put_jump(std::uint8_t* at, const void* to);
  void clear_memory();

  std::uint8_t* code_ = nullptr;
  std::uint8_t* memory_ = nullptr;
  Copy copies_[kCopies];
};

}  // namespace warpfiber::instrument::x86
