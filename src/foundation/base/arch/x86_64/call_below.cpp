// SPDX-License-Identifier: Apache-2.0
//
// Its unwind information describes the registers that the switch has kept.
#ifdef __x86_64__

#include "base/arch/processor.hpp"

asm(R"(
    .pushsection .text
    .globl warpfiber_call_below
    .hidden warpfiber_call_below
    .type warpfiber_call_below, @function
warpfiber_call_below:
    .cfi_startproc
    push %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    mov %rdi, %rbx
    mov %rdx, %rdi
    .cfi_remember_state
    .cfi_escape 0x0f, 3, 0x73, 0, 0x06     # frame address: what %rbx points to
    .cfi_escape 0x10, 16, 2, 0x73, 8       # return address: there plus 8
    .cfi_escape 0x10, 6, 2, 0x73, 16       # %rbp: there plus 16
    .cfi_same_value %rbx
    call *%rsi
    .cfi_restore_state
    pop %rbx
    .cfi_def_cfa_offset 8
    .cfi_restore %rbx
    ret
    .cfi_endproc
    .size warpfiber_call_below, . - warpfiber_call_below
    .popsection
)");

#endif
