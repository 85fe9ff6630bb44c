// SPDX-License-Identifier: Apache-2.0
//
// Collects the flags of each step from the options and the toolchain. Starts no process.
#include "tools/nvcc/plan.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/regions/unit.hpp"

namespace warpfiber::tools::nvcc {
namespace {

namespace fs = std::filesystem;

/// Libraries of the toolkit whose place Warpfiber takes.
// clang-format off
constexpr std::string_view kOfRuntime[] = {
    "cudart", "cudart_static", "cudadevrt", "cuda", "culibos", "nvToolsExt"};
constexpr std::string_view kCudaLibraries[] = {
    "cublas", "cublas_static", "cublasLt", "cublasLt_static", "cufft", "cufft_static", "cufft_static_nocallback",
    "cusolver", "cusolver_static", "cusolverMg", "cusolverMg_static", "cusolver_lapack_static",
    "cusolver_metis_static", "cusparse", "cusparse_static", "curand", "curand_static"};
// clang-format on

/// The library that a word for the linker names: -lcudart, /usr/local/cuda/lib64/libcudart.so.13. Empty: none.
std::string library_of(const std::string& word) {
  if (word.starts_with("-l")) return word.substr(2);
  const std::string file = fs::path(word).filename().string();
  return file.starts_with("lib") ? file.substr(3, file.find('.') - 3) : std::string();
}

bool names_cuda_library(const std::string& word) {
  return std::ranges::find(kCudaLibraries, library_of(word)) != std::end(kCudaLibraries);
}

/// Whether a word for the linker names a library of the toolkit whose place Warpfiber takes.
bool names_ours(const std::string& word) {
  return names_cuda_library(word) || std::ranges::find(kOfRuntime, library_of(word)) != std::end(kOfRuntime);
}

/// Whether a word for the linker names a library of OpenGL, which the system has or the folder `opengl` of ours.
bool names_opengl(const std::string& word) {
  constexpr std::string_view kLibraries[] = {"GL", "GLU", "GLEW", "glut"};
  return word.starts_with("-l") && std::ranges::find(kLibraries, library_of(word)) != std::end(kLibraries);
}

bool names_shared_library(const std::string& word) {
  const fs::path file = fs::path(word).filename();
  return file.extension() == ".so" || file.string().find(".so.") != std::string::npos;
}

/// Whether a word for the compiler or the linker may bring in a library that has the runtime in it as well.
bool may_name_a_runtime(const std::string& word) {
  constexpr std::string_view kWithout[] = {"-lm", "-lpthread", "-ldl", "-lrt"};
  constexpr std::string_view kLinks[] = {"-l", "-Wl,", "-Xlinker", "-shared"};
  if (names_ours(word) || names_opengl(word) || std::ranges::find(kWithout, word) != std::end(kWithout)) return false;
  return names_shared_library(word) ||
         std::ranges::any_of(kLinks, [&](std::string_view begin) { return word.starts_with(begin); });
}

/// Of the words that compile translated text, those that have no effect with -O0 -w.
bool is_of_optimiser_or_messages(const std::string& word) {
  constexpr std::string_view kBegins[] = {"-O",
                                          "-W",
                                          "@",
                                          "-fno-strict-aliasing",
                                          "-fno-finite-loops",
                                          "-fno-tree-tail-merge",
                                          "-fno-crossjumping",
                                          "-fsplit-loops",
                                          "-ftree-loop-vectorize",
                                          "-fvect-cost-model"};
  constexpr std::string_view kOfOtherPrograms[] = {"-Wa,", "-Wl,", "-Wp,"};
  const auto begins = [&](std::string_view begin) { return word.starts_with(begin); };
  return std::ranges::any_of(kBegins, begins) && std::ranges::none_of(kOfOtherPrograms, begins);
}

class Planner {
 public:
  Planner(const NvccOptions& options, const Toolchain& toolchain, const std::string& scratch)
      : options_(options), toolchain_(toolchain), scratch_(scratch) {}

