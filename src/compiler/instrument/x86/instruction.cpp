// SPDX-License-Identifier: Apache-2.0
// Opcodes are looked up in tables of bits; what follows the opcode is the same for all of them.
#include "instrument/x86/instruction.hpp"

#include <limits>

namespace warpfiber::instrument::x86 {
namespace {

/// What follows an opcode.
enum Shape : std::uint8_t {
  kPlain = 0,
  kOperand = 1,  // ModRM
  kByte = 2,     // an immediate of one byte
  kWord = 4,     // of two bytes
  kNatural = 8,  // of four, or two with the prefix for small operands
  kUnknown = 16,
};

/// Opcodes `first` to `last`.
struct Opcodes {
  std::uint8_t first;
  std::uint8_t last;
  std::uint8_t shape;
};

// One byte. Those below 40 are sums and bit operations of eight each, which shape_of() knows.
constexpr Opcodes kOneByte[] = {
    {0x40, 0x4f, kUnknown},  // prefixes, which have been read
    {0x60, 0x62, kUnknown},
    {0x63, 0x63, kOperand},
    {0x68, 0x68, kNatural},
    {0x69, 0x69, kOperand | kNatural},
    {0x6a, 0x6a, kByte},
    {0x6b, 0x6b, kOperand | kByte},
    {0x70, 0x7f, kByte},
    {0x80, 0x80, kOperand | kByte},
    {0x81, 0x81, kOperand | kNatural},
    {0x82, 0x82, kUnknown},
    {0x83, 0x83, kOperand | kByte},
    {0x84, 0x8f, kOperand},
    {0x9a, 0x9a, kUnknown},
    {0xa0, 0xa3, kUnknown},  // addresses of eight bytes, which no compiler uses
    {0xa8, 0xa8, kByte},
    {0xa9, 0xa9, kNatural},
    {0xb0, 0xb7, kByte},
    {0xc0, 0xc1, kOperand | kByte},
    {0xc2, 0xc2, kWord},
    {0xc4, 0xc5, kUnknown},
    {0xc6, 0xc6, kOperand | kByte},
    {0xc7, 0xc7, kOperand | kNatural},
    {0xc8, 0xc8, kWord | kByte},
    {0xca, 0xca, kWord},
    {0xcd, 0xcd, kByte},
    {0xce, 0xce, kUnknown},
    {0xd0, 0xd3, kOperand},
    {0xd4, 0xd6, kUnknown},
    {0xd8, 0xdf, kOperand},
    {0xe0, 0xe7, kByte},
    {0xea, 0xea, kUnknown},
    {0xeb, 0xeb, kByte},
    {0xf6, 0xf7, kOperand},  // and an immediate, by what ModRM says
    {0xfe, 0xff, kOperand},
};

// After 0F: those without ModRM, and those with an immediate.
constexpr Opcodes kTwoBytes[] = {
    {0x04, 0x05, kPlain},           {0x06, 0x0c, kPlain},           {0x0e, 0x0e, kPlain},
    {0x0f, 0x0f, kUnknown},         {0x24, 0x27, kUnknown},         {0x30, 0x37, kPlain},
    {0x38, 0x3f, kUnknown},         {0x70, 0x73, kOperand | kByte}, {0x77, 0x77, kPlain},
    {0x80, 0x8f, kUnknown},         {0xa0, 0xa2, kPlain},           {0xa4, 0xa4, kOperand | kByte},
    {0xa6, 0xa7, kUnknown},         {0xa8, 0xaa, kPlain},           {0xac, 0xac, kOperand | kByte},
    {0xba, 0xba, kOperand | kByte}, {0xc2, 0xc2, kOperand | kByte}, {0xc4, 0xc6, kOperand | kByte},
    {0xc8, 0xcf, kPlain},
};

template <unsigned kRows>
std::uint8_t find_shape(const Opcodes (&rows)[kRows], std::uint8_t opcode, std::uint8_t others) {
  for (const Opcodes& row : rows) {
    if (opcode >= row.first && opcode <= row.last) return row.shape;
  }
  return others;
}

constexpr std::uint8_t kThreeBytes38 = 2;
constexpr std::uint8_t kThreeBytes3a = 3;

/// Where the decoder is.
struct Reader {
  const std::uint8_t* code;
  unsigned at = 0;
  bool small = false;         // operands of two bytes
  bool wide = false;          // of eight
  bool is_vector = false;     // VEX or EVEX
  std::uint8_t map = 0;       // of opcodes: 0: one byte, 1: 0F, 2: 0F 38, 3: 0F 3A
  std::uint8_t more_reg = 0;  // the highest bits of register numbers
  std::uint8_t more_index = 0;
  std::uint8_t more_base = 0;

