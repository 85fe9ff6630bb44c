// SPDX-License-Identifier: Apache-2.0
// How a checked translation unit asks that its text is edited before it is assembled
// (src/compiler/instrument/checked_assembly.hpp): with a word of data whose value is a symbol that the editor defines.
#pragma once

/// Asks once in each translation unit. The name is part of the linker's message where the text is not edited.
#define WARPFIBER_ASSEMBLY_REQUEST(symbol)                          \
  extern "C" const char symbol;                                     \
  namespace warpfiber::detail {                                     \
  [[gnu::used]] static const char* const asks_##symbol = &::symbol; \
  }                                                                 \
  static_assert(true)
