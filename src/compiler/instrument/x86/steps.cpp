// SPDX-License-Identifier: Apache-2.0
// The thread's registers are on its own stack, below the 128 bytes that its function may use without saying so.
#include <warpfiber/detail/config.hpp>
#include <warpfiber/detail/current_thread.hpp>

#include "base/targets.hpp"
#include "instrument/x86/steps.hpp"

#if defined(__linux__) && WARPFIBER_HOST_IS_X86_64

namespace warpfiber::instrument::x86 {

namespace {

// From the hook to the access. Without optimisation some ten instructions compute the address.
constexpr unsigned kSteps = 24;
constexpr std::size_t kOneAccess = 8;  // in bytes: wider ones may be several instructions
constexpr std::uint64_t kRedZone = 128;
constexpr std::uint64_t kLargestFrame = 256 << 10U;

extern "C" void warpfiber_come_back();  // where copies go

bool meets(std::uintptr_t from, std::size_t bytes, std::uintptr_t address, std::size_t size) {
  return from < address + size && address < from + bytes;
}

/// Whether the operand is a place in the frame and further on by the index. What compilers fold into the displacement
/// is a small constant, "a[i + 1]".
bool names_element(const MachineInstruction& one, const Registers& registers) {
  if (!one.has_memory || one.is_relative || one.has_vector_index || one.is_elsewhere || one.is_scaled) return false;
  if (one.base == kNoRegister || one.index == kNoRegister) return false;
  constexpr std::uint64_t kFolded = 16;
  const std::uint64_t base = registers.general[one.base] + static_cast<std::uint64_t>(std::int64_t{one.displacement});
  const auto index = static_cast<std::uint32_t>(registers.general[one.index]);
  const std::uint32_t apart = index - static_cast<std::uint32_t>(of_thread.leaving.index) + kFolded;
  return base - registers.general[rsp] < kLargestFrame && apart <= 2 * kFolded;
}

bool names_access(const MachineInstruction& one, const std::uint8_t* code, const Registers& registers) {
  if (!one.has_memory || one.only_names || one.has_vector_index || one.is_elsewhere) return false;
  constexpr unsigned kWidest = 64;
  for (unsigned unit = 1; unit <= (one.is_scaled ? kWidest : 1); unit *= 2) {
    if (operand_address(one, code, registers, unit) - of_thread.leaving.address < of_thread.leaving.bytes) return true;
  }
  return false;
}

/// Where the thread goes on instead of at `code`, whose instruction was looked at; null: there, and nothing is left out
/// any more.
const void* take_step(const MachineInstruction& one, const std::uint8_t* code, Registers& registers) {
  CodeArea& area = *of_thread.area;
  const auto* const behind = code + one.bytes;
  if (one.strings != Strings::none) {
    of_thread.leaving.steps = 0;
    return skip_strings(one, registers, of_thread.leaving.address, of_thread.leaving.bytes) ? behind : nullptr;
  }
  bool is_first_of_element = false;
  if (of_thread.leaving.of_element && names_element(one, registers)) {
    // A load and a store of it may be two instructions.
    of_thread.leaving.address = operand_address(one, code, registers);
    of_thread.leaving.bytes = 1;
    of_thread.leaving.of_element = false;
    is_first_of_element = true;
  }
  const bool is_access = names_access(one, code, registers);
  const bool is_last = is_access && !is_first_of_element && of_thread.leaving.bytes <= kOneAccess;
  of_thread.leaving.steps = is_last ? 0 : of_thread.leaving.steps - 1;
  of_thread.leaving.next = behind;
  const void* const next = is_last ? behind : reinterpret_cast<const void*>(&warpfiber_come_back);
  const void* const copy = is_access ? area.without_access(one, code, next) : area.followed_by(one, code, next);
  if (copy == nullptr) of_thread.leaving.steps = 0;
  return copy;
}

/// Behind a jump, which need not run.
const std::uint8_t* follow(const MachineInstruction& one, const std::uint8_t* code, std::uint64_t flags) {
  const bool jumps = one.flow == Flow::jump || holds(one.condition, flags);
  return code + (jumps ? one.target : one.bytes);
}

void go_on(StepFrame& frame) {
  frame.registers.general[rsp] = reinterpret_cast<std::uintptr_t>(&frame + 1) + kRedZone;
  const std::uint8_t* code = of_thread.leaving.next;
  const void* target = nullptr;
  while (of_thread.leaving.steps > 0 && target == nullptr) {
    const MachineInstruction one = decode(code);
    if (one.bytes == 0 || one.flow == Flow::elsewhere) break;
    if (one.flow == Flow::next) {
      target = take_step(one, code, frame.registers);
    } else {
      --of_thread.leaving.steps;
      code = follow(one, code, frame.registers.flags);
    }
  }
  if (target == nullptr || of_thread.leaving.steps == 0) detail::current_thread.busy = false;
  frame.target = target != nullptr ? target : code;
}

}  // namespace

extern "C" {

/// From the hook, whose arguments of warpfiber_leave_out() are still in their registers.
__attribute__((visibility("hidden"), used)) void warpfiber_first_step(StepFrame* frame) {
  const std::uint64_t* const general = frame->registers.general;
  of_thread.leaving = {general[rdi], general[rsi], reinterpret_cast<const std::uint8_t*>(general[rdx]),
                       kSteps,       false,        0};
  go_on(*frame);
}

/// The same of warpfiber_leave_out_element().
__attribute__((visibility("hidden"), used)) void warpfiber_first_step_to_element(StepFrame* frame) {
  const std::uint64_t* const general = frame->registers.general;
  of_thread.leaving = {.next = reinterpret_cast<const std::uint8_t*>(general[rsi]),
                       .steps = kSteps,
                       .of_element = true,
                       .index = general[rdi]};
  go_on(*frame);
}

/// From a copy.
__attribute__((visibility("hidden"), used)) void warpfiber_next_step(StepFrame* frame) {
  go_on(*frame);
}

/// The hook was not left by a jump, so the registers of its caller are not known.
__attribute__((visibility("hidden"), used)) void warpfiber_no_step() {
  detail::current_thread.busy = false;
}
}

/// Room for our own use, behind the 128 bytes: where to go on, the flags and the registers as StepFrame has them.
#define WARPFIBER_KEEP_REGISTERS \
  "  leaq -136(%rsp), %rsp\n"    \
  "  pushfq\n"                   \
  "  pushq %r15\n"               \
  "  pushq %r14\n"               \
  "  pushq %r13\n"               \
  "  pushq %r12\n"               \
  "  pushq %r11\n"               \
  "  pushq %r10\n"               \
  "  pushq %r9\n"                \
  "  pushq %r8\n"                \
  "  pushq %rdi\n"               \
  "  pushq %rsi\n"               \
  "  pushq %rbp\n"               \
  "  pushq %rsp\n"               \
  "  pushq %rbx\n"               \
  "  pushq %rdx\n"               \
  "  pushq %rcx\n"               \
  "  pushq %rax\n"               \
  "  movq %rsp, %rdi\n"          \
  "  movq %rsp, %rbx\n"          \
  "  andq $-16, %rsp\n"

__asm__(
    ".pushsection .text\n"
    ".globl warpfiber_leave_out\n"
    ".type warpfiber_leave_out, @function\n"
    "warpfiber_leave_out:\n"
    "  cmpq %rdx, (%rsp)\n"
    "  jne warpfiber_no_step\n"
    "  leaq 8(%rsp), %rsp\n" WARPFIBER_KEEP_REGISTERS
    "  call warpfiber_first_step\n"
    "1: movq %rbx, %rsp\n"
    "  popq %rax\n"
    "  popq %rcx\n"
    "  popq %rdx\n"
    "  popq %rbx\n"
    "  leaq 8(%rsp), %rsp\n"
    "  popq %rbp\n"
    "  popq %rsi\n"
    "  popq %rdi\n"
    "  popq %r8\n"
    "  popq %r9\n"
    "  popq %r10\n"
    "  popq %r11\n"
    "  popq %r12\n"
    "  popq %r13\n"
    "  popq %r14\n"
    "  popq %r15\n"
    "  popfq\n"
    "  ret $128\n"
    ".size warpfiber_leave_out, .-warpfiber_leave_out\n"
    ".globl warpfiber_leave_out_element\n"
    ".type warpfiber_leave_out_element, @function\n"
    "warpfiber_leave_out_element:\n"
    "  cmpq %rsi, (%rsp)\n"
    "  jne warpfiber_no_step\n"
    "  leaq 8(%rsp), %rsp\n" WARPFIBER_KEEP_REGISTERS
    "  call warpfiber_first_step_to_element\n"
    "  jmp 1b\n"
    ".size warpfiber_leave_out_element, .-warpfiber_leave_out_element\n"
    ".globl warpfiber_come_back\n"
    ".hidden warpfiber_come_back\n"
    ".type warpfiber_come_back, @function\n"
    "warpfiber_come_back:\n" WARPFIBER_KEEP_REGISTERS
    "  call warpfiber_next_step\n"
    "  jmp 1b\n"
    ".size warpfiber_come_back, .-warpfiber_come_back\n"
    ".popsection\n");

bool skip_strings(const MachineInstruction& of, Registers& registers, std::uintptr_t address, std::size_t bytes) {
  if (of.strings == Strings::other) return false;
  std::uint64_t* const general = registers.general;
  const std::uint64_t all = (of.repeats ? general[rcx] : 1) * of.width;
  const bool stores = meets(general[rdi], all, address, bytes);
  const bool moves = of.strings == Strings::move;
  const bool loads = moves && meets(general[rsi], all, address, bytes);
  if (!stores && !loads) return false;
  auto* const to = reinterpret_cast<volatile std::uint8_t*>(general[rdi]);
  for (std::uint64_t i = 0; i < all && !stores; ++i) to[i] = 0;
  general[rdi] += all;
  if (moves) general[rsi] += all;
  if (of.repeats) general[rcx] = 0;
  return true;
}

const Leaving& leaving() {
  return of_thread.leaving;
}

}  // namespace warpfiber::instrument::x86

#else

namespace warpfiber::instrument::x86 {

const Leaving& leaving() {
  static const Leaving none;
  return none;
}

extern "C" void warpfiber_leave_out(const void*, std::size_t, const void*) {
  detail::current_thread.busy = false;
}

extern "C" void warpfiber_leave_out_element(std::uint64_t, const void*) {
  detail::current_thread.busy = false;
}

bool skip_strings(const MachineInstruction&, Registers&, std::uintptr_t, std::size_t) {
  return false;
}

}  // namespace warpfiber::instrument::x86

#endif
