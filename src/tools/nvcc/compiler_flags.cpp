// SPDX-License-Identifier: Apache-2.0
//
// The reasons for the flags that every program gets, and for those of checked ones.
#include "tools/nvcc/compiler_flags.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include "base/targets.hpp"
#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::nvcc {
namespace {

namespace fs = std::filesystem;

// The default device model is an H200. Without -arch a program sees what that device is.
constexpr unsigned kDefaultArchitecture = 900;
constexpr const char* kOldestStandard = "20";      // of our headers
constexpr const char* kOldestHostStandard = "17";  // of NVIDIA's among them, in host files

/// What stands behind the "++" of the language that was asked for, where our headers can be read in it; else empty.
std::string new_standard(const NvccOptions& options) {
  const std::string digits =
      options.standard.substr(std::min(options.standard.size(), options.standard.find("++") + 2));
  constexpr std::string_view kNewer[] = {"20", "2a", "23", "2b", "26", "2c"};
  const bool newer = options.standard.find("++") != std::string::npos &&
                     std::find(std::begin(kNewer), std::end(kNewer), digits) != std::end(kNewer);
  return newer ? digits : std::string();
}

/// What a host file includes where it needs our language: our own headers, and those of NVIDIA's that are C++20 here.
constexpr std::string_view kNewHeaders[] = {"warpfiber/", "cooperative_groups", "<cuda/", "cuda_pipeline",
                                            "cuda_awbarrier"};

bool is_in_new_standard(const NvccOptions& options, const std::string& input) {
  const std::string text = content_of(input);
  const auto includes = [&text](std::string_view header) { return text.find(header) != std::string::npos; };
  return !new_standard(options).empty() || std::ranges::any_of(kNewHeaders, includes);
}

bool is_c(const NvccOptions& options, const std::string& input) {
  return options.language.empty() ? fs::path(input).extension() == ".c" : options.language == "c";
}

/// In a language that our headers cannot be read in there is none.
bool may_have_kernels(const NvccOptions& options, const std::string& input) {
  if (is_cuda_source(input, options.language)) return true;
  return !is_c(options, input) && is_in_new_standard(options, input);
}

bool is_for_debugger(const NvccOptions& options) {
  return options.device_debug ||
         std::ranges::any_of(options.host_flags, [](const std::string& word) { return word.starts_with("-g"); });
}

std::string host_standard_flag(const NvccOptions& options, const std::string& input) {
  return is_in_new_standard(options, input) ? standard_flag(options) : std::string("-std=gnu++") + kOldestHostStandard;
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

/// The version of CUDA that a program is for: -DCUDART_VERSION=12080 makes nvcc's own names say 12.8 as well.
unsigned cuda_version(const NvccOptions& options) {
  constexpr std::string_view kNames[] = {"-DCUDART_VERSION=", "-DCUDA_VERSION="};
  constexpr unsigned kOwn = 13000;
  unsigned version = kOwn;
  for (const std::string& word : options.preprocessing) {
    for (const std::string_view name : kNames) {
      if (!word.starts_with(name)) continue;
      unsigned number = 0;
      const char* const end = word.data() + word.size();
      const auto [stop, failure] = std::from_chars(word.data() + name.size(), end, number);
      if (failure == std::errc() && stop == end && number >= 1000) version = number;
    }
  }
  return version;
}

Command cuda_definitions(const NvccOptions& options) {
  const unsigned version = cuda_version(options);
  const std::string major = std::to_string(version / 1000);
  const std::string minor = std::to_string(version % 1000 / 10);
  Command flags{"-D__WARPFIBER__",
                "-D__CUDACC__",
                "-D__NVCC__",
                "-D__CUDACC_VER_MAJOR__=" + major,
                "-D__CUDACC_VER_MINOR__=" + minor,
                "-D__CUDACC_VER_BUILD__=88",
                "-D__CUDA_API_VER_MAJOR__=" + major,
                "-D__CUDA_API_VER_MINOR__=" + minor,
                "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1",
                "-D__CUDACC_DEVICE_ATOMIC_BUILTINS__=1"};
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

/// Options of the host compiler under which regions would not do what fibers do, and why.
struct Obstacle {
  std::string_view option;  // or what it begins with
  std::string_view reason;
};
constexpr std::string_view kFused = "lets the host compiler fuse products with sums, unless -ffp-contract=off is given";
constexpr std::string_view kReordered = "lets compilers change the results of floating point, each in its own way";
constexpr std::string_view kInstrumented = "changes what each access or call of a thread does";
constexpr Obstacle kObstacles[] = {
    {"-fno-rtti", "leaves out the names by which kernels are found"},
    {"-flto", "leaves no object to which regions could be added"},
    {"-ffast-math", kReordered},
    {"-Ofast", kReordered},
    {"-funsafe-math-optimizations", kReordered},
    {"-fassociative-math", kReordered},
    {"-freciprocal-math", kReordered},
    {"-ffp-contract=fast", kReordered},
    {"-fsingle-precision-constant", "is unknown to clang++, which makes the loops"},
    {"-fsanitize=", kInstrumented},
    {"-finstrument-functions", kInstrumented},
    {"-fprofile-", kInstrumented},
    {"--coverage", kInstrumented},
};
constexpr std::string_view kMayFuse[] = {"-march=", "-mfma", "-mavx512", "-mcpu="};

/// Of the host compiler's options those that say how it goes to work, not what the program means.
bool is_of_host_only(const std::string& word) {
  constexpr std::string_view kBegins[] = {"-W",      "-g",       "-O",  "-l", "-L", "-fdiagnostics",
                                          "-ftree-", "-fuse-ld", "-pg", "-w"};
  constexpr std::string_view kPreprocesses = "-Wp,";
  if (word.starts_with(kPreprocesses)) return false;
  return std::ranges::any_of(kBegins, [&](std::string_view begin) { return word.starts_with(begin); });
}

/// Functions of which the C library and compilers do not compute the same last bit
/// (include/warpfiber/cuda/called_functions.hpp). Each exists for float, too.
constexpr const char* kCalledFunctions[] = {
    "acos", "acosh", "asin",   "asinh", "atan",  "atan2", "atanh",  "cbrt", "cos",    "cosh", "erf",   "erfc",
    "exp",  "exp10", "exp2",   "expm1", "hypot", "j0",    "j1",     "jn",   "lgamma", "log",  "log10", "log1p",
    "log2", "sin",   "sincos", "sinh",  "tan",   "tanh",  "tgamma", "y0",   "y1",     "yn"};

}  // namespace

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

unsigned architecture_of(const NvccOptions& options) {
  return options.architecture != 0 ? options.architecture : kDefaultArchitecture;
}

Command architecture_definitions(const NvccOptions& options) {
  const std::string number = std::to_string(architecture_of(options));
  Command flags{"-D__CUDA_ARCH__=" + number};
  if (options.architecture_kind == 'a') {
    flags.push_back("-D__CUDA_ARCH_FEAT_SM" + number.substr(0, number.size() - 1) + "_ALL");
    flags.push_back("-D__CUDA_ARCH_SPECIFIC__=" + number);
  }
  if (options.architecture_kind != '\0') flags.push_back("-D__CUDA_ARCH_FAMILY_SPECIFIC__=" + number);
  return flags;
}

bool is_older_language(const NvccOptions& options) {
  return new_standard(options).empty();
}

std::string standard_flag(const NvccOptions& options) {
  const std::string newer = new_standard(options);
  return "-std=gnu++" + (newer.empty() ? std::string(kOldestStandard) : newer);
}

Command language_flags(const NvccOptions& options, const std::string& standard) {
  Command flags{standard, "-fno-char8_t"};
  append(flags, is_clang(options) ? Command{"-Wno-deprecated-volatile", "-Wno-deprecated-anon-enum-enum-conversion"}
                                  : Command{"-Wno-volatile", "-Wno-deprecated-enum-enum-conversion"});
  return flags;
}

bool is_for_library(const NvccOptions& options) {
  constexpr std::string_view kForLibraries[] = {"-fPIC", "-fpic"};
  constexpr std::string_view kForPrograms[] = {"-fPIE", "-fpie", "-fno-PIC", "-fno-pic", "-fno-PIE", "-fno-pie"};
  bool is_so = false;  // the last word counts
  for (const std::string& word : options.host_flags) {
    if (std::ranges::find(kForLibraries, word) != std::end(kForLibraries)) is_so = true;
    if (std::ranges::find(kForPrograms, word) != std::end(kForPrograms)) is_so = false;
  }
  return is_so;
}

Command check_flags(const NvccOptions& options, const std::string& input) {
  // What a hook returns to is where the access is.
  constexpr const char* kKeepCalls = "-fno-optimize-sibling-calls";
  constexpr const char* kConversions = "-fsanitize=float-cast-overflow";
  constexpr const char* kBools = "-fsanitize=bool";
  // The hooks see how each part of a structure is aligned that is copied part by part. clang++ checks no copies.
  constexpr const char* kAlignment = "-fsanitize=alignment";
  if (!options.check) return {};
  if (is_clang(options)) {
    return {"-fsanitize=thread", kConversions, kBools, "-fsanitize=array-bounds", kKeepCalls, "-mllvm",
            "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
            "-tsan-instrument-read-before-write=1",
            // Stores on both sides of a branch stay two: as one they have the line of only one of them.
            "-mllvm", "-simplifycfg-sink-common=false"};
  }
  Command flags{"-fsanitize=thread", kConversions, kBools,
                // Also of arrays at the end of structures, if they have more than one element.
                "-fsanitize=bounds-strict", kKeepCalls, "-U__SANITIZE_THREAD__", "-U_FORTIFY_SOURCE", "-Wno-tsan",
                "--param", "tsan-distinguish-volatile=1", "--param", "tsan-instrument-func-entry-exit=0"};
  if (may_have_kernels(options, input)) flags.emplace_back(kAlignment);
  // Reports name variables that lie in memory. Where others are, instruction by instruction, takes g++ a quarter of its
  // time.
  if (!is_for_debugger(options)) append(flags, {"-fno-var-tracking", "-fno-var-tracking-assignments"});
  return flags;
}

Command nvcc_warnings(const NvccOptions& options) {
  if (options.nvcc_rules != NvccRules::enforced) return {};
  Command flags{"-Wuninitialized", is_clang(options) ? "-Wtautological-unsigned-zero-compare" : "-Wtype-limits"};
  if (!is_clang(options)) flags.emplace_back("-Wno-maybe-uninitialized");
  return flags;
}

std::string optimisation_flag(const NvccOptions& options) {
  if (!options.optimisation.empty()) return options.optimisation;
  return options.device_debug ? "-O0" : "-O2";
}

Command jump_alignment_flags(const NvccOptions& options) {
  if (!base::kIsX86) return {};
  constexpr const char* kAlign = "-mbranches-within-32B-boundaries";
  return is_clang(options) ? Command{kAlign} : Command{std::string("-Wa,") + kAlign};
}

Command vectorising_flags(const NvccOptions& options) {
  if (is_clang(options) || options.check || optimisation_flag(options) != "-O2") return {};
  return {"-fsplit-loops", "-ftree-loop-vectorize", "-fvect-cost-model=dynamic"};
}

Command debugger_flags(const NvccOptions& options) {
  if (!options.device_debug || !is_clang(options)) return {};
  return {"-mllvm", "-dwarf-linkage-names=Abstract"};
}

Command assembler_flags(const NvccOptions& options, const Toolchain& toolchain) {
  return options.check && !is_clang(options) ? Command{"-B" + toolchain.assembler} : Command{};
}

const char* language_of(const NvccOptions& options, const std::string& input) {
  return is_c(options, input) ? "c" : "c++";
}

Command preprocessing_flags(const NvccOptions& options, const Toolchain& toolchain, const std::string& input,
                            bool is_whole_program) {
  const bool is_cuda = is_cuda_source(input, options.language);
  Command flags = cuda_folders(options.preprocessing, toolchain);
  if (is_cuda) {
    append(flags, language_flags(options, standard_flag(options)));
    append(flags, cuda_definitions(options));
  } else if (!is_c(options, input)) {
    append(flags, language_flags(options, host_standard_flag(options, input)));
  }
  if (options.check) flags.emplace_back("-DWARPFIBER_CHECKED");
  if (is_whole_program) flags.emplace_back("-DWARPFIBER_WHOLE_PROGRAM");
  if (options.per_thread_stream) flags.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
  append(flags, options.preprocessing);
  append(flags, options.host_flags);
  // Ubuntu's g++ defines it. With it the C library's headers have functions in front of memcpy() that no hook is in.
  if (options.check) flags.emplace_back("-U_FORTIFY_SOURCE");
  if (is_cuda) append(flags, {"-include", "cuda_runtime.h", "-include", "warpfiber/detail/unit_version.hpp"});
  return flags;
}

NvccOptions regions_options(const NvccOptions& options, const std::string& clang) {
  NvccOptions second = options;
  second.host_compiler = clang;
  std::erase_if(second.host_flags, is_of_host_only);
  return second;
}

std::string obstacle_to_regions(const NvccOptions& options) {
  if (options.statements) return "-fstatements needs fibers";
  if (options.check) return "-fcheck needs fibers";
  if (options.device_debug) return "-G needs fibers";
  const auto has = [&](std::string_view option) {
    return std::ranges::find(options.host_flags, option) != options.host_flags.end();
  };
  const bool is_off = has("-ffp-contract=off");
  for (const std::string& word : options.host_flags) {
    for (const Obstacle& obstacle : kObstacles) {
      if (word.starts_with(obstacle.option)) return word + " " + std::string(obstacle.reason);
    }
    const bool may_fuse =
        std::ranges::any_of(kMayFuse, [&](std::string_view begin) { return word.starts_with(begin); });
    if (may_fuse && !is_off) return word + " " + std::string(kFused);
  }
  return {};
}

Command called_functions_flags() {
  Command flags;
  for (const char* name : kCalledFunctions) {
    flags.push_back(std::string("-fno-builtin-") + name);
    flags.push_back(flags.back() + "f");
  }
  return flags;
}

Command regions_flags(const NvccOptions& options, const Toolchain& toolchain, const std::string& flags) {
  Command command{options.host_compiler, "-c", "-O3", "-g1"};
  append(command, toolchain.compiling);
  append(command, language_flags(options, standard_flag(options)));
  append(command, {"-fno-strict-aliasing", "@" + flags, "-fno-finite-loops"});
  append(command, jump_alignment_flags(options));
  append(command, called_functions_flags());
  append(command, options.host_flags);
  append(command, {"-fexceptions", "-ffp-contract=off", "-fno-math-errno", "-fno-stack-clash-protection",
                   "-fno-crash-diagnostics", "-w", "-fpass-plugin=" + toolchain.region_plugin});
  // LLVM takes s[x * 5 % 64] for an access with a stride that never wraps (versions 14 and 16 do).
  append(command, {"-mllvm", "-enable-interleaved-mem-accesses=false"});
  return command;
}

}  // namespace warpfiber::tools::nvcc
