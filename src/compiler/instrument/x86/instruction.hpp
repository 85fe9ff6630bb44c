// SPDX-License-Identifier: Apache-2.0
// One instruction of x86-64 in 64-bit mode, decoded as far as it takes to know its length, where control goes after it,
// and what memory it names (Intel SDM, volume 2, chapter 2 and appendix A). Functions call nothing and use general
// registers only, so that they may run between any two instructions of a program. Who may call: the engine, which
// leaves out single accesses.
#pragma once

#include <cstdint>

namespace warpfiber::instrument::x86 {

/// The general registers in the order of their numbers in instructions.
enum Register : unsigned { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, kRegisters = 16 };

struct Registers {
  std::uint64_t general[kRegisters];
  std::uint64_t flags;
};

/// Where control goes after an instruction.
enum class Flow : std::uint8_t {
  next,
  jump,         // to the target
  conditional,  // there, or to the next one
  elsewhere,    // a call, a return, a jump through a register, the kernel
};

/// What an instruction does to memory that its operand does not name.
enum class Strings : std::uint8_t { none, store, move, other };

inline constexpr std::uint8_t kNoRegister = 0xff;

struct MachineInstruction {
  std::uint8_t bytes = 0;  // 0: it is not known, and nothing else holds
  Flow flow = Flow::next;
  Strings strings = Strings::none;
  bool repeats = false;           // as long as rcx says
  std::uint8_t width = 0;         // of what strings move at a time, in bytes
  bool has_memory = false;        // the operand below
  bool only_names = false;        // it, and does not access it
  bool is_relative = false;       // to the next instruction
  bool has_vector_index = false;  // the operand is several
  bool is_elsewhere = false;      // the operand is in another segment, or has an address of 32 bits
  bool is_scaled = false;         // a displacement of one byte counts in units of the operand's size
  std::uint8_t base = kNoRegister;
  std::uint8_t index = kNoRegister;
  std::uint8_t index_shift = 0;
  std::int32_t displacement = 0;
  std::int64_t target = 0;        // of a jump, from its own first byte
  std::uint8_t condition = 0;     // of a conditional jump, as in its code
  std::uint8_t prefix_at = 0;     // where REX, VEX or EVEX begins
  std::uint8_t prefix_bytes = 0;  // of that; 0: none
  std::uint8_t operand_at = 0;    // where ModRM is
  std::uint8_t operand_end = 0;   // behind ModRM, SIB and displacement
};

MachineInstruction decode(const std::uint8_t* code);

/// Where the operand in memory is, for an instruction at `code`. Of a scaled displacement, in units of `unit` bytes.
std::uint64_t operand_address(const MachineInstruction& of, const std::uint8_t* code, const Registers& registers,
                              unsigned unit = 1);

/// Whether a conditional jump jumps.
bool holds(std::uint8_t condition, std::uint64_t flags);

inline constexpr unsigned kMostBytes = 15;

/// Writes to `to` the same instruction with `operand` in place of its operand in memory, which is not of several parts.
/// Returns its length; 0 where the operand is too far from `to`.
unsigned with_operand(const MachineInstruction& of, const std::uint8_t* code, std::uint8_t* to, const void* operand);

}  // namespace warpfiber::instrument::x86
