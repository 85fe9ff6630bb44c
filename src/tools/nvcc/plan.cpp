// SPDX-License-Identifier: Apache-2.0
//
// Collects the flags of each step from the options and the toolchain. Starts no process.
#include "tools/nvcc/plan.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "tools/nvcc/processes.hpp"

namespace warpfiber::tools::nvcc {
namespace {

namespace fs = std::filesystem;

// The default device model is an H200. Without -arch a program sees what that device is.
constexpr unsigned kDefaultArchitecture = 900;
constexpr const char* kOldestStandard = "20";      // of our headers
constexpr const char* kOldestHostStandard = "17";  // of NVIDIA's among them, in host files

/// Libraries of the toolkit whose place Warpfiber takes.
// clang-format off
constexpr std::string_view kOurs[] = {
    "cudart", "cudart_static", "cudadevrt", "cuda", "cublas", "cublas_static", "cublasLt", "cublasLt_static",
    "cufft", "cufft_static", "cufft_static_nocallback", "cusolver", "cusolver_static", "cusolverMg",
    "cusolverMg_static", "cusolver_lapack_static", "cusolver_metis_static", "cusparse", "cusparse_static",
    "curand", "curand_static", "culibos", "nvToolsExt"};
// clang-format on

/// Whether a word for the linker names one of them: -lcudart, /usr/local/cuda/lib64/libcudart.so.13.
bool names_ours(const std::string& word) {
  const std::string file = fs::path(word).filename().string();
  const std::string name = file.starts_with("lib") ? file.substr(3, file.find('.') - 3) : std::string();
  return std::ranges::find(kOurs, word.starts_with("-l") ? word.substr(2) : name) != std::end(kOurs);
}

bool names_shared_library(const std::string& word) {
  const fs::path file = fs::path(word).filename();
  return file.extension() == ".so" || file.string().find(".so.") != std::string::npos;
}

/// Whether a word for the compiler or the linker may bring in a library that has the runtime in it as well.
bool may_name_a_runtime(const std::string& word) {
  constexpr std::string_view kWithout[] = {"-lm", "-lpthread", "-ldl", "-lrt"};
  constexpr std::string_view kLinks[] = {"-l", "-Wl,", "-Xlinker", "-shared"};
  if (names_ours(word) || std::ranges::find(kWithout, word) != std::end(kWithout)) return false;
  return names_shared_library(word) ||
         std::ranges::any_of(kLinks, [&](std::string_view begin) { return word.starts_with(begin); });
}

void append(Command& to, const Command& words) {
  to.insert(to.end(), words.begin(), words.end());
}

std::string host_compiler(const NvccOptions& options) {
  if (options.host_compiler.empty()) return "g++";
  if (fs::is_directory(options.host_compiler)) return options.host_compiler + "/g++";
  return options.host_compiler;
}

bool is_clang(const NvccOptions& options) {
  return fs::path(host_compiler(options)).filename().string().find("clang") != std::string::npos;
}

/// What stands behind the "++" of the language that was asked for, where our headers can be read in it; else empty.
std::string new_standard(const NvccOptions& options) {
  const std::string digits =
      options.standard.substr(std::min(options.standard.size(), options.standard.find("++") + 2));
  constexpr std::string_view kNewer[] = {"20", "2a", "23", "2b", "26", "2c"};
  const bool newer = options.standard.find("++") != std::string::npos &&
                     std::find(std::begin(kNewer), std::end(kNewer), digits) != std::end(kNewer);
  return newer ? digits : std::string();
}

/// The language that was asked for, or the oldest that our headers are written in.
std::string standard_flag(const NvccOptions& options) {
  const std::string newer = new_standard(options);
  return "-std=gnu++" + (newer.empty() ? std::string(kOldestStandard) : newer);
}

/// What a host file includes where it needs our language: our own headers, and those of NVIDIA's that are C++20 here.
constexpr std::string_view kNewHeaders[] = {"warpfiber/", "cooperative_groups", "<cuda/", "cuda_pipeline",
                                            "cuda_awbarrier"};

std::string host_standard_flag(const NvccOptions& options, const std::string& input) {
  const std::string text = content_of(input);
  const auto includes = [&text](std::string_view header) { return text.find(header) != std::string::npos; };
  const bool needs_new = !new_standard(options).empty() || std::ranges::any_of(kNewHeaders, includes);
  return needs_new ? standard_flag(options) : std::string("-std=gnu++") + kOldestHostStandard;
}

/// Programs written for an older C++ go on meaning the same.
Command language_flags(const NvccOptions& options, const std::string& standard) {
  Command flags{standard, "-fno-char8_t"};
  append(flags, is_clang(options) ? Command{"-Wno-deprecated-volatile", "-Wno-deprecated-anon-enum-enum-conversion"}
                                  : Command{"-Wno-volatile", "-Wno-deprecated-enum-enum-conversion"});
  return flags;
}

/// Makes the compiler call hooks at every access; the hooks are ours, so the linker never hears of it, nor does the
/// program, which could ask libtsan for more.
Command check_flags(const NvccOptions& options) {
  // What a hook returns to is where the access is.
  constexpr const char* kKeepCalls = "-fno-optimize-sibling-calls";
  constexpr const char* kConversions = "-fsanitize=float-cast-overflow";
  // The hooks see how each part of a structure is aligned that is copied part by part. clang++ checks no copies.
  constexpr const char* kAlignment = "-fsanitize=alignment";
  if (!options.check) return {};
  if (is_clang(options)) {
    return {"-fsanitize=thread", kConversions, "-fsanitize=array-bounds", kKeepCalls, "-mllvm",
            "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
            "-tsan-instrument-read-before-write=1",
            // Stores on both sides of a branch stay two: as one they have the line of only one of them.
            "-mllvm", "-simplifycfg-sink-common=false"};
  }
  return {"-fsanitize=thread", kConversions, kAlignment,
          // Also of arrays at the end of structures, if they have more than one element.
          "-fsanitize=bounds-strict", kKeepCalls, "-U__SANITIZE_THREAD__", "-U_FORTIFY_SOURCE", "-Wno-tsan", "--param",
          "tsan-distinguish-volatile=1", "--param", "tsan-instrument-func-entry-exit=0"};
}

/// The folders that are searched for headers, among them.
std::vector<fs::path> searched_folders(const Command& words) {
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool separate = words[i] == "-isystem" || words[i] == "-I";
    if (!separate && !words[i].starts_with("-I")) continue;
    folders.emplace_back(separate ? (i + 1 < words.size() ? words[++i] : std::string()) : words[i].substr(2));
  }
  return folders;
}

/// Where CUDA's headers are searched: ours, or NVIDIA's CUDA Core Compute Libraries (CCCL) and ours. Our libcu++ would
/// be mixed with theirs, so they come first: a checkout's libcudacxx/include, or the folder cccl of a toolkit's
/// headers. A toolkit before CUDA 13 has them in one folder with its runtime, which has to be ours: of ours all but
/// libcu++ comes before that folder. In over_cccl are headers in place of some of theirs.
Command cuda_folders(const Command& words, const Toolchain& toolchain) {
  std::error_code ignored;
  const auto has = [&ignored](const fs::path& folder, const char* file) { return fs::exists(folder / file, ignored); };
  Command apart;
  Command mixed;
  for (const fs::path& folder : searched_folders(words)) {
    for (const fs::path& candidate : {folder, folder / "cccl"}) {
      if (!has(candidate, "cuda/std/detail/__config")) continue;
      const bool is_mixed = has(candidate, "cuda_runtime.h");
      if (is_mixed && !has(candidate, "cuda/__cccl_config")) continue;  // libcu++ 1: Thrust and CUB go with ours
      (is_mixed ? mixed : apart).push_back("-I" + candidate.string());
    }
  }
  Command ours = toolchain.preprocessing;
  Command flags;
  if (!apart.empty() || !mixed.empty()) flags = {"-DWARPFIBER_CCCL", ours.front() + "/over_cccl"};
  append(flags, apart);
  if (!mixed.empty()) {
    ours.front() = "-I" + toolchain.runtime;
    ours.insert(ours.begin() + 1, mixed.begin(), mixed.end());
  }
  append(flags, ours);
  return flags;
}

/// What nvcc warns of without an option: "used before its value is set", "pointless comparison of unsigned integer with
/// zero".
Command nvcc_warnings(const NvccOptions& options) {
  if (options.nvcc_rules != NvccRules::enforced) return {};
  Command flags{"-Wuninitialized", is_clang(options) ? "-Wtautological-unsigned-zero-compare" : "-Wtype-limits"};
  if (!is_clang(options)) flags.emplace_back("-Wno-maybe-uninitialized");
  return flags;
}

Command cuda_definitions(const NvccOptions& options) {
  Command flags{"-D__WARPFIBER__",
                "-D__CUDACC__",
                "-D__NVCC__",
                "-D__CUDACC_VER_MAJOR__=13",
                "-D__CUDACC_VER_MINOR__=0",
                "-D__CUDACC_VER_BUILD__=88",
                "-D__CUDA_API_VER_MAJOR__=13",
                "-D__CUDA_API_VER_MINOR__=0"};
  if (new_standard(options).empty()) flags.emplace_back("-DWARPFIBER_RAISED_STANDARD");
  if (options.typed_copies) flags.emplace_back("-DWARPFIBER_TYPED_COPIES");
  if (options.relocatable) flags.emplace_back("-D__CUDACC_RDC__");
  if (options.extended_lambda) flags.emplace_back("-D__CUDACC_EXTENDED_LAMBDA__");
  if (options.relaxed_constexpr) flags.emplace_back("-D__CUDACC_RELAXED_CONSTEXPR__");
  if (options.device_debug) flags.emplace_back("-D__CUDACC_DEBUG__");
  if (options.fast_math) flags.emplace_back("-D__USE_FAST_MATH__=1");
  flags.push_back("-D__CUDA_ARCH_LIST__=" + std::to_string(architecture_of(options)));
  return flags;
}

/// Kernels are compiled for speed unless they are to be debugged: nvcc's -O says nothing about them either.
std::string optimisation_flag(const NvccOptions& options) {
  if (!options.optimisation.empty()) return options.optimisation;
  return options.device_debug ? "-O0" : "-O2";
}

/// Many processors decode a loop anew in every round when one of its jumps touches the end of 32 bytes of code (Intel,
/// "Mitigations for Jump Conditional Code Erratum"): a short kernel then takes half as long again, by luck.
Command unlucky_jumps_flags([[maybe_unused]] const NvccOptions& options) {
#ifdef __x86_64__
  constexpr const char* kAlign = "-mbranches-within-32B-boundaries";
  return is_clang(options) ? Command{kAlign} : Command{std::string("-Wa,") + kAlign};
#else
  return {};
#endif
}

/// What g++'s -O3 does and the loop over a row of threads needs to be vectorised (run_straight_line_row in
/// <warpfiber/detail/claim.hpp>): nvcc optimises kernels that far, whatever its -O says.
Command vectorising_flags(const NvccOptions& options) {
  if (is_clang(options) || options.check || optimisation_flag(options) != "-O2") return {};
  return {"-fsplit-loops", "-ftree-loop-vectorize", "-fvect-cost-model=dynamic"};
}

/// A kernel's body is a function of an unnamed structure inside another function. Debuggers call it by its own name, as
/// long as debug information has no name of the linker's for it.
Command debugger_flags(const NvccOptions& options) {
  if (!options.device_debug || !is_clang(options)) return {};
  return {"-mllvm", "-dwarf-linkage-names=Abstract"};
}

/// What g++ assembles checked files with (src/tools/assembler). clang++ is its own assembler.
Command assembler_flags(const NvccOptions& options, const Toolchain& toolchain) {
  return options.check && !is_clang(options) ? Command{"-B" + toolchain.assembler} : Command{};
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
      case Goal::objects: each([this](const std::string& input) { compile(input, object_path(input)); }); break;
      case Goal::device_link: empty_object(); break;
      default:
        each([this](const std::string& input) { compile(input, object_in_scratch(input)); });
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
    return options_.goal == Goal::executable && std::ranges::none_of(options_.linking, may_name_a_runtime) &&
           std::ranges::none_of(options_.host_flags, may_name_a_runtime);
  }

