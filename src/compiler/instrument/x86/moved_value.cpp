// SPDX-License-Identifier: Apache-2.0
// One walk of a function's instructions. Where the value is is kept as sets of registers and of places on the stack.
// The opcodes below are those that compilers move values with; any other that names a register with the value uses it.
#include "instrument/x86/moved_value.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "instrument/x86/instruction.hpp"

namespace warpfiber::instrument::x86 {
namespace {

constexpr std::uint8_t kNumberMask = 7;
constexpr std::uint32_t bit(unsigned number) {
  return std::uint32_t{1} << number;
}
constexpr std::uint32_t kKeptByCalls = bit(rbx) | bit(rsp) | bit(rbp) | bit(12) | bit(13) | bit(14) | bit(15);
constexpr std::uint32_t kArguments = bit(rdi) | bit(rsi) | bit(rdx) | bit(rcx) | bit(8) | bit(9);
constexpr std::uint32_t kVectorArguments = 0xff;

bool is_one_of(std::uint8_t opcode, std::initializer_list<std::uint8_t> opcodes) {
  return std::ranges::find(opcodes, opcode) != opcodes.end();
}

/// An instruction with what its bytes say besides.
struct MovingOperation {
  MachineInstruction of;
  std::uint8_t map = 0;  // of opcodes: 0: one byte, 1: 0F, more: others
  std::uint8_t opcode = 0;
  bool is_vex = false;
  bool is_evex = false;
  bool small = false;        // 66
  std::uint8_t repeat = 0;   // F2 or F3
  bool wide = false;         // operands of eight bytes
  bool has_operand = false;  // ModRM
  unsigned reg = 0;          // the middle number of ModRM
  unsigned rm = 0;           // the last, or the one in the opcode
  unsigned more = 0;         // the register that VEX names
  std::int32_t immediate = 0;

  bool names_register() const { return has_operand && !of.has_memory; }
};

void read_old_prefixes(MovingOperation& made, const std::uint8_t* code) {
  for (unsigned i = 0; i < made.of.prefix_at; ++i) {
    if (code[i] == 0x66) made.small = true;
    if (code[i] == 0xf2 || code[i] == 0xf3) made.repeat = code[i];
  }
}

/// VEX holds most of its bits inverted.
void read_vex(MovingOperation& made, const std::uint8_t* vex, std::uint8_t& rex) {
  const bool is_short = made.of.prefix_bytes == 2;
  const std::uint8_t last = vex[made.of.prefix_bytes - 1];
  made.is_vex = true;
  made.map = is_short ? 1 : vex[1] & 0x1f;
  rex = (~vex[1] & 0x80) != 0 ? 4 : 0;
  if (!is_short) rex |= ((~vex[1] & 0x20) != 0 ? 1 : 0) | ((last & 0x80) != 0 ? 8 : 0);
  made.more = ~last >> 3 & 15;
  constexpr std::uint8_t kPrefixes[] = {0, 0x66, 0xf3, 0xf2};
  made.small = (last & 3) == 1;
  made.repeat = (last & 3) >= 2 ? kPrefixes[last & 3] : 0;
}

MovingOperation operation_at(const std::uint8_t* code) {
  MovingOperation made{.of = decode(code)};
  if (made.of.bytes == 0) return made;
  read_old_prefixes(made, code);
  const std::uint8_t* at = code + made.of.prefix_at;
  std::uint8_t rex = made.of.prefix_bytes == 1 ? at[0] : 0;
  made.is_evex = made.of.prefix_bytes == 4;
  if (made.of.prefix_bytes == 2 || made.of.prefix_bytes == 3) read_vex(made, at, rex);
  at += made.of.prefix_bytes;
  if (!made.is_vex && *at == 0x0f) {
    made.map = at[1] == 0x38 ? 2 : at[1] == 0x3a ? 3 : 1;
    at += made.map == 1 ? 1 : 2;
  }
  made.opcode = *at;
  made.wide = (rex & 8) != 0;
  made.has_operand = made.of.operand_at != 0;
  const std::uint8_t numbers = made.has_operand ? code[made.of.operand_at] : *at;
  made.reg = (numbers >> 3 & kNumberMask) | (rex & 4) << 1;
  made.rm = (numbers & kNumberMask) | (rex & 1) << 3;
  const unsigned behind = made.has_operand ? made.of.bytes - made.of.operand_end : 0;
  if (behind == 1) made.immediate = static_cast<std::int8_t>(code[made.of.operand_end]);
  if (behind == 4) std::memcpy(&made.immediate, code + made.of.operand_end, sizeof made.immediate);
  return made;
}

/// Bytes on the stack: `at` from where the stack's end was at the load, or from rbp.
struct StackPlace {
  bool of_frame = false;
  std::int32_t at = 0;
  std::int32_t bytes = 0;