  std::uint8_t take() { return code[at++]; }
  std::int32_t take_signed(unsigned bytes) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint32_t{take()} << (8 * i);
    if (bytes == 1) return static_cast<std::int8_t>(value);
    if (bytes == 2) return static_cast<std::int16_t>(value);
    return static_cast<std::int32_t>(value);
  }
};

/// Prefixes that were there before there was REX.
void read_old_prefixes(Reader& in, MachineInstruction& made) {
  for (; in.at < kMostBytes; ++in.at) {
    const std::uint8_t byte = in.code[in.at];
    if (byte == 0x66) {
      in.small = true;
    } else if (byte == 0x67 || byte == 0x64 || byte == 0x65) {
      made.is_elsewhere = true;
    } else if (byte == 0xf2 || byte == 0xf3) {
      made.repeats = true;
    } else if (byte != 0xf0 && byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26) {
      return;
    }
  }
}

void read_rex(Reader& in) {
  const std::uint8_t rex = in.take();
  in.wide = (rex & 8) != 0;
  in.more_reg = (rex & 4) << 1;
  in.more_index = (rex & 2) << 2;
  in.more_base = (rex & 1) << 3;
}

/// VEX and EVEX hold such bits inverted.
void read_vex(Reader& in) {
  const bool is_short = in.take() == 0xc5;
  const std::uint8_t first = in.take();
  in.is_vector = true;
  in.map = 1;
  in.more_reg = (~first & 0x80) >> 4;
  if (is_short) return;
  in.more_index = (~first & 0x40) >> 3;
  in.more_base = (~first & 0x20) >> 2;
  in.map = first & 0x1f;
  in.wide = (in.take() & 0x80) != 0;
}

void read_evex(Reader& in, MachineInstruction& made) {
  in.take();
  const std::uint8_t first = in.take();
  in.is_vector = made.is_scaled = true;
  in.more_reg = (~first & 0x80) >> 4;
  in.more_index = (~first & 0x40) >> 3;
  in.more_base = (~first & 0x20) >> 2;
  in.map = first & 7;
  in.at += 2;
}

void read_map(Reader& in) {
  if (in.is_vector || in.code[in.at] != 0x0f) return;
  ++in.at;
  in.map = 1;
  const std::uint8_t next = in.code[in.at];
  if (next != 0x38 && next != 0x3a) return;
  ++in.at;
  in.map = next == 0x38 ? kThreeBytes38 : kThreeBytes3a;
}

void read_prefixes(Reader& in, MachineInstruction& made) {
  read_old_prefixes(in, made);
  made.prefix_at = static_cast<std::uint8_t>(in.at);
  const std::uint8_t byte = in.code[in.at];
  if ((byte & 0xf0) == 0x40) read_rex(in);
  if (byte == 0xc4 || byte == 0xc5) read_vex(in);
  if (byte == 0x62) read_evex(in, made);
  made.prefix_bytes = static_cast<std::uint8_t>(in.at - made.prefix_at);
  read_map(in);
}

std::uint8_t shape_of(const Reader& in, std::uint8_t opcode) {
  if (in.map == kThreeBytes38) return kOperand;
  if (in.map == kThreeBytes3a) return kOperand | kByte;
  if (in.is_vector && in.map > kThreeBytes3a) return in.map == 5 || in.map == 6 ? kOperand : kUnknown;
  if (in.map == 1) return find_shape(kTwoBytes, opcode, kOperand);
  if (opcode >= 0x40) return find_shape(kOneByte, opcode, kPlain);
  constexpr std::uint8_t kOfEight[] = {kOperand, kOperand, kOperand, kOperand, kByte, kNatural, kUnknown, kUnknown};
  return kOfEight[opcode & 7];
}

void read_sib(Reader& in, MachineInstruction& made, unsigned mode) {
  const std::uint8_t sib = in.take();
  made.index_shift = sib >> 6;
  const std::uint8_t index = ((sib >> 3) & 7) | in.more_index;
  if (index != rsp || made.has_vector_index) made.index = index;
  const std::uint8_t base = sib & 7;
  if (base != rbp || mode != 0) {
    made.base = base | in.more_base;
    return;
  }
  made.displacement = in.take_signed(4);
}

/// ModRM and what belongs to it. Returns its middle number.
unsigned read_operand(Reader& in, MachineInstruction& made) {
  made.operand_at = static_cast<std::uint8_t>(in.at);
  const std::uint8_t byte = in.take();
  const unsigned mode = byte >> 6;
  const std::uint8_t low = byte & 7;
  made.has_memory = mode != 3;
  if (made.has_memory && low == rsp) {
    read_sib(in, made, mode);
  } else if (mode == 0 && low == rbp) {
    made.is_relative = true;
    made.displacement = in.take_signed(4);
  } else if (made.has_memory) {
    made.base = low | in.more_base;
  }
  made.is_scaled = made.is_scaled && mode == 1;
  if (mode == 1) made.displacement = in.take_signed(1);
  if (mode == 2) made.displacement = in.take_signed(4);
  made.operand_end = static_cast<std::uint8_t>(in.at);
  return (byte >> 3) & 7;
}

bool is_gather(const Reader& in, std::uint8_t opcode) {
  const bool gathers = (opcode >= 0x90 && opcode <= 0x93) || (opcode >= 0xa0 && opcode <= 0xa3);
  return in.is_vector && in.map == kThreeBytes38 && (gathers || opcode == 0xc6 || opcode == 0xc7);
}

unsigned natural_bytes(const Reader& in, std::uint8_t opcode) {
  if (in.map == 0 && (opcode & 0xf8) == 0xb8 && in.wide) return 8;
  return in.small && !in.wide ? 2 : 4;
}

void read_jump(Reader& in, MachineInstruction& made, Flow flow, unsigned bytes) {
  const std::int32_t distance = in.take_signed(bytes);
  made.flow = flow;
  made.target = static_cast<std::int64_t>(in.at) + distance;
}

/// The instructions after which control may go elsewhere, all without ModRM. False: it is none of them.
bool read_flow(Reader& in, MachineInstruction& made, std::uint8_t opcode) {
  made.condition = opcode & 15;
  if (in.map == 1) {
    if ((opcode & 0xf0) == 0x80) {
      read_jump(in, made, Flow::conditional, 4);
      return true;
    }
    if (opcode == 0x05 || opcode == 0x0b || opcode == 0x34) made.flow = Flow::elsewhere;
    return false;
  }
  if (in.map != 0) return false;
  if ((opcode & 0xf0) == 0x70) {
    read_jump(in, made, Flow::conditional, 1);
  } else if (opcode == 0xeb || opcode == 0xe9) {
    read_jump(in, made, Flow::jump, opcode == 0xeb ? 1 : 4);
  } else if (opcode == 0xe8) {
    read_jump(in, made, Flow::elsewhere, 4);
  } else {
    const bool leaves = (opcode >= 0xc2 && opcode <= 0xc3) || (opcode >= 0xca && opcode <= 0xcf) ||
                        (opcode >= 0xe0 && opcode <= 0xe7) || (opcode >= 0xec && opcode <= 0xef) || opcode == 0xf1 ||
                        opcode == 0xf4 || (opcode >= 0xfa && opcode <= 0xfb);
    if (leaves) made.flow = Flow::elsewhere;
    return false;
  }
  return true;
}

void note_strings(const Reader& in, MachineInstruction& made, std::uint8_t opcode) {
  const bool is_string = (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf) ||
                         (opcode >= 0x6c && opcode <= 0x6f) || opcode == 0xd7;
  if (in.map != 0 || !is_string) return;
  made.strings = (opcode & 0xfe) == 0xa4 ? Strings::move : (opcode & 0xfe) == 0xaa ? Strings::store : Strings::other;
  made.width = (opcode & 1) == 0 ? 1 : in.wide ? 8 : in.small ? 2 : 4;
}

/// Addresses that are computed, prefetches and instructions that do nothing.
bool only_names(const Reader& in, std::uint8_t opcode) {
  if (in.map == 0) return opcode == 0x8d;
  return in.map == 1 && !in.is_vector && (opcode == 0x0d || (opcode >= 0x18 && opcode <= 0x1f));
}

/// Immediates and what the middle number of ModRM chooses.
void read_rest(Reader& in, MachineInstruction& made, std::uint8_t opcode, std::uint8_t shape) {
  if ((shape & kOperand) != 0) {
    const unsigned number = read_operand(in, made);
    const bool is_test = in.map == 0 && (opcode == 0xf6 || opcode == 0xf7) && number < 2;
    if (is_test) shape |= opcode == 0xf6 ? kByte : kNatural;
    if (in.map == 0 && opcode == 0xff && number >= 2 && number <= 5) made.flow = Flow::elsewhere;
    if (in.map == 0 && opcode == 0x8f) made.has_memory = false;  // pop, which addresses the stack as it is then
  }
  if ((shape & kByte) != 0) ++in.at;
  if ((shape & kWord) != 0) in.at += 2;
  if ((shape & kNatural) != 0) in.at += natural_bytes(in, opcode);
}

}  // namespace

