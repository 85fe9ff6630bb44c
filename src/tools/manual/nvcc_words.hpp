// SPDX-License-Identifier: Apache-2.0
//
// What help, man pages and completion say of nvcc's options. Their names, and whether they take a value, are in the
// table that the parser works from (tools/options/nvcc_table.hpp).
#pragma once

#include <iterator>
#include <string_view>

#include "tools/options/nvcc_table.hpp"
#include "tools/options/option.hpp"

namespace warpfiber::tools::manual {

struct NvccWords {
  nvcc::Id id;
  std::string_view meaning;
  std::string_view value = {};
  Completes completes = Completes::nothing;
  bool is_common = false;       // shown by the help of run, check and crosscheck, which take all of them
  std::string_view words = {};  // that are offered for the value, between blanks, where the parser takes others too
};

inline constexpr NvccWords kNvccWords[] = {
    {nvcc::Id::output, "the file to write", "FILE", Completes::file, true},
    {nvcc::Id::include, "folder of headers", "DIR", Completes::folder, true},
    {nvcc::Id::define, "define a macro", "NAME[=VALUE]", Completes::nothing, true},
    {nvcc::Id::standard, "standard of C++, at least C++20: c++17 is raised", "c++NN", Completes::words, true,
     "c++14 c++17 c++20 c++23"},
    {nvcc::Id::optimise, "level of optimisation, 0 to 3 (2)", "N", Completes::words, true, "0 1 2 3"},
    {nvcc::Id::debug, "debug information of the host compiler", "", Completes::nothing, true},
    {nvcc::Id::device_debug, "build kernels for a debugger, without optimisation", "", Completes::nothing, true},
    {nvcc::Id::architecture, "architecture, which sets __CUDA_ARCH__: sm_90 is 900", "ARCH", Completes::words, true,
     "sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120 native"},
    {nvcc::Id::host_compiler, "the host compiler, or its folder; by default the one that CXX names, else g++",
     "COMPILER", Completes::file, true},
    {nvcc::Id::host_option, "options of the host compiler, between commas", "OPTIONS", Completes::nothing, true},
    {nvcc::Id::library_path, "folder of libraries", "DIR", Completes::folder, true},
    {nvcc::Id::use_library, "link with a library", "NAME", Completes::nothing, true},
    {nvcc::Id::nvcc_rules, "refuse what nvcc refuses: the default", "", Completes::nothing, true},
    {nvcc::Id::no_nvcc_rules, "also build what nvcc refuses", "", Completes::nothing, true},
    {nvcc::Id::dry_run, "print the commands, and run none", "", Completes::nothing, true},
    {nvcc::Id::verbose, "print the commands and run them", "", Completes::nothing, true},
    {nvcc::Id::compile, "compile each file to an object, and do not link"},
    {nvcc::Id::device_object, "the same with relocatable device code"},
    {nvcc::Id::link, "link an executable, as by default"},
    {nvcc::Id::library, "make a static library"},
    {nvcc::Id::shared, "make a shared library"},
    {nvcc::Id::device_link, "write an empty object: nothing is linked for a GPU"},
    {nvcc::Id::preprocess, "preprocess only"},
    {nvcc::Id::translate, "write the translated C++, FILE.cu.cpp.ii"},
    {nvcc::Id::dependencies, "print the dependencies of each file for make"},
    {nvcc::Id::user_dependencies, "the same without headers of the system"},
    {nvcc::Id::with_dependencies, "compile, and write the dependencies to a file as well"},
    {nvcc::Id::with_user_dependencies, "the same without headers of the system"},
    {nvcc::Id::dependency_file, "the file of dependencies", "FILE", Completes::file},
    {nvcc::Id::dependency_target, "the target that dependencies name", "NAME"},
    {nvcc::Id::phony_dependencies, "a phony target for each header, so that make survives its removal"},
    {nvcc::Id::check, "add access hooks: the program checks itself wherever it runs; also needed at the link"},
    {nvcc::Id::statements, "as -fcheck, and threads report each statement that they execute: warpfiber profile, step"},
    {nvcc::Id::regions, "run kernels with barriers as loops over the threads of a block, where clang++ can make them"},
    {nvcc::Id::regions_report, "the same, and say of each kernel which way it runs, and why"},
    {nvcc::Id::run, "run the program that was built"},
    {nvcc::Id::run_arguments, "its arguments, between commas", "ARGUMENTS"},
    {nvcc::Id::system_include, "folder of system headers, without warnings", "DIR", Completes::folder},
    {nvcc::Id::pre_include, "include a header before each file", "FILE", Completes::file},
    {nvcc::Id::undefine, "undefine a macro", "NAME"},
    {nvcc::Id::language, "the language of the inputs: c, c++ or cu", "LANGUAGE", Completes::words},
    {nvcc::Id::generate_code, "as -arch, in the form arch=compute_90,code=sm_90", "CODE"},
    {nvcc::Id::relocatable, "relocatable device code, true or false; accepted, no effect", "BOOL", Completes::words},
    {nvcc::Id::linker_option, "options of the linker, between commas", "OPTIONS"},
    {nvcc::Id::cuda_runtime, "link the runtime as a shared library (shared, the default), static, or none", "LIBRARY",
     Completes::words},
    {nvcc::Id::default_stream, "the default stream: legacy, null or per-thread", "STREAM", Completes::words},
    {nvcc::Id::fast_math, "define __USE_FAST_MATH__"},
    {nvcc::Id::extended_lambda, "allow __device__ lambdas in host functions"},
    {nvcc::Id::relaxed_constexpr, "device code may call constexpr functions of the host"},
    {nvcc::Id::no_warnings, "no warnings"},
    {nvcc::Id::warnings_are_errors, "all-warnings: warnings of the host compiler are errors", "KIND", Completes::words,
     false, "all-warnings"},
    {nvcc::Id::profile, "build for gprof"},
    {nvcc::Id::version, "print the version"},
    {nvcc::Id::help, "print this help"},
    {nvcc::Id::options_file, "read options from files, between commas", "FILES", Completes::file},
    {nvcc::Id::output_folder, "the folder of objects and dependencies", "DIR", Completes::folder},
    {nvcc::Id::archiver, "the program that makes static libraries (ar)", "PROGRAM", Completes::file},
    {nvcc::Id::template_depth, "how deep templates may be instantiated", "N"},
    {nvcc::Id::template_backtrace, "how many instantiations an error shows", "N"},
    {nvcc::Id::random_seed, "seed for names that the host compiler generates", "TEXT"},
    {nvcc::Id::forward_to_compiler, "pass unknown options to the host compiler"},
    {nvcc::Id::forward_to_linker, "pass unknown options to the linker"},
    {nvcc::Id::forward_to_both, "pass unknown options to both"},
};

constexpr const NvccWords* words_of(nvcc::Id id) {
  for (const NvccWords& words : kNvccWords) {
    if (words.id == id) return &words;
  }
  return nullptr;
}

/// Taken from makefiles, and without effect on a simulator.
constexpr bool is_ignored(nvcc::Id id) {
  return id == nvcc::Id::ignored || id == nvcc::Id::ignored_value;
}

constexpr bool is_every_option_described() {
  for (const nvcc::NvccOption& option : nvcc::kOptions) {
    const NvccWords* words = words_of(option.id);
    const bool is_apart = is_ignored(option.id) || option.id == nvcc::Id::not_modelled;
    if (is_apart != (words == nullptr)) return false;
    if (words != nullptr && words->value.empty() == (option.value == nvcc::OptionValue::required)) return false;
  }
  return true;
}
static_assert(is_every_option_described());

}  // namespace warpfiber::tools::manual