  Plan make() {
    if (options_.inputs.empty() && options_.linking.empty()) return failed("no input files");
    for (const std::string& input : options_.inputs) {
      if (!fs::exists(input)) return failed(input + ": no such file");
    }
    if (!toolchain_.has_cuda_libraries) {
      const auto missing = std::ranges::find_if(options_.linking, names_cuda_library);
      if (missing != options_.linking.end())
        return failed(*missing + ": this Warpfiber was built without CUDA's libraries (WARPFIBER_CUDA_LIBRARIES=OFF)");
    }
    if (const std::string stray = stray_input(); !stray.empty()) {
      return failed("don't know what to do with '" + stray + "'; -x names the language of the inputs");
    }
    const bool one_output_each =
        options_.goal == Goal::objects || options_.goal == Goal::preprocessed || options_.goal == Goal::translated;
    if (one_output_each && !options_.output.empty() && options_.inputs.size() > 1) {
      return failed("-o " + options_.output + " cannot name the results of several inputs");
    }
    switch (options_.goal) {
      case Goal::preprocessed:
      case Goal::dependencies: each([this](const std::string& input) { preprocess_only(input); }); break;
      case Goal::translated: each([this](const std::string& input) { translate_only(input); }); break;
      case Goal::objects: each([this](const std::string& input) { make_object(input, object_path(input)); }); break;
      case Goal::device_link: empty_object(); break;
      default:
        each([this](const std::string& input) {
          const std::string object = object_in_scratch(input);
          options_.goal == Goal::library ? make_object(input, object) : compile(input, object);
        });
        options_.goal == Goal::library ? archive() : link();
    }
    return plan_;
  }

 private:
  Plan failed(const std::string& error) {
    plan_.error = error;
    return plan_;
  }

  /// Where nothing is linked, the first of the linker's inputs that is neither an object nor a library.
  std::string stray_input() const {
    if (options_.goal == Goal::executable || options_.goal == Goal::shared_library) return {};
    bool is_value = false;
    for (const std::string& word : options_.linking) {
      const bool is_option = std::exchange(is_value, word == "-Xlinker") || word[0] == '-';
      const std::string suffix = fs::path(word).extension().string();
      constexpr std::string_view kLinked[] = {".o", ".a", ".obj", ".lib"};
      const bool is_linked = std::find(std::begin(kLinked), std::end(kLinked), suffix) != std::end(kLinked);
      if (!is_option && !is_linked && !names_shared_library(word)) return word;
    }
    return {};
  }

  /// A step that only runs a command.
  void add(const Command& command) {
    Step step;
    step.command = command;
    plan_.steps.push_back(step);
  }

  template <class Action>
  void each(const Action& action) {
    for (const std::string& input : options_.inputs) action(input);
  }

  /// Whether this command makes all of a program, but for objects and archives: they have no runtime of their own.
  bool is_whole_program() const {
    return options_.goal == Goal::executable && options_.cuda_runtime != CudaRuntime::none &&
           std::ranges::none_of(options_.linking, may_name_a_runtime) &&
           std::ranges::none_of(options_.host_flags, may_name_a_runtime);
  }

  bool is_cuda(const std::string& input) const { return is_cuda_source(input, options_.language); }

  Command preprocessing(const std::string& input) const {
    return preprocessing_flags(options_, toolchain_, input, is_whole_program());
  }

  void preprocess_only(const std::string& input) {
    Command command{host_compiler(options_)};
    command.emplace_back(options_.goal == Goal::dependencies ? "-w" : "-E");
    append(command, options_.dependency_flags);
    const bool names_target = std::find(command.begin(), command.end(), "-MT") != command.end();
    if (options_.goal == Goal::dependencies && !names_target && !options_.output_folder.empty()) {
      append(command, {"-MT", in_output_folder(fs::path(input).stem().string() + ".o")});
    }
    append(command, preprocessing(input));
    if (!options_.output.empty()) append(command, {"-o", options_.output});
    append(command, {"-x", language_of(options_, input), input});
    add(command);
  }

  /// Host files are left out, as nvcc does.
  void translate_only(const std::string& input) {
    if (!is_cuda(input)) return;
    const std::string by_input = in_output_folder(fs::path(input).filename().string() + ".cpp.ii");
    plan_.result = options_.output.empty() ? by_input : options_.output;
    Step step = translation(input, plan_.result);
    step.translated = plan_.result;
    plan_.steps.push_back(step);
  }

  std::string in_output_folder(const std::string& name) const {
    return (fs::path(options_.output_folder) / name).string();
  }

  std::string object_path(const std::string& input) {
    plan_.result = options_.output.empty() ? in_output_folder(fs::path(input).stem().string() + ".o") : options_.output;
    return plan_.result;
  }