MachineInstruction decode(const std::uint8_t* code) {
  MachineInstruction made;
  Reader in{.code = code};
  read_prefixes(in, made);
  const std::uint8_t opcode = in.take();
  if (!read_flow(in, made, opcode)) {
    std::uint8_t shape = shape_of(in, opcode);
    if (in.map == 0 && (opcode & 0xf8) == 0xb8) shape = kNatural;
    if (shape == kUnknown || in.at > kMostBytes) return made;
    made.has_vector_index = is_gather(in, opcode);
    made.only_names = only_names(in, opcode);
    note_strings(in, made, opcode);
    read_rest(in, made, opcode, shape);
  }
  if (in.at <= kMostBytes) made.bytes = static_cast<std::uint8_t>(in.at);
  return made;
}

std::uint64_t operand_address(const MachineInstruction& of, const std::uint8_t* code, const Registers& registers,
                              unsigned unit) {
  const std::int64_t scale = of.is_scaled ? unit : 1;
  std::uint64_t address = static_cast<std::uint64_t>(of.displacement * scale);
  if (of.is_relative) return address + reinterpret_cast<std::uintptr_t>(code) + of.bytes;
  if (of.base != kNoRegister) address += registers.general[of.base];
  if (of.index != kNoRegister) address += registers.general[of.index] << of.index_shift;
  return address;
}

