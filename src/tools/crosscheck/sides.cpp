// SPDX-License-Identifier: Apache-2.0
// Starts the program with the variables that make the runtime keep copies, and reads the file that it leaves.
#include "tools/crosscheck/sides.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include "tools/crosscheck/recording.hpp"
#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

// It chooses the GPU of the other side.
constexpr char kGpuChoice[] = "CUDA_VISIBLE_DEVICES";

}  // namespace

base::Result<RunResult> run_on_simulator(const std::string& program, const std::vector<std::string>& arguments,
                                         const std::string& scratch) {
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string kept = scratch + "/simulator.copies";
  std::filesystem::remove(kept);
  nvcc::SpawnOptions spawn_options;
  // A device leaves the exit code to the program.
  spawn_options.variables = {kGpuChoice, "WARPFIBER_COPIES=" + kept, "WARPFIBER_EXITCODE=0"};
  spawn_options.output_file = scratch + "/simulator.out";
  RunResult run;
  run.exit_code = nvcc::run(command, spawn_options);
  run.output = nvcc::content_of(spawn_options.output_file);
  auto copies = parse_copies(nvcc::content_of(kept));
  if (!copies.ok()) return base::Failure{"the simulator's copies were not stored completely: " + copies.error()};
  run.copies = std::move(copies.value());
  return run;
}

std::string find_writer(const std::string& program, const std::vector<std::string>& arguments,
                        const std::string& scratch, const Copy& copy, std::uint64_t byte) {
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string kept = scratch + "/writer.copies";
  nvcc::SpawnOptions spawn_options;
  spawn_options.variables = {kGpuChoice, "WARPFIBER_COPIES=" + kept,
                             std::string("WARPFIBER_COPY_WRITER=") + (copy.managed ? "managed:" : "") +
                                 std::to_string(copy.ordinal) + ":" + std::to_string(byte)};
  spawn_options.silent = true;
  nvcc::run(command, spawn_options);
  const auto copies = parse_copies(nvcc::content_of(kept));
  if (!copies.ok()) return {};
  for (const Copy& one : copies.value()) {
    if (one.managed == copy.managed && one.ordinal == copy.ordinal) return one.writer;
  }
  return {};
}

// Builds command lines for nvcc and runs them as child processes (nvcc/processes.hpp). The linker's --wrap puts the
// recorder in front of CUDA's copies.