  bool overlaps(const StackPlace& other) const {
    return of_frame == other.of_frame && at < other.at + other.bytes && other.at < at + bytes;
  }
  bool contains(const StackPlace& other) const {
    return of_frame == other.of_frame && at <= other.at && other.at + other.bytes <= at + bytes;
  }
  friend bool operator==(const StackPlace&, const StackPlace&) = default;
};

/// Where the value is at an instruction.
struct Whereabouts {
  bool is_loaded = false;
  bool is_stored = false;  // to memory that is not the stack
  bool switches = false;   // rsp has another stack's end: the thread goes on later behind the next jump
  std::uint32_t general = 0;
  std::uint32_t vector = 0;
  std::int32_t pushed = 0;  // bytes
  std::vector<StackPlace> places{};

  bool nowhere() const { return is_loaded && general == 0 && vector == 0 && places.empty(); }
  bool is_on(const StackPlace& place) const {
    return std::ranges::any_of(places, [&place](const StackPlace& one) { return one.overlaps(place); });
  }
  void put(const StackPlace& place, bool has_it) {
    std::erase_if(places, [&place](const StackPlace& one) { return place.contains(one); });
    if (has_it) places.push_back(place);
  }
  friend bool operator==(const Whereabouts&, const Whereabouts&) = default;
};

enum class RegisterClass { general, vector };

/// How an instruction moves a value between a register and a register or memory.
struct Movement {
  bool moves = false;
  bool to_operand = false;  // from the register in the middle of ModRM
  RegisterClass reg = RegisterClass::general;
  RegisterClass rm = RegisterClass::general;
  std::int32_t bytes = 0;
};

Movement movement_of(const MovingOperation& op) {
  const std::int32_t natural = op.wide ? 8 : 4;
  if (op.is_evex || (op.is_vex && op.map != 1)) return {};
  if (op.map == 0) {
    if (op.small || (op.opcode != 0x89 && op.opcode != 0x8b)) return {};
    return {true, op.opcode == 0x89, RegisterClass::general, RegisterClass::general, natural};
  }
  if (op.map != 1) return {};
  const std::int32_t of_vector = op.repeat == 0xf3 ? 4 : op.repeat == 0xf2 ? 8 : 16;
  constexpr RegisterClass kVector = RegisterClass::vector;
  switch (op.opcode) {
    case 0x10:
    case 0x11: return {true, op.opcode == 0x11, kVector, kVector, of_vector};
    case 0x28:
    case 0x29: return {true, op.opcode == 0x29, kVector, kVector, 16};
    case 0x6f:
    case 0x7f: return {op.small || op.repeat == 0xf3, op.opcode == 0x7f, kVector, kVector, 16};
    case 0x6e: return {op.small, false, kVector, RegisterClass::general, natural};
    case 0x7e:
      if (op.repeat == 0xf3) return {true, false, kVector, kVector, 8};
      return {op.small, true, kVector, RegisterClass::general, natural};
    case 0xd6: return {op.small, true, kVector, kVector, 8};
    case 0x13: return {op.of.has_memory, true, kVector, kVector, 8};
    default: return {};
  }
}

/// Which of its registers an instruction names as vectors; the others are general, or may be both.
struct Classes {
  bool general = true;
  bool vector = true;
};
Classes classes_of(const MovingOperation& op) {
  if (op.map == 0) return {true, false};
  if (op.map != 1 || op.is_vex) return {};
  const std::uint8_t code = op.opcode;
  const bool is_general = (code >= 0x40 && code <= 0x4f) || (code >= 0x90 && code <= 0x9f) ||
                          (code >= 0xa0 && code <= 0xc1) || code == 0xc3 || (code >= 0xc7 && code <= 0xcf);
  if (is_general) return {true, false};
  return is_one_of(code, {0x2a, 0x2c, 0x2d, 0x50, 0x6e, 0x7e, 0xc4, 0xc5, 0xd7}) ? Classes{} : Classes{false, true};
}

/// Where the middle number of ModRM is part of the opcode.
bool is_group(const MovingOperation& op) {
  if (op.map == 0)
    return (op.opcode >= 0x80 && op.opcode <= 0x83) || op.opcode == 0x8f || is_one_of(op.opcode, {0xc0, 0xc1, 0xc6}) ||
           op.opcode == 0xc7 || (op.opcode >= 0xd0 && op.opcode <= 0xdf) || is_one_of(op.opcode, {0xf6, 0xf7, 0xfe}) ||
           op.opcode == 0xff;
  return op.map == 1 && is_one_of(op.opcode, {0x00, 0x01, 0x0d, 0x18, 0x71, 0x72, 0x73, 0xae, 0xba, 0xc7});
}

/// Of those that only write the register in the middle of ModRM, a general one.
bool makes_register(const MovingOperation& op) {
  if (op.is_vex) return false;
  if (op.map == 0) return is_one_of(op.opcode, {0x63, 0x69, 0x6b, 0x8d});
  return op.map == 1 && is_one_of(op.opcode, {0x2c, 0x2d, 0x50, 0xb6, 0xb7, 0xbe, 0xbf, 0xc5, 0xd7});
}

/// Registers that instructions use without naming them.
std::uint32_t unnamed_registers(const MovingOperation& op) {
  constexpr std::uint32_t kProducts = bit(rax) | bit(rdx) | bit(rcx);
  if (op.of.strings != Strings::none) return kProducts | bit(rsi) | bit(rdi);
  if (op.map == 1) return is_one_of(op.opcode, {0xa2, 0xa5, 0xad, 0xb0, 0xb1, 0xc7}) ? kProducts | bit(rbx) : 0;
  if (op.map != 0) return 0;
  if (!op.has_operand) {
    const bool changes_by_number = op.opcode >= 0x91 && op.opcode <= 0x97;
    const bool is_immediate = (op.opcode & 0xf0) == 0xb0 || op.opcode == 0x90;
    return is_immediate ? 0 : kProducts | (changes_by_number ? bit(op.rm) : 0);
  }
  if (op.opcode == 0xd2 || op.opcode == 0xd3) return bit(rcx);
  const bool is_product = (op.opcode == 0xf6 || op.opcode == 0xf7) && (op.reg & kNumberMask) >= 4;
  return is_product ? bit(rax) | bit(rdx) : 0;
}

/// x ^ x and x - x are 0.
bool makes_zero(const MovingOperation& op) {
  if (!op.names_register() || op.reg != op.rm) return false;
  if (op.is_vex && op.more != op.rm) return false;
  if (op.map == 0) return is_one_of(op.opcode, {0x29, 0x2b, 0x31, 0x33});
  return op.map == 1 && is_one_of(op.opcode, {0x57, 0xef});
}

enum class Next { goes_on, ends, is_use };

class Walk {
 public:
  Walk(const std::uint8_t* code, const IsHook& is_hook) : is_hook_(is_hook) {
    paths_.emplace_back(code, Whereabouts());
  }