bool holds(std::uint8_t condition, std::uint64_t flags) {
  const bool carry = (flags & 1) != 0;
  const bool parity = (flags >> 2 & 1) != 0;
  const bool zero = (flags >> 6 & 1) != 0;
  const bool sign = (flags >> 7 & 1) != 0;
  const bool overflow = (flags >> 11 & 1) != 0;
  const bool table[] = {overflow, carry, zero, carry || zero, sign, parity, sign != overflow, zero || sign != overflow};
  return table[condition >> 1 & 7] != ((condition & 1) != 0);
}

unsigned with_operand(const MachineInstruction& of, const std::uint8_t* code, std::uint8_t* to, const void* operand) {
  unsigned written = 0;
  for (; written <= of.operand_at; ++written) to[written] = code[written];
  std::uint8_t* const prefix = to + of.prefix_at;
  // No register is added: of REX the bits for base and index are cleared, and of VEX and EVEX set.
  if (of.prefix_bytes == 1) prefix[0] &= 0xfc;
  if (of.prefix_bytes == 3 || of.prefix_bytes == 4) prefix[1] |= 0x60;
  to[of.operand_at] = (code[of.operand_at] & 0x38) | rbp;
  const unsigned bytes = written + 4 + (of.bytes - of.operand_end);
  const std::int64_t distance = reinterpret_cast<std::intptr_t>(operand) - reinterpret_cast<std::intptr_t>(to + bytes);
  if (distance < std::numeric_limits<std::int32_t>::min() || distance > std::numeric_limits<std::int32_t>::max())
    return 0;
  for (unsigned i = 0; i < 4; ++i) to[written++] = static_cast<std::uint8_t>(distance >> (8 * i));
  for (unsigned i = of.operand_end; i < of.bytes; ++i) to[written++] = code[i];
  return written;
}

}  // namespace warpfiber::instrument::x86
