// SPDX-License-Identifier: Apache-2.0
// Which of the two folders here is for the processor and the system that a translation unit is compiled for: x86_64 is
// for Linux on x86-64 (System V ABI), portable for all others. Headers there name nothing of other folders, and a
// header here includes the one of its name.
#pragma once

#if defined(__x86_64__) && defined(__linux__)
#define WARPFIBER_ARCH_X86_64 1
#endif

// Compiled with -fPIC, which is for code of shared libraries.
#if defined(__PIC__) && !defined(__PIE__)
#define WARPFIBER_OF_LOADED_LIBRARY 1
#endif

// Objects of g++ whose text Warpfiber's assembler can edit: ELF with 64-bit pointers, and no code for shared libraries,
// in which a symbol is found in another way.
#if defined(WARPFIBER_ARCH_X86_64) && defined(__LP64__) && !defined(__clang__) && !defined(WARPFIBER_OF_LOADED_LIBRARY)
#define WARPFIBER_ARCH_EDITS_TEXT 1
#endif