  bool only_moves() {
    while (!paths_.empty()) {
      auto [code, where] = std::move(paths_.back());
      paths_.pop_back();
      if (!follow(code, std::move(where))) return false;
    }
    return has_loaded_;
  }

 private:
  static constexpr unsigned kMost = 4096;  // instructions, of all paths

  /// One path to its end, or to where another has been. False: there is a use.
  bool follow(const std::uint8_t* code, Whereabouts where) {
    for (;; ++steps_) {
      if (where.nowhere() || is_known(code, where)) return true;
      if (steps_ == kMost) return false;
      const MovingOperation op = operation_at(code);
      if (op.of.bytes == 0) return false;
      const std::uint8_t* target = code + op.of.target;
      Next next = Next::goes_on;
      if (op.of.flow == Flow::conditional) {
        paths_.emplace_back(target, where);
      } else if (op.of.flow == Flow::elsewhere) {
        next = leave(op, target, where);
      } else if (op.of.flow == Flow::next) {
        next = step(op, where);
      }
      if (next != Next::goes_on) return next == Next::ends;
      code = op.of.flow == Flow::jump ? target : code + op.of.bytes;
    }
  }

  /// Where paths meet: at the targets of jumps, and wherever they go from there.
  bool is_known(const std::uint8_t* code, const Whereabouts& where) {
    const std::pair known{code, where};
    if (std::ranges::find(known_, known) != known_.end()) return true;
    known_.push_back(known);
    return false;
  }

