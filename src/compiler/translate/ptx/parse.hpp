// SPDX-License-Identifier: Apache-2.0
//
// The text of an asm statement of the device, as PTX: declarations of registers, blocks, instructions with operands
// (PTX ISA, "Syntax"). Nothing here knows what an instruction does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::translate::ptx {

enum class InstructionKind { instruction, registers, label, open, close };

struct Instruction {
  InstructionKind kind = InstructionKind::instruction;
  std::string source;                 // as it was written, for messages
  std::string guard;                  // `p` or `!p` of `@!p`; empty
  std::vector<std::string> opcode;    // `ld.global.u32` at its dots; of registers: their type; a label's name
  std::vector<std::string> operands;  // without blanks
};

/// The statements of a PTX text; `%%` is `%`. Nothing where the text is not of that form (directives).
std::vector<Instruction> parse(std::string_view text);

/// The parts of a list at the commas that are in no bracket.
std::vector<std::string> split_operands(std::string_view list);

}  // namespace warpfiber::translate::ptx
