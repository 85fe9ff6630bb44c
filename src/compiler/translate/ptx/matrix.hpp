// SPDX-License-Identifier: Apache-2.0
// Instructions of matrices, whose modifiers say shapes and types.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpfiber::translate::ptx {

enum class MatrixOperandKind { registers, address, value };

/// A list of registers, an address in shared memory, or one register.
struct MatrixOperand {
  MatrixOperandKind kind;
  unsigned count = 1;
  std::string type = "b32";
};

/// What an instruction of a warp's matrices means: a function of ::warpfiber::ptx with template arguments, and what is
/// in its registers.
struct MatrixForm {
  std::string call;  // `mma_sync<…>`
  std::optional<MatrixOperand> result;
  std::vector<MatrixOperand> sources;
};

/// The form of an opcode, split at its dots; nothing where it is none of these, or no such shape and types exist.
std::optional<MatrixForm> find_matrix_form(const std::vector<std::string>& opcode);

}  // namespace warpfiber::translate::ptx