  /// Calls and returns.
  Next leave(const MovingOperation& op, const std::uint8_t* target, Whereabouts& where) const {
    if (op.map == 1) return op.opcode == 0x0b ? Next::ends : Next::is_use;
    if (op.opcode == 0xc3 || op.opcode == 0xc2) {
      const bool returns_it = (where.general & bit(rax)) != 0 || (where.vector & bit(0)) != 0;
      return where.is_loaded && (!returns_it || where.is_stored) ? Next::ends : Next::is_use;
    }
    if (op.opcode == 0xff && (op.reg & kNumberMask) == 4 && where.switches) return resume(where);
    if (op.opcode != 0xe8 || !where.is_loaded || (where.general & bit(rdi)) != 0) return Next::is_use;
    const bool passes = (where.general & kArguments) != 0 || (where.vector & kVectorArguments) != 0;
    // What is on the stack may be a variable that the function is given the address of.
    if ((passes || !where.places.empty()) && !is_hook_(target)) return Next::is_use;
    where.general &= kKeptByCalls;
    where.vector = 0;
    return Next::goes_on;
  }

  /// A thread that waits comes back with nothing but its stack and rbp.
  static Next resume(Whereabouts& where) {
    if ((where.general & bit(rbp)) != 0) return Next::is_use;
    where.general = where.vector = 0;
    where.switches = false;
    return Next::goes_on;
  }

  Next step(const MovingOperation& op, Whereabouts& where) {
    if (op.map == 0 && !op.has_operand && op.opcode >= 0x50 && op.opcode <= 0x5f) return push_or_pop(op, where);
    if (is_address_of(op, where.general)) return Next::is_use;
    if (const Movement movement = movement_of(op); movement.moves && op.has_operand) return move(op, movement, where);
    if (changes_stack(op)) return change_stack(op, where);
    if (op.of.only_names && !(op.map == 0 && op.opcode == 0x8d)) return Next::goes_on;
    if (makes_zero(op)) {
      (op.map == 0 ? where.general : where.vector) &= ~bit(op.rm);
      return Next::goes_on;
    }
    if (uses(op, where)) return Next::is_use;
    set_untouched(op, where);
    return Next::goes_on;
  }

  static Next push_or_pop(const MovingOperation& op, Whereabouts& where) {
    constexpr std::int32_t kBytes = 8;
    if (op.opcode < 0x58) {
      where.pushed += kBytes;
      where.put({false, -where.pushed, kBytes}, (where.general & bit(op.rm)) != 0);
      return Next::goes_on;
    }
    const StackPlace place{false, -where.pushed, kBytes};
    set(where.general, op.rm, where.is_on(place));
    where.put(place, false);
    where.pushed -= kBytes;
    return Next::goes_on;
  }

  static bool is_address_of(const MovingOperation& op, std::uint32_t general) {
    const auto has = [general](std::uint8_t number) { return number < kRegisters && (general & bit(number)) != 0; };
    return op.has_operand && op.of.has_memory && (has(op.of.base) || has(op.of.index));
  }

  static void set(std::uint32_t& registers, unsigned number, bool has_it) {
    registers = has_it ? registers | bit(number) : registers & ~bit(number);
  }

  static bool is_on_stack(const MovingOperation& op) {
    return op.of.has_memory && op.of.base == rsp && op.of.index == kNoRegister && !op.of.is_elsewhere;
  }
  static bool may_be_frame(const MovingOperation& op) {
    return op.of.has_memory && op.of.base == rbp && op.of.index == kNoRegister && !op.of.is_elsewhere;
  }
  static StackPlace place_of(const MovingOperation& op, const Whereabouts& where, std::int32_t bytes) {
    const bool of_frame = op.of.base != rsp;
    return {of_frame, of_frame ? op.of.displacement : op.of.displacement - where.pushed, bytes};
  }

  Next move(const MovingOperation& op, const Movement& movement, Whereabouts& where) {
    std::uint32_t& of_reg = movement.reg == RegisterClass::general ? where.general : where.vector;
    std::uint32_t& of_rm = movement.rm == RegisterClass::general ? where.general : where.vector;
    if (op.names_register()) {
      if (op.is_vex && op.more != 0 && (where.vector & bit(op.more)) != 0) return Next::is_use;
      if (movement.to_operand) {
        set(of_rm, op.rm, (of_reg & bit(op.reg)) != 0);
      } else {
        set(of_reg, op.reg, (of_rm & bit(op.rm)) != 0);
      }
      return Next::goes_on;
    }
    return movement.to_operand ? store(op, movement, (of_reg & bit(op.reg)) != 0, where)
                               : load(op, movement, of_reg, where);
  }