  bool is_cuda(const std::string& input) const { return is_cuda_source(input, options_.language); }
  bool is_c(const std::string& input) const {
    return options_.language.empty() ? fs::path(input).extension() == ".c" : options_.language == "c";
  }

  /// What the preprocessor needs, for CUDA files and for host files.
  Command preprocessing(const std::string& input) const {
    Command flags = cuda_folders(options_.preprocessing, toolchain_);
    if (is_cuda(input)) {
      append(flags, language_flags(options_, standard_flag(options_)));
      append(flags, cuda_definitions(options_));
    } else if (!is_c(input)) {
      append(flags, language_flags(options_, host_standard_flag(options_, input)));
    }
    if (options_.check) flags.emplace_back("-DWARPFIBER_CHECKED");
    if (is_whole_program()) append(flags, toolchain_.whole_program);
    if (options_.per_thread_stream) flags.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
    append(flags, options_.preprocessing);
    append(flags, options_.host_flags);
    if (is_cuda(input)) append(flags, {"-include", "cuda_runtime.h"});
    return flags;
  }

  const char* language(const std::string& input) const { return is_c(input) ? "c" : "c++"; }

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
    append(command, {"-x", language(input), input});
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

  void compile(const std::string& input, const std::string& object) {
    // Reports name lines; those of a checked program, and debuggers, also variables.
    const bool names_variables = options_.check || options_.device_debug;
    Command compile{host_compiler(options_), "-c", optimisation_flag(options_), names_variables ? "-g" : "-g1"};
    append(compile, toolchain_.compiling);
    append(compile, check_flags(options_));
    append(compile, assembler_flags(options_, toolchain_));
    if (options_.check) append(compile, toolchain_.keeping_lines);
    if (!is_cuda(input)) {
      append(compile, preprocessing(input));
      append(compile, code_now_flags());
      append(compile, dependency_flags(object));
      append(compile, {"-x", language(input), input, "-o", object});
      add(compile);
      plan_.steps.back().said = scratch_name(input, ".said");
      return;
    }
    const Step step = translation(input, object);
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
    append(compile, unlucky_jumps_flags(options_));
    append(compile, vectorising_flags(options_));
    append(compile, nvcc_warnings(options_));
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
    append(first.command, {"-x", "c++-cpp-output", step.translated, "-o", in_two ? first.intermediate : object});
    plan_.steps.push_back(first);
    if (!in_two) return;
    Command second = compile;
    append(second, {"-Wno-unused-command-line-argument", "-x", "ir", first.intermediate, "-o", object});
    add(second);
  }

  /// What nvcc's rules are judged from.
  void add_rules(Step& step, const std::string& input, const Command& compile) const {
    step.assembly = scratch_name(input, ".written.s");
    step.assemble = compile;
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
    step.device_command.push_back("-D__CUDA_ARCH__=" + std::to_string(architecture_of(options_)));
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
      if (!names_ours(word)) command.push_back(word);
    }
    if (options_.check) append(command, toolchain_.checking);
    append(command, toolchain_.linking);
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

unsigned architecture_of(const NvccOptions& options) {
  return options.architecture != 0 ? options.architecture : kDefaultArchitecture;
}

bool is_older_language(const NvccOptions& options) {
  return new_standard(options).empty();
}

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
    return content_of(path).find("__CUDA_ARCH__") != std::string::npos;
  });
}

}  // namespace warpfiber::tools::nvcc
