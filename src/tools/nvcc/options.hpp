// SPDX-License-Identifier: Apache-2.0
//
// nvcc's command line as data. Sources for names and meanings: "NVIDIA CUDA Compiler Driver NVCC", chapter "Command
// Option Description".
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools::nvcc {

/// Whether programs are refused that nvcc refuses and a host compiler does not.
enum class NvccRules { enforced, ignored };

/// The library that what is linked has the runtime from. nvcc's default is the archive.
enum class CudaRuntime { shared_library, archive, none };

/// What is made of the inputs.
enum class Goal {
  executable,
  objects,
  preprocessed,
  translated,
  dependencies,
  library,
  shared_library,
  device_link,
  version,
  help
};

struct NvccOptions {
  Goal goal = Goal::executable;
  std::vector<std::string> inputs;
  std::string output;
  std::string output_folder;                  // -odir: of objects and dependencies that -o does not name
  std::string archiver = "ar";                // -arbin
  std::string language;                       // -x: "cu", "c++", "c"; empty: by suffix
  std::string standard;                       // "c++17"; empty: the default
  std::string host_compiler;                  // -ccbin: a program or the folder of one; empty: g++
  std::string optimisation;                   // "-O3"; empty: the default
  std::vector<std::string> preprocessing;     // -D -U -I -isystem -include, as the host compiler takes them
  std::vector<std::string> host_flags;        // -Xcompiler and what stands for itself: -g, -w
  std::vector<std::string> dependency_flags;  // -MD -MMD -MP -MF -MT … and, for Goal::dependencies, -M -MM
  std::vector<std::string> linking;           // -L -l -Xlinker, in order
  CudaRuntime cuda_runtime = CudaRuntime::shared_library;  // -cudart
  bool names_cuda_runtime = false;                         // -cudart is there
  unsigned architecture = 0;                               // highest of those named, 900 for sm_90; 0: none was named
  char architecture_kind = '\0';                           // of that one: 'a' of sm_90a, 'f' of sm_100f
  bool device_debug = false;                               // -G
  bool relocatable = false;                                // -rdc=true, -dc
  bool extended_lambda = false;
  bool relaxed_constexpr = false;
  bool fast_math = false;
  bool per_thread_stream = false;              // -default-stream per-thread
  bool check = false;                          // -fcheck: call hooks at every access, and link them
  bool statements = false;                     // -fstatements: threads report each statement, and -fcheck
  bool regions = false;                        // -fregions: blocks also as loops over their threads
  bool regions_report = false;                 // -fregions=report: and say which kernels
  NvccRules nvcc_rules = NvccRules::enforced;  // -fnvcc-rules, -fno-nvcc-rules
  bool typed_copies = false;               // pass to the runtime what the elements of copies are: warpfiber crosscheck
  bool dry_run = false;                    // print the commands, run none
  bool verbose = false;                    // print the commands as well
  bool run = false;                        // --run: run what was built
  std::vector<std::string> run_arguments;  // --run-args
};

struct ParsedNvccOptions {
  NvccOptions options;
  std::string error;      // empty: the command line is in order
  std::string unknown{};  // the option that the error is about, where nvcc has none of that name
  bool ok() const { return error.empty(); }
};

/// Reads nvcc's arguments, the program's name left out. What nvcc does not know is an error that names it.
ParsedNvccOptions parse_options(const std::vector<std::string>& arguments);

/// Whether `path` is compiled as CUDA, given -x.
bool is_cuda_source(const std::string& path, const std::string& language);

/// Whether `path` is compiled at all; everything else is handed to the linker.
bool is_source(const std::string& path, const std::string& language);

}  // namespace warpfiber::tools::nvcc
