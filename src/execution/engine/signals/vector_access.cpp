// SPDX-License-Identifier: Apache-2.0
//
// MOVAPS, MOVAPD, MOVDQA, MOVNTPS and MOVNTDQ, with or without VEX (Intel SDM, volume 2, "Instruction Format" and the
// pages of these instructions).
#include "engine/signals/sample.hpp"

#include <cstring>

namespace warpfiber::engine {
namespace {

/// What prefixes say, each register's fourth bit at its place.
struct Prefixes {
  bool has_operand_size = false;  // 66
  unsigned index_bit = 0;
  unsigned base_bit = 0;
};

/// Reads to the opcode of the map 0F; null for instructions of another form.
const unsigned char* read_prefixes(const unsigned char* at, Prefixes& found) {
  if (*at == 0xC5) {  // VEX of two bytes, R vvvv L pp
    found.has_operand_size = (at[1] & 3U) == 1;
    return at + 2;
  }
  if (*at == 0xC4) {  // of three: R X B and the map, W vvvv L pp
    if ((at[1] & 0x1FU) != 1) return nullptr;
    found.index_bit = (at[1] & 0x40U) == 0 ? 8 : 0;
    found.base_bit = (at[1] & 0x20U) == 0 ? 8 : 0;
    found.has_operand_size = (at[2] & 3U) == 1;
    return at + 3;
  }
  if (*at == 0x66) {
    found.has_operand_size = true;
    ++at;
  }
  if ((*at & 0xF0U) == 0x40) {  // REX
    found.index_bit = (*at & 2U) != 0 ? 8 : 0;
    found.base_bit = (*at & 1U) != 0 ? 8 : 0;
    ++at;
  }
  return *at == 0x0F ? at + 1 : nullptr;
}

bool is_move(unsigned char opcode, bool has_operand_size) {
  return opcode == 0x28 || opcode == 0x29 || opcode == 0x2B ||
         (has_operand_size && (opcode == 0x6F || opcode == 0x7F || opcode == 0xE7));
}

std::uint64_t displacement(const unsigned char* at, unsigned bytes) {
  if (bytes == 1) return static_cast<std::uint64_t>(static_cast<signed char>(*at));
  std::int32_t wide = 0;
  if (bytes == 4) std::memcpy(&wide, at, sizeof wide);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(wide));
}

}  // namespace

std::optional<VectorAccess> vector_access(const unsigned char* code, const std::array<std::uint64_t, 16>& registers) {
  Prefixes prefixes;
  const unsigned char* at = read_prefixes(code, prefixes);
  if (at == nullptr || !is_move(*at, prefixes.has_operand_size)) return std::nullopt;
  const bool writes = *at != 0x28 && *at != 0x6F;
  const unsigned operand = *++at;
  const unsigned mode = operand >> 6U;
  const unsigned base = operand & 7U;
  ++at;
  // A register, or an address that counts from the instruction: those are constants, which are aligned.
  if (mode == 3 || (mode == 0 && base == 5)) return std::nullopt;
  std::uint64_t address = 0;
  bool has_base = true;
  if (base == 4) {
    const unsigned sib = *at++;
    const unsigned index = ((sib >> 3U) & 7U) | prefixes.index_bit;
    if (index != 4) address = registers[index] << (sib >> 6U);
    has_base = mode != 0 || (sib & 7U) != 5;
    if (has_base) address += registers[(sib & 7U) | prefixes.base_bit];
  } else {
    address = registers[base | prefixes.base_bit];
  }
  address += displacement(at, mode == 1 ? 1 : mode == 2 || !has_base ? 4 : 0);
  return VectorAccess{address, writes};
}

}  // namespace warpfiber::engine