  std::string object_in_scratch(const std::string& input) {
    const std::string object = scratch_name(input, ".o");
    objects_.push_back(object);
    return object;
  }

  std::string scratch_name(const std::string& input, const char* suffix) const {
    const auto at = std::find(options_.inputs.begin(), options_.inputs.end(), input) - options_.inputs.begin();
    return scratch_ + "/" + std::to_string(at) + "-" + fs::path(input).stem().string() + suffix;
  }

  /// -MD and its like, with the names that nvcc would give where the user gave none.
  Command dependency_flags(const std::string& object) const {
    Command flags = options_.dependency_flags;
    if (flags.empty()) return flags;
    const auto has = [&flags](const char* flag) { return std::find(flags.begin(), flags.end(), flag) != flags.end(); };
    if (!has("-MF")) append(flags, {"-MF", fs::path(object).replace_extension(".d").string()});
    if (!has("-MT")) append(flags, {"-MT", object});
    return flags;
  }

  /// Behind the user's flags: what the linker would compile knows nothing of hooks.
  Command code_now_flags() const { return options_.check ? Command{"-fno-lto"} : Command{}; }

  /// An object that another command links, which need not know that it is checked.
  void make_object(const std::string& input, const std::string& object) {
    if (!options_.check) return compile(input, object);
    const std::string without_hooks = scratch_name(input, ".bare.o");
    compile(input, object, without_hooks);
    const std::string& hooks =
        is_for_library(options_) ? toolchain_.checking_object_of_library : toolchain_.checking_object;
    add({"ld", "-r", "-o", object, without_hooks, hooks});
  }

  void compile(const std::string& input, const std::string& object) { compile(input, object, object); }