  static Next store(const MovingOperation& op, const Movement& movement, bool has_it, Whereabouts& where) {
    const bool on_stack = is_on_stack(op);
    if (has_it && op.of.base == rsp && !on_stack) return Next::is_use;  // an array, which others read
    if (on_stack || may_be_frame(op)) where.put(place_of(op, where, movement.bytes), has_it);
    if (!on_stack && !where.is_loaded && !op.of.is_elsewhere) return Next::is_use;
    where.is_stored = where.is_stored || (has_it && !on_stack);
    return Next::goes_on;
  }

  Next load(const MovingOperation& op, const Movement& movement, std::uint32_t& registers, Whereabouts& where) {
    const bool on_stack = is_on_stack(op);
    const bool is_it = !where.is_loaded && !on_stack && !op.of.is_elsewhere;
    const bool may_be_kept = on_stack || may_be_frame(op);
    set(registers, op.reg, is_it || (may_be_kept && where.is_on(place_of(op, where, movement.bytes))));
    where.switches = where.switches || (op.map == 0 && op.reg == rsp);
    where.is_loaded = where.is_loaded || is_it;
    has_loaded_ = has_loaded_ || is_it;
    return Next::goes_on;
  }

  /// Sums of rsp and an immediate, and other values of it.
  static bool changes_stack(const MovingOperation& op) {
    if (op.map != 0 || op.is_vex) return false;
    if (op.opcode == 0xc9) return true;
    if (op.opcode == 0x8d) return op.reg == rsp;
    return op.names_register() && op.rm == rsp && (op.opcode == 0x81 || op.opcode == 0x83);
  }

  /// Only a function's epilogue gives rsp another value; what is on the stack is dead then.
  static Next change_stack(const MovingOperation& op, Whereabouts& where) {
    const unsigned kind = op.reg & kNumberMask;
    const bool is_sum = op.opcode != 0xc9 && op.opcode != 0x8d && (kind == 0 || kind == 5);
    if (is_sum) {
      where.pushed += kind == 5 ? op.immediate : -op.immediate;
    } else {
      where.places.clear();
    }
    return Next::goes_on;
  }

  static bool uses(const MovingOperation& op, const Whereabouts& where) {
    if (op.is_evex) return true;
    if ((where.general & unnamed_registers(op)) != 0 || op.of.strings != Strings::none) return true;
    if (!op.has_operand) return false;
    const Classes classes = classes_of(op);
    const std::uint32_t held = (classes.general ? where.general : 0) | (classes.vector ? where.vector : 0);
    if (!is_group(op) && !makes_register(op) && (held & bit(op.reg)) != 0) return true;
    if (op.is_vex && (held & bit(op.more)) != 0) return true;
    if (!op.of.has_memory) return (held & bit(op.rm)) != 0 && !is_immediate_to_register(op);
    constexpr std::int32_t kWidest = 64;
    const bool may_be_kept = is_on_stack(op) || may_be_frame(op);
    if (may_be_kept && where.is_on(place_of(op, where, kWidest))) return true;
    const bool may_be_it = !where.is_loaded && !is_on_stack(op) && !op.of.is_elsewhere && !op.of.only_names;
    return may_be_it;
  }

  static bool is_immediate_to_register(const MovingOperation& op) { return op.map == 0 && op.opcode == 0xc7; }

  /// Registers that hold something else afterwards.
  static void set_untouched(const MovingOperation& op, Whereabouts& where) {
    if (op.map == 0 && !op.has_operand && (op.opcode & 0xf8) == 0xb8) set(where.general, op.rm, false);
    if (op.names_register() && is_immediate_to_register(op)) set(where.general, op.rm, false);
    if (op.has_operand && makes_register(op)) set(where.general, op.reg, false);
  }

  const IsHook& is_hook_;
  std::vector<std::pair<const std::uint8_t*, Whereabouts>> paths_;
  std::vector<std::pair<const std::uint8_t*, Whereabouts>> known_;
  unsigned steps_ = 0;
  bool has_loaded_ = false;
};

}  // namespace

bool only_moves(const std::uint8_t* code, const IsHook& is_hook) {
  return Walk(code, is_hook).only_moves();
}

const std::uint8_t* called_before(const std::uint8_t* code) {
  constexpr unsigned kBytes = 5;
  const std::uint8_t* const call = code - kBytes;
  if (*call != 0xe8) return nullptr;
  return call + decode(call).target;
}

}  // namespace warpfiber::instrument::x86
