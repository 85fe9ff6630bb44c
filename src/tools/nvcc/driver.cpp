// SPDX-License-Identifier: Apache-2.0
//
// Executes the steps of a plan (plan.hpp): it starts compilers, translates between them, and stops at the first
// failure.
#include "tools/nvcc/driver.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <utility>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "instrument/aligned_copies.hpp"
#include "tools/manual/help.hpp"
#include "tools/nvcc/compiler_flags.hpp"
#include "tools/nvcc/messages.hpp"
#include "tools/nvcc/obey.hpp"
#include "tools/nvcc/option_values.hpp"
#include "tools/nvcc/options.hpp"
#include "tools/nvcc/plan.hpp"
#include "tools/nvcc/precompiled/cutting.hpp"
#include "tools/nvcc/precompiled/headers.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/regions/unit.hpp"
#include "tools/nvcc/retyping.hpp"
#include "tools/nvcc/sidecar.hpp"
#include "tools/nvcc/text_compiler.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"
#include "tools/packages/packages.hpp"
#include "translate/translate.hpp"

namespace warpfiber::tools::nvcc {
namespace {

constexpr int kFailed = 1;

int complain(int status, const char* command, const std::string& what) {
  std::fprintf(stderr, "warpfiber %s: %s\n", command, base::without_controls(what).c_str());
  return status;
}

/// nvcc begins its lines so, and build systems read what it links from them.
void show(const std::string& line) {
  std::fprintf(stderr, "#$ %s\n", line.c_str());
}

void show_environment(const Toolchain& toolchain, const NvccOptions& options) {
  const char* path = std::getenv("PATH");
  show("TOP=" + toolchain.toolkit);
  show("NVVMIR_LIBRARY_DIR=" + toolchain.toolkit + "/nvvm/libdevice");
  show(std::string("PATH=") + (path != nullptr ? path : ""));
  show("INCLUDES=" + quoted(toolchain.preprocessing));
  show("LIBRARIES=-L" + toolchain.toolkit + "/lib64");
  show("ARCHITECTURE=-arch compute_" + std::to_string(architecture_of(options) / 10));
}

/// How the host's compiler would link the same without nvcc: build systems that do so, as CMake, read the last line
/// with our folder of libraries. The archive is there unless another is named, as with nvcc: they know the name of the
/// shared library, and not how a program finds it when it starts.
void show_link_by_host(const Toolchain& toolchain, const NvccOptions& options) {
  Command link{host_compiler(options)};
  if (options.goal == Goal::shared_library) link.emplace_back("-shared");
  append(link, {"-L" + toolchain.toolkit + "/lib64", "-lcudadevrt"});
  if (!options.names_cuda_runtime || options.cuda_runtime == CudaRuntime::archive) {
    link.emplace_back("-lcudart_static");
  } else if (options.cuda_runtime == CudaRuntime::shared_library) {
    link.emplace_back("-lcudart");
  }
  append(link, {"-lrt", "-lpthread", "-ldl"});
  show(quoted(link));
}

translate::TranslateOptions how_to_translate(const NvccOptions& options) {
  translate::TranslateOptions how{.relocatable_device_code = options.relocatable,
                                  .older_language = is_older_language(options),
                                  .checked = options.check,
                                  .named_bodies = options.device_debug,
                                  .statements = options.statements};
  how.unrolls = !clang_of(options).empty();
  if (options.check && clang_of(options).empty() && options.nvcc_rules == NvccRules::enforced) {
    // Of the checks of -fsanitize=undefined this one alone: g++ inlines no function that is checked for any of them
    // into one that is checked for none.
    how.of_host = "__attribute__((no_sanitize(\"alignment\")))";
    how.relaxed_constexpr = options.relaxed_constexpr;
  }
  // clang++ keeps the order of the program without being asked.
  if (clang_of(options).empty()) how.in_order = "__attribute__((used, no_reorder))";
  return how;
}

/// A section of the program that names a file of commands, which gdb loads where its auto-load safe-path has the file
/// (GDB's manual, "The .debug_gdb_scripts section"). A file that a string would have to quote is left out.
std::string section_for_debugger(const std::string& commands) {
  if (commands.empty() || commands.find_first_of("\"\\\n") != std::string::npos) return {};
  return "\n__asm__(\".pushsection .debug_gdb_scripts,\\\"MS\\\",@progbits,1\\n.byte 1\\n.asciz \\\"" + commands +
         "\\\"\\n.popsection\\n\");\n";
}

/// The line markers of headers in these folders say that they are the system's, of which compilers give no warnings
/// (GCC's manual, "Preprocessor Output", flag 3). Only in the text that is compiled: to the translator it matters whose
/// a macro is.
std::string with_own_headers_as_systems(const std::string& text, const std::vector<std::string>& folders) {
  std::string marked;
  marked.reserve(text.size() + text.size() / 64);
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view words = std::string_view(text).substr(line, end - line);
    marked += words;
    const std::size_t open = words.starts_with("# ") ? words.find(" \"") : std::string_view::npos;
    if (open != std::string_view::npos) {
      const std::string_view file = words.substr(open + 2);
      const bool is_own = std::ranges::any_of(folders, [&](const std::string& folder) {
        return file.starts_with(folder) && file.substr(folder.size()).starts_with('/');
      });
      const bool is_marked = words.substr(words.rfind('"')).find(" 3") != std::string_view::npos;
      if (is_own && !is_marked) marked += " 3";
    }
    if (end < text.size()) marked += '\n';
    line = end + 1;
  }
  return marked;
}

int translate(const Step& step, const NvccOptions& options, Translated& source) {
  const std::string host = content_of(step.host);
  std::string device;
  if (asks_for_architecture(host)) {
    if (options.verbose) show(quoted(step.device_command));
    const int status = run(step.device_command);
    if (status != 0) return status;
    device = content_of(step.device);
  }
  translate::TranslateOptions how = how_to_translate(options);
  how.inline_kernels = !step.regions.command.empty() && !clang_of(options).empty();
  auto program = std::make_shared<const translate::JoinedProgram>(host, device, how);
  const translate::Translation result = translate::translate(*program, how);
  source = {step.host, device.empty() ? std::string() : step.device, program, how, result.kernels, step.header_folders,
            {}};
  for (const translate::Diagnostic& diagnostic : result.diagnostics) {
    std::fprintf(stderr, "%s\n", base::without_controls(translate::to_text(diagnostic)).c_str());
  }
  if (!result.diagnostics.empty()) return kFailed;
  const bool is_silent = std::ranges::find(options.host_flags, "-w") != options.host_flags.end();
  for (const translate::Diagnostic& warning : result.warnings) {
    if (!is_silent) std::fprintf(stderr, "%s\n", base::without_controls(to_text(warning, "warning")).c_str());
  }
  // In cuda_runtime.h are ours only.
  const CutRuntime cut = cut_behind_runtime(host);
  const std::string users = cut.header.empty() ? host : cut.including + cut.rest;
  const char* flags = may_retype_memory(users, step.header_folders) ? "" : "-fstrict-aliasing\n";
  if (!write_content(step.flags, flags)) return complain(kFailed, "nvcc", "cannot write " + step.flags);
  std::string text =
      with_own_headers_as_systems(result.text, step.header_folders) + section_for_debugger(step.debugger);
  if (!step.regions.command.empty()) {
    source.unit = unit_of(text);
    text = with_unit(std::move(text), source.unit);
  }
  return write_content(step.translated, text) ? 0 : complain(kFailed, "nvcc", "cannot write " + step.translated);
}

/// What is run, as far as it is known before.
void show(const Step& step, bool is_dry) {
  show(quoted(step.command));
  const RegionsStep& regions = step.regions;
  if (regions.command.empty()) return;
  const std::string variable =
      regions.report.empty() ? std::string() : "WARPFIBER_REGIONS_REPORT=" + regions.report + " ";
  show(variable + quoted(regions.command));
  if (is_dry && !regions.merge.empty()) show(quoted(regions.merge));
}

int execute(const Plan& plan, const NvccOptions& options, const Toolchain& toolchain) {
  Translated source;
  const std::string cache = cache_folder(toolchain.cache);
  const PrecompiledHeaders headers(
      cache, cache == toolchain.cache ? PrecompiledHeaders::kMostOfBuild : PrecompiledHeaders::kMost);
  Sidecar sidecar(options, headers);
  // With regions the header has a number of the file in it.
  const TextCompiler compiler(options, toolchain.region_compiler.empty() ? headers : PrecompiledHeaders({}));
  for (const Step& step : plan.steps) {
    if (options.verbose || options.dry_run) show(step, options.dry_run);
    if (options.dry_run) continue;
    if (!step.assemble.empty() && !keeps_rules(step, source, options, compiler)) return kFailed;
    sidecar.start(step);
    int status = step.compiles_translated() ? compile_translated(step, source, compiler) : compile_written(step);
    if (status == 0 && step.translates()) status = translate(step, options, source);
    if (status == 0 && !step.intermediate.empty() &&
        !write_content(step.intermediate, instrument::with_aligned_copies(content_of(step.intermediate)))) {
      status = complain(kFailed, "nvcc", "cannot write " + step.intermediate);
    }
    if (status != 0) return status;
    sidecar.finish(step, source);
  }
  return 0;
}

int print_version() {
  // Build systems look for nvcc's own name, and read the release from the line that begins as nvcc's does.
  std::printf(
      "warpfiber nvcc: CUDA C++ for a simulated GPU, in place of nvcc: NVIDIA (R) Cuda compiler driver\n"
      "Warpfiber %s\nCuda compilation tools, release 13.0, V13.0.88\n",
      WARPFIBER_VERSION);
  return 0;
}

/// clang's InstCombine makes one load of two and leaves it without a line. Versions that cannot do without it say so.
std::vector<std::string> line_keeping_flags(const NvccOptions& options) {
  const std::string clang = clang_of(options);
  if (!options.check || clang.empty()) return {};
  std::vector<std::string> flags{"-mllvm", "-instcombine-max-iterations=0"};
  std::vector<std::string> question{clang, "-x", "c++", "-fsyntax-only", "/dev/null"};
  question.insert(question.end(), flags.begin(), flags.end());
  return run(question, {.variables = {}, .silent = true}) == 0 ? flags : std::vector<std::string>();
}

/// Objects and libraries, also scripts of the linker that take the place of one.
bool can_be_linked(const std::string& path) {
  constexpr std::string_view kSuffixes[] = {".o", ".obj", ".lo", ".a", ".so", ".ld", ".lds"};
  const std::string name = std::filesystem::path(path).filename().string();
  const bool is_named = std::ranges::any_of(kSuffixes, [&](std::string_view suffix) { return name.ends_with(suffix); });
  if (is_named || name.find(".so.") != std::string::npos) return std::filesystem::exists(path);
  std::ifstream file(path, std::ios::binary);
  std::string head(7, ' ');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.substr(1, 3) == "ELF" || head == "!<arch>";
}

/// The word that is no option, no source and nothing to link; empty where there is none.
std::string misplaced_word(const NvccOptions& options) {
  for (std::size_t i = 0; i < options.linking.size(); ++i) {
    const std::string& word = options.linking[i];
    const bool is_program = i == 0 && is_program_file(word);
    if (word == "-Xlinker") {
      ++i;
    } else if (word[0] != '-' && !is_program && !can_be_linked(word)) {
      return word;
    }
  }
  return {};
}

bool starts_compiler(const NvccOptions& options) {
  return !options.dry_run && (options.goal != Goal::library || !options.inputs.empty());
}

/// Says what helps where there is no host compiler. Whether there is one.
bool find_host_compiler(const NvccOptions& options) {
  const std::string compiler = host_compiler(options);
  if (!program_path(compiler).empty()) return true;
  const bool by_name = compiler.find('/') == std::string::npos;
  complain(kFailed, "nvcc",
           "there is no " + compiler + (by_name ? " on the path" : "") + ", which is to compile the program");
  // Packages have the names of versions in ways of their own.
  const bool is_plain = compiler == "g++" || compiler == "clang++";
  bool has_other = false;
  for (const std::string other : {"g++", "clang++"}) {
    if (program_path(other).empty()) continue;
    has_other = true;
    complain(kFailed, "nvcc", "to use " + other + ": -ccbin " + other + ", or CXX=" + other);
  }
  const auto software = compiler == "clang++" ? packages::Software::clang : packages::Software::gxx;
  const auto install = packages::install_command(packages::this_system(), software);
  if (install.has_value() && (is_plain || !has_other)) complain(kFailed, "nvcc", "to install one: " + *install);
  complain(kFailed, "nvcc", own_command() + " doctor tries all that is needed");
  return false;
}

int build(NvccOptions options, const std::string& scratch, std::string* result) {
  if (options.host_compiler.empty()) options.host_compiler = compiler_of_environment();
  Toolchain toolchain = find_toolchain(base::own_program());
  if (!toolchain.ok()) return complain(kFailed, "nvcc", toolchain.error);
  if (starts_compiler(options) && !find_host_compiler(options)) return kFailed;
  toolchain.keeping_lines = line_keeping_flags(options);
  toolchain.region_compiler = find_region_compiler(options, toolchain);
  if (options.verbose || options.dry_run) show_environment(toolchain, options);
  const Plan plan = make_plan(options, toolchain, scratch);
  if (!plan.ok()) return complain(kWrongUsage, "nvcc", plan.error);
  if (result != nullptr) *result = plan.result;
  // Of compilers only the messages matter: 4 is a defect of g++, and 127 means that it is not there.
  const bool succeeded = execute(plan, options, toolchain) == 0;
  const bool links = options.goal == Goal::executable || options.goal == Goal::shared_library;
  if (links && (options.verbose || options.dry_run)) show_link_by_host(toolchain, options);
  if (stopped_by() != 0) return kSignalled + stopped_by();
  if (succeeded) return 0;
  // A compiler that cannot write its messages fails without any.
  if (const std::string shortage = shortage_in(scratch); !shortage.empty()) return complain(kFailed, "nvcc", shortage);
  return kFailed;
}

/// The command line with what two variables put in front of it and behind it ("NVIDIA CUDA Compiler Driver NVCC",
/// chapter "NVCC Environment Variables").
std::vector<std::string> with_flags_of_environment(const std::vector<std::string>& arguments) {
  const auto flags_of = [](const char* variable) {
    const char* flags = std::getenv(variable);
    return words_of_file(flags != nullptr ? flags : "");
  };
  std::vector<std::string> all = flags_of("NVCC_PREPEND_FLAGS");
  all.insert(all.end(), arguments.begin(), arguments.end());
  const std::vector<std::string> last = flags_of("NVCC_APPEND_FLAGS");
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

/// The program that --run is given, as build systems start what they have built; empty: there is something to build.
/// nvcc leaves the word to a shell, and Meson quotes it for that.
std::string program_to_run(const NvccOptions& options) {
  if (!options.run || !options.inputs.empty() || options.linking.size() != 1) return {};
  const std::string& word = options.linking[0];
  const bool is_quoted = word.size() > 2 && word.front() == '"' && word.back() == '"';
  const std::string path = is_quoted ? word.substr(1, word.size() - 2) : word;
  return is_program_file(path) ? path : std::string();
}

/// Whether the host compiler is only to say what it is, by which build systems learn it. It reads no file then, and
/// need not have one: `nvcc .c -Xcompiler --version`.
bool asks_host_compiler(const NvccOptions& options) {
  constexpr std::string_view kQuestions[] = {"--version", "-dumpversion", "-dumpfullversion", "-dumpmachine"};
  const auto is_question = [&](const std::string& word) {
    return std::ranges::find(kQuestions, word) != std::end(kQuestions);
  };
  return std::ranges::any_of(options.host_flags, is_question);
}

int answer_of_host_compiler(NvccOptions options) {
  if (options.host_compiler.empty()) options.host_compiler = compiler_of_environment();
  if (!find_host_compiler(options)) return kFailed;
  std::vector<std::string> command{host_compiler(options)};
  command.insert(command.end(), options.host_flags.begin(), options.host_flags.end());
  if (options.verbose || options.dry_run) show(quoted(command));
  return options.dry_run || run(command) == 0 ? 0 : kFailed;
}

std::string runnable(const std::string& path) {
  return path.find('/') == std::string::npos ? "./" + path : path;
}

}  // namespace

int nvcc(const std::vector<std::string>& arguments) {
  const ParsedNvccOptions parsed = parse_options(with_flags_of_environment(arguments));
  if (!parsed.ok()) return complain(kWrongUsage, "nvcc", manual::with_suggestion(parsed.error, parsed.unknown, "nvcc"));
  const NvccOptions& options = parsed.options;
  if (options.goal == Goal::version) return print_version();
  if (options.goal == Goal::help) return print(manual::help_of("nvcc"));
  if (asks_host_compiler(options)) return answer_of_host_compiler(options);
  std::string result;
  if (const std::string built = program_to_run(options); !built.empty()) {
    result = built;
    if (options.dry_run) return 0;
  } else {
    const ScratchFolder scratch;
    if (scratch.path().empty()) return complain(kFailed, "nvcc", scratch.error());
    const int status = build(options, scratch.path(), &result);
    if (status != 0 || !options.run || options.dry_run) return status;
  }
  std::vector<std::string> command{runnable(result)};
  command.insert(command.end(), options.run_arguments.begin(), options.run_arguments.end());
  return run(command, {.variables = {}, .is_program = true});
}

int build_program(NvccOptions options, const std::string& scratch, const char* command, std::string& program) {
  if (options.goal != Goal::executable) return complain(kWrongUsage, command, "only an executable can be run");
  if (const std::string word = misplaced_word(options); !word.empty()) {
    const std::string what =
        std::filesystem::exists(word) ? "' is neither a source nor an object file" : "' is not a file";
    return complain(kWrongUsage, command,
                    "'" + word + what + "; put arguments of the program after \"--\": ... -- " + word);
  }
  if (options.output.empty()) options.output = scratch + "/program";
  program = runnable(options.output);
  return build(options, scratch, nullptr);
}

}  // namespace warpfiber::tools::nvcc