  /// Into `file`, while dependencies are those of `object`.
  void compile(const std::string& input, const std::string& object, const std::string& file) {
    // Reports name lines; those of a checked program, and debuggers, also variables.
    const bool names_variables = options_.check || options_.device_debug;
    Command compile{host_compiler(options_), "-c", optimisation_flag(options_), names_variables ? "-g" : "-g1"};
    append(compile, toolchain_.compiling);
    if (!is_clang(options_)) append(compile, toolchain_.compiling_by_gcc);
    append(compile, check_flags(options_, input));
    append(compile, assembler_flags(options_, toolchain_));
    if (options_.check) append(compile, toolchain_.keeping_lines);
    if (!is_cuda(input)) {
      append(compile, preprocessing(input));
      append(compile, code_now_flags());
      append(compile, dependency_flags(object));
      append(compile, {"-x", language_of(options_, input), input, "-o", file});
      add(compile);
      plan_.steps.back().said = scratch_name(input, ".said");
      return;
    }
    Step step = translation(input, object);
    const bool has_regions = !toolchain_.region_compiler.empty();
    if (has_regions) add_regions_preprocessing(step, input);
    plan_.steps.push_back(step);
    append(compile, language_flags(options_, standard_flag(options_)));
    append(compile, debugger_flags(options_));
    // Kernels read a float4 as four half2 and the like everywhere, and NVIDIA's compiler of device code lets them.
    // Where none does, the translation's flags take it back.
    append(compile, {"-fno-strict-aliasing", "@" + step.flags});
    // A loop that waits for a plain flag does not end by itself: compilers may delete it otherwise, the race with it.
    compile.emplace_back("-fno-finite-loops");
    // Calls on both sides of a branch stay two, because lanes on both sides are not together.
    if (!is_clang(options_)) append(compile, {"-fno-tree-tail-merge", "-fno-crossjumping"});
    append(compile, jump_alignment_flags(options_));
    append(compile, vectorising_flags(options_));
    append(compile, nvcc_warnings(options_));
    if (has_regions) append(compile, called_functions_flags());
    append(compile, options_.host_flags);
    append(compile, code_now_flags());
    // A kernel that has to end is unwound.
    const bool may_throw = std::ranges::find(options_.host_flags, "-fno-exceptions") == options_.host_flags.end();
    if (!may_throw) compile.emplace_back("-fexceptions");
    const bool in_two = options_.check && is_clang(options_);
    Step first;
    first.messages = scratch_name(input, ".messages");
    first.as_written = scratch_name(input, ".written.ii");
    first.look = compile;
    append(first.look, {"-fsyntax-only", "-x", "c++-cpp-output", first.as_written});
    if (options_.nvcc_rules == NvccRules::enforced) add_rules(first, input, compile);
    first.command = compile;
    if (in_two) {
      first.intermediate = scratch_name(input, ".ll");
      append(first.command, {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"});
    }
    append(first.command, {"-x", "c++-cpp-output", step.translated, "-o", in_two ? first.intermediate : file});
    if (has_regions) first.regions = regions_compilation(step, input, file);
    plan_.steps.push_back(first);
    if (!in_two) return;
    Command second = compile;
    append(second, {"-Wno-unused-command-line-argument", "-x", "ir", first.intermediate, "-o", file});
    add(second);
  }

  /// The preprocessing for -fregions. Where the runtime lies is the host compilation's matter.
  void add_regions_preprocessing(Step& step, const std::string& input) const {
    const std::string unit = std::string("-DWARPFIBER_UNIT=") + kUnitName;
    step.command.push_back(unit);
    step.device_command.push_back(unit);
    const NvccOptions options = regions_options(options_, toolchain_.region_compiler);
    Command common{options.host_compiler, "-E", "-O3", "-w"};
    append(common, preprocessing_flags(options, toolchain_, input, is_whole_program()));
    append(common, {unit, "-DWARPFIBER_REGIONS"});
    RegionsStep& regions = step.regions;
    regions.input = input;
    regions.said = scratch_name(input, ".regions.said");
    regions.host = scratch_name(input, ".regions.host.ii");
    regions.device = scratch_name(input, ".regions.device.ii");
    regions.translated = scratch_name(input, ".regions.cu.ii");
    regions.command = common;
    append(regions.command, {"-x", "c++", input, "-o", regions.host});
    regions.device_command = common;
    append(regions.device_command, architecture_definitions(options_));
    append(regions.device_command, {"-x", "c++", input, "-o", regions.device});
  }

  RegionsStep regions_compilation(const Step& step, const std::string& input, const std::string& object) const {
    RegionsStep regions;
    regions.input = input;
    regions.said = step.regions.said;
    regions.fibers = object;
    regions.object = scratch_name(input, ".regions.o");
    regions.report = scratch_name(input, ".regions.report");
    regions.translated = step.regions.translated;
    regions.merged = scratch_name(input, ".merged.o");
    regions.command = regions_flags(regions_options(options_, toolchain_.region_compiler), toolchain_, step.flags);
    append(regions.command, {"-x", "c++-cpp-output", regions.translated, "-o", regions.object});
    regions.merge = {"ld", "-r", "-o", regions.merged, object, regions.object};
    return regions;
  }

  /// What nvcc's rules are judged from.
  void add_rules(Step& step, const std::string& input, const Command& compile) const {
    step.assembly = scratch_name(input, ".written.s");
    // Without options of no effect most programs share a precompiled header.
    bool is_value = false;  // of the word before
    for (const std::string& word : compile) {
      if (is_value || !is_of_optimiser_or_messages(word)) step.assemble.push_back(word);
      is_value = word.starts_with("-X") || word == "-mllvm" || word == "--param";
    }
    // Every call of the program stays one, with its line.
    append(step.assemble, {"-S", "-O0", "-g1", "-w", "-fno-lto", "-fno-sanitize=all"});
    append(step.assemble, {"-x", "c++-cpp-output", step.as_written, "-o", step.assembly});
    step.probe = scratch_name(input, ".probe.cpp");
    step.probed = scratch_name(input, ".probe.ii");
    step.preprocess_probe = {host_compiler(options_), "-E", "-dD", "-w", standard_flag(options_)};
    append(step.preprocess_probe, options_.preprocessing);
    append(step.preprocess_probe, options_.host_flags);
    append(step.preprocess_probe, {"-x", "c++", step.probe, "-o", step.probed});
  }

  Step translation(const std::string& input, const std::string& object) const {
    Step step;
    step.host = scratch_name(input, ".host.ii");
    step.device = scratch_name(input, ".device.ii");
    step.translated = scratch_name(input, ".cu.ii");
    step.flags = scratch_name(input, ".flags");
    step.said = scratch_name(input, ".said");
    for (const std::string& word : toolchain_.preprocessing) {
      if (word.starts_with("-I")) step.header_folders.push_back(word.substr(2));
    }
    step.header_folders.push_back(toolchain_.runtime);
    if (options_.device_debug) step.debugger = toolchain_.debugger;
    Command common{host_compiler(options_), "-E", optimisation_flag(options_)};
    append(common, preprocessing(input));
    step.command = common;
    append(step.command, dependency_flags(object));
    append(step.command, {"-x", "c++", input, "-o", step.host});
    step.device_command = common;
    append(step.device_command, architecture_definitions(options_));
    append(step.device_command, {"-x", "c++", input, "-o", step.device});
    return step;
  }

  /// There is no device code to link, but makefiles expect the file.
  void empty_object() {
    plan_.result = options_.output.empty() ? "a_dlink.o" : options_.output;
    add({host_compiler(options_), "-c", "-x", "c++", "/dev/null", "-o", plan_.result});
  }

  void archive() {
    plan_.result = options_.output.empty() ? "a.a" : options_.output;
    Command command{options_.archiver, "rcs", plan_.result};
    append(command, objects_);
    for (const std::string& word : options_.linking) {
      if (word[0] != '-') command.push_back(word);
    }
    add(command);
  }

  void link() {
    plan_.result = options_.output.empty() ? "a.out" : options_.output;
    Command command{host_compiler(options_)};
    if (options_.goal == Goal::shared_library) command.emplace_back("-shared");
    append(command, options_.host_flags);
    append(command, objects_);
    for (const std::string& word : options_.linking) {
      if (!names_ours(word) || options_.cuda_runtime == CudaRuntime::none) command.push_back(word);
    }
    const bool is_program = options_.goal == Goal::executable;
    if (options_.check) append(command, is_program ? toolchain_.checking : toolchain_.checking_library);
    const bool has_variables = is_program && options_.cuda_runtime == CudaRuntime::shared_library;
    if (has_variables) append(command, toolchain_.linking_program);
    append(command, toolchain_.linking(options_.cuda_runtime));
    // As an option of the linker, a folder comes behind those that the compiler searches.
    if (std::ranges::any_of(options_.linking, names_opengl)) {
      append(command, {"-Wl,-L" + toolchain_.opengl, "-Wl,-rpath," + toolchain_.opengl});
    }
    append(command, {"-o", plan_.result});
    add(command);
  }

  const NvccOptions& options_;
  const Toolchain& toolchain_;
  const std::string& scratch_;
  Command objects_;
  Plan plan_;
};

/// The files that line markers name, headers of the system among them: Thrust and CUB may be installed there.
std::set<std::string> files_in(std::istream& text) {
  std::set<std::string> files;
  std::string line;
  while (std::getline(text, line)) {
    if (line.size() < 4 || line[0] != '#' || line[1] != ' ') continue;
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    if (open == close || line[open + 1] == '<') continue;
    files.insert(line.substr(open + 1, close - open - 1));
  }
  return files;
}

}  // namespace

std::string clang_of(const NvccOptions& options) {
  return is_clang(options) ? host_compiler(options) : std::string();
}

Plan make_plan(const NvccOptions& options, const Toolchain& toolchain, const std::string& scratch) {
  return Planner(options, toolchain, scratch).make();
}

bool asks_for_architecture(const std::string& preprocessed) {
  std::istringstream text(preprocessed);
  const std::set<std::string> files = files_in(text);
  return std::any_of(files.begin(), files.end(), [](const std::string& path) {
    // It defines __CUDA_HAS_ARCH_SPECIFIC() by them, whose uses count.
    if (path.ends_with("/crt/host_defines.h")) return false;
    constexpr std::string_view kPrefix = "__CUDA_";
    constexpr std::string_view kAsking[] = {
        "ARCH__", "ARCH_FEAT_", "ARCH_HAS_FEATURE__", "ARCH_SPECIFIC__", "ARCH_FAMILY_SPECIFIC__", "HAS_ARCH_"};
    const std::string content = content_of(path);
    for (std::size_t at = content.find(kPrefix); at != std::string::npos; at = content.find(kPrefix, at + 1)) {
      const std::string_view name = std::string_view(content).substr(at + kPrefix.size());
      if (std::ranges::any_of(kAsking, [&](std::string_view asking) { return name.starts_with(asking); })) return true;
    }
    return false;
  });
}

}  // namespace warpfiber::tools::nvcc