namespace {

namespace fs = std::filesystem;
using CompilerCommand = std::vector<std::string>;

constexpr int kNoDevice = 3;  // what the recorder ends with where there is none

Built failed(const std::string& why) {
  return {{}, BuildError::failed, why};
}

bool can_run(const std::string& path) {
  return access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// With --default-stream per-thread programs call copies by other names.
std::string linked_name(const std::string& name, bool per_thread) {
  if (!per_thread || !name.starts_with("cudaMemcpy")) return name;
  return name + (name.ends_with("Async") ? "_ptsz" : "_ptds");
}

void append(CompilerCommand& to, const CompilerCommand& words) {
  to.insert(to.end(), words.begin(), words.end());
}

CompilerCommand linking(const CrosscheckOptions& options, const CompilerCommand& objects,
                        const nvcc::Toolchain& toolchain) {
  CompilerCommand words;
  for (const std::string& object : objects) append(words, {"-Xlinker", object});
  std::istringstream functions(nvcc::content_of(toolchain.recorder + "/wrapped.txt"));
  for (std::string name; std::getline(functions, name);) {
    append(words, {"-Xlinker", "--wrap=" + linked_name(name, options.program.per_thread_stream)});
  }
  return words;
}

/// A macro that is a string.
std::string text_macro(const char* name, const std::string& value) {
  std::string quoted;
  for (const char c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return std::string("-D") + name + "=\"" + quoted + "\"";
}

/// The host compiler of NVIDIA's nvcc where -ccbin does not name it: the one that CXX names, as on the simulator's
/// side. nvcc has a variable of its own, which goes first.
CompilerCommand compiler_by_environment(const CrosscheckOptions& options) {
  const std::string compiler = nvcc::compiler_of_environment();
  const bool is_named = !options.program.host_compiler.empty() || !variable("NVCC_CCBIN").empty();
  return is_named || compiler.empty() ? CompilerCommand() : CompilerCommand{"-ccbin", compiler};
}

/// Host files, whatever the options say of the program's.
CompilerCommand compiling_recorder(const std::string& compiler, const std::string& file, const std::string& object,
                                   const CrosscheckOptions& options, const Sources& sources,
                                   const nvcc::Toolchain& toolchain) {
  CompilerCommand words{compiler,
                        "-c",
                        "-O1",
                        "-std=c++17",
                        "-I" + toolchain.headers,
                        text_macro("WARPFIBER_RECORDED_NAME", program_name(options)),
                        text_macro("WARPFIBER_RECORDED_SOURCE", sources.hash),
                        text_macro("WARPFIBER_RECORDED_OPTIONS", sources.options)};
  if (!options.program.host_compiler.empty()) append(words, {"-ccbin", options.program.host_compiler});
  append(words, compiler_by_environment(options));
  if (options.program.per_thread_stream) words.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
  append(words, {toolchain.recorder + "/" + file, "-o", object});
  return words;
}

bool has_cuda_source(const CrosscheckOptions& options) {
  return std::ranges::any_of(options.program.inputs, [&options](const std::string& input) {
    return nvcc::is_cuda_source(input, options.program.language);
  });
}

/// The user's words, without what only our driver knows, and with what a native program needs under nvcc.
CompilerCommand compiling_program(const std::string& compiler, const CrosscheckOptions& options, const Sources& sources,
                                  const nvcc::Toolchain& toolchain) {
  CompilerCommand words{compiler};
  const nvcc::NvccOptions& program = options.program;
  for (const std::string& word : options.words) {
    if (word != "-fcheck" && word != "--check") words.push_back(word);
  }
  append(words, compiler_by_environment(options));
  const bool native = mention(sources, "<warpfiber/");
  if (native) words.push_back("-I" + toolchain.headers);
  if (native && !has_cuda_source(options)) append(words, {"-x", "cu"});
  if (native && program.standard.empty()) words.emplace_back("-std=c++20");
  if (program.architecture == 0) words.emplace_back(options.build_only.empty() ? "-arch=native" : "-arch=sm_90");
  return words;
}

}  // namespace

Built find_nvcc(const CrosscheckOptions& options) {
  if (!options.compiler.empty()) {
    return can_run(options.compiler) ? Built{options.compiler}
                                     : failed("--nvcc " + options.compiler + ": cannot be run");
  }
  std::istringstream path(variable("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    if (can_run(folder + "/nvcc")) return {folder + "/nvcc"};
  }
  for (const std::string& root : {variable("CUDA_PATH"), variable("CUDA_HOME"), std::string("/usr/local/cuda")}) {
    if (!root.empty() && can_run(root + "/bin/nvcc")) return {root + "/bin/nvcc"};
  }
  return {{},
          BuildError::unavailable,
          "there is no nvcc on PATH, in CUDA_PATH, CUDA_HOME or /usr/local/cuda; compare with recordings of another "
          "machine: --replay DIR"};
}

std::string program_name(const CrosscheckOptions& options) {
  return fs::path(options.program.inputs.front()).stem().string();
}

Built build_for_gpu(const CrosscheckOptions& options, const Sources& sources, const nvcc::Toolchain& toolchain,
                    const std::string& scratch, const std::string& program) {
  const Built compiler = find_nvcc(options);
  if (!compiler.ok()) return compiler;
  CompilerCommand objects;
  for (const char* file : {"copies.cpp", "recorder.cpp"}) {
    objects.push_back(scratch + "/" + fs::path(file).stem().string() + ".recorder.o");
    if (nvcc::run(compiling_recorder(compiler.path, file, objects.back(), options, sources, toolchain)) != 0) {
      return failed("nvcc could not build the recorder (" + toolchain.recorder + "/" + file + ")");
    }
  }
  CompilerCommand command = compiling_program(compiler.path, options, sources, toolchain);
  append(command, linking(options, objects, toolchain));
  append(command, {"-cudart", "static", "-o", program});
  if (nvcc::run(command) != 0) return failed("nvcc could not build the program; its messages are above");
  return {program};
}

Built run_on_gpu(const std::string& program, const std::vector<std::string>& arguments, const std::string& folder,
                 const std::string& name, std::uint64_t keep) {
  CompilerCommand command{program};
  append(command, arguments);
  nvcc::SpawnOptions spawn_options;
  spawn_options.variables.push_back("WARPFIBER_RECORD=" + folder);
  if (keep != 0) spawn_options.variables.push_back("WARPFIBER_RECORD_KEEP=" + std::to_string(keep));
  spawn_options.output_file = "/dev/null";
  const std::string path = folder + "/" + name;
  fs::remove(path);
  const int status = nvcc::run(command, spawn_options);
  if (fs::exists(path)) return {path};
  if (status == kNoDevice) {
    return {
        {}, BuildError::unavailable, "there is no GPU here; compare with recordings of another machine: --replay DIR"};
  }
  return failed("the GPU's run ended with " + std::to_string(status) + " and wrote no recording");
}

}  // namespace warpfiber::tools::crosscheck
