// SPDX-License-Identifier: Apache-2.0
//
// Which flags a compiler gets for the options of nvcc. Functions of their arguments but for preprocessing_flags(),
// which looks whether headers are there and what host files include.
#pragma once

#include <string>
#include <vector>

#include "tools/nvcc/options.hpp"
#include "tools/nvcc/toolchain.hpp"

namespace warpfiber::tools::nvcc {

using Command = std::vector<std::string>;

void append(Command& to, const Command& words);

/// The one of -ccbin, or g++.
std::string host_compiler(const NvccOptions& options);

/// Whether that is clang++, by its name.
bool is_clang(const NvccOptions& options);

/// The definitions by which functions of the device are preprocessed: __CUDA_ARCH__, and of sm_90a and sm_100f the
/// features that only such an architecture or its family has.
Command architecture_definitions(const NvccOptions& options);

/// What __CUDA_ARCH__ is in functions of the device: 900 for -arch=sm_90.
unsigned architecture_of(const NvccOptions& options);

/// Whether a CUDA file is compiled in a newer C++ than was asked for.
bool is_older_language(const NvccOptions& options);

/// The language that was asked for, or the oldest that our headers are written in.
std::string standard_flag(const NvccOptions& options);

/// Programs written for an older C++ go on meaning the same.
Command language_flags(const NvccOptions& options, const std::string& standard);

/// Whether what is compiled may become part of a shared library (WARPFIBER_OF_LOADED_LIBRARY): -fPIC and the like.
bool is_for_library(const NvccOptions& options);

/// Makes the compiler call hooks at every access; the hooks are ours, so the linker never hears of it, nor does the
/// program, which could ask libtsan for more.
Command check_flags(const NvccOptions& options, const std::string& input);

/// What nvcc warns of without an option: "used before its value is set", "pointless comparison of unsigned integer with
/// zero".
Command nvcc_warnings(const NvccOptions& options);

/// Kernels are compiled for speed unless they are to be debugged: nvcc's -O says nothing about them either.
std::string optimisation_flag(const NvccOptions& options);

/// Many processors decode a loop anew in every round when one of its jumps touches the end of 32 bytes of code (Intel,
/// "Mitigations for Jump Conditional Code Erratum"): a short kernel then may take half as long again.
Command jump_alignment_flags(const NvccOptions& options);

/// What g++'s -O3 does and the loop over a row of threads needs to be vectorised (run_straight_line_row in
/// <warpfiber/detail/lanes/fiber_rows.hpp>): nvcc optimises kernels that far, whatever its -O says.
Command vectorising_flags(const NvccOptions& options);

/// A kernel's body is a function of an unnamed structure inside another function. Debuggers call it by its own name, as
/// long as debug information has no name of the linker's for it.
Command debugger_flags(const NvccOptions& options);

/// What g++ assembles checked files with (src/tools/assembler). clang++ is its own assembler.
Command assembler_flags(const NvccOptions& options, const Toolchain& toolchain);

/// What -x is given for an input.
const char* language_of(const NvccOptions& options, const std::string& input);

/// What the preprocessor needs, for CUDA files and for host files. In a whole program the runtime lies at a known
/// place (plan.cpp).
Command preprocessing_flags(const NvccOptions& options, const Toolchain& toolchain, const std::string& input,
                            bool is_whole_program);

/// The options of the second compilation: by `clang`, and with those of the host compiler that say what the program
/// means.
NvccOptions regions_options(const NvccOptions& options, const std::string& clang);

/// Why a program with these options has no regions: a sentence, or nothing.
std::string obstacle_to_regions(const NvccOptions& options);

/// By which both compilations of a file call functions of mathematics whose arguments they know.
Command called_functions_flags();

/// The flags of the second compilation but for its files; `flags` is the step's file of flags.
Command regions_flags(const NvccOptions& options, const Toolchain& toolchain, const std::string& flags);

}  // namespace warpfiber::tools::nvcc
