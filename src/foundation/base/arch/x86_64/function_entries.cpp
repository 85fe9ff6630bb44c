// SPDX-License-Identifier: Apache-2.0
//
// In a kernel the instructions go on at their own address with a bit turned (memory/host/host_addresses.hpp), where
// nothing is: the processor faults as at a call of that address.
#ifdef __x86_64__

#include "base/arch/processor.hpp"

#include <warpfiber/detail/current_thread.hpp>

// Of each 16 bytes: its number into a register that no argument is passed in.
asm(R"(
    .pushsection .text
    .balign 16
    .globl warpfiber_host_functions
    .hidden warpfiber_host_functions
warpfiber_host_functions:
    .set warpfiber_number, 0
    .rept 1024
    .balign 16
    movl $warpfiber_number, %r10d
    jmp warpfiber_to_function
    .set warpfiber_number, warpfiber_number + 1
    .endr
    .balign 16
    .type warpfiber_to_function, @function
warpfiber_to_function:
    pushq %rax
    leaq warpfiber_current_thread_in_process@tlsdesc(%rip), %rax
    call *warpfiber_current_thread_in_process@tlscall(%rax)
    movq %rax, %r11
    popq %rax
    cmpq $0, %fs:8(%r11)
    jne 1f
    leaq warpfiber_functions(%rip), %r11
    jmpq *(%r11,%r10,8)
1:  shlq $4, %r10
    leaq warpfiber_host_functions(%rip), %r11
    addq %r10, %r11
    btcq $46, %r11
    jmpq *%r11
    .size warpfiber_to_function, . - warpfiber_to_function
    .popsection
)");

namespace {

constexpr std::size_t kMost = 1024;
constexpr std::size_t kStep = 16;  // bytes of instructions for a function

}  // namespace

extern "C" {
[[gnu::visibility("hidden")]] extern const char warpfiber_host_functions[kMost * kStep];
/// Read by the instructions above.
[[gnu::visibility("hidden")]] const void* warpfiber_functions[kMost];
}

static_assert(offsetof(warpfiber::detail::CurrentThread, block) == 8, "the instructions read it");

namespace warpfiber::base {

FunctionEntries function_entries() {
  return {warpfiber_host_functions, kMost, kStep, warpfiber_functions};
}

}  // namespace warpfiber::base

#endif
