// SPDX-License-Identifier: Apache-2.0
//
// One table says how every option is spelled and whether it takes a value; one function says what it means.
#include "tools/nvcc/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

namespace warpfiber::tools::nvcc {
namespace {

enum class Id {
  compile,
  preprocess,
  device_object,
  device_link,
  link,
  library,
  shared,
  dependencies,
  user_dependencies,
  dependency_file,
  dependency_target,
  with_dependencies,
  with_user_dependencies,
  phony_dependencies,
  run,
  run_arguments,
  output,
  include,
  system_include,
  pre_include,
  define,
  undefine,
  library_path,
  use_library,
  language,
  standard,
  optimise,
  debug,
  device_debug,
  architecture,
  generate_code,
  relocatable,
  host_option,
  linker_option,
  host_compiler,
  default_stream,
  fast_math,
  extended_lambda,
  relaxed_constexpr,
  check,
  no_warnings,
  warnings_are_errors,
  profile,
  dry_run,
  verbose,
  version,
  help,
  options_file,
  ignored,
  ignored_value,
  not_modelled,
};

enum class Value { none, required };

struct Option {
  std::string_view short_name;  // with its dash; empty: none
  std::string_view long_name;   // with its dashes; empty: none
  Id id;
  Value value;
};

constexpr Option kOptions[] = {
    {"-c", "--compile", Id::compile, Value::none},
    {"-E", "--preprocess", Id::preprocess, Value::none},
    {"-dc", "--device-c", Id::device_object, Value::none},
    {"-dw", "--device-w", Id::device_object, Value::none},
    {"-dlink", "--device-link", Id::device_link, Value::none},
    {"-link", "--link", Id::link, Value::none},
    {"-lib", "--lib", Id::library, Value::none},
    {"-shared", "--shared", Id::shared, Value::none},
    {"-M", "--generate-dependencies", Id::dependencies, Value::none},
    {"-MM", "--generate-nonsystem-dependencies", Id::user_dependencies, Value::none},
    {"-MF", "--dependency-output", Id::dependency_file, Value::required},
    {"-MT", "--dependency-target-name", Id::dependency_target, Value::required},
    {"-MD", "--generate-dependencies-with-compile", Id::with_dependencies, Value::none},
    {"-MMD", "--generate-nonsystem-dependencies-with-compile", Id::with_user_dependencies, Value::none},
    {"-MP", "--generate-dependency-targets", Id::phony_dependencies, Value::none},
    {"-run", "--run", Id::run, Value::none},
    {"-run-args", "--run-args", Id::run_arguments, Value::required},
    {"-o", "--output-file", Id::output, Value::required},
    {"-I", "--include-path", Id::include, Value::required},
    {"-isystem", "--system-include", Id::system_include, Value::required},
    {"-include", "--pre-include", Id::pre_include, Value::required},
    {"-D", "--define-macro", Id::define, Value::required},
    {"-U", "--undefine-macro", Id::undefine, Value::required},
    {"-L", "--library-path", Id::library_path, Value::required},
    {"-l", "--library", Id::use_library, Value::required},
    {"-x", "--x", Id::language, Value::required},
    {"-std", "--std", Id::standard, Value::required},
    {"-O", "--optimize", Id::optimise, Value::required},
    {"-g", "--debug", Id::debug, Value::none},
    {"-G", "--device-debug", Id::device_debug, Value::none},
    {"-arch", "--gpu-architecture", Id::architecture, Value::required},
    {"-code", "--gpu-code", Id::architecture, Value::required},
    {"-gencode", "--generate-code", Id::generate_code, Value::required},
    {"-rdc", "--relocatable-device-code", Id::relocatable, Value::required},
    {"-Xcompiler", "--compiler-options", Id::host_option, Value::required},
    {"-Xlinker", "--linker-options", Id::linker_option, Value::required},
    {"-ccbin", "--compiler-bindir", Id::host_compiler, Value::required},
    {"-default-stream", "--default-stream", Id::default_stream, Value::required},
    {"-use_fast_math", "--use_fast_math", Id::fast_math, Value::none},
    {"-extended-lambda", "--extended-lambda", Id::extended_lambda, Value::none},
    {"-expt-extended-lambda", "--expt-extended-lambda", Id::extended_lambda, Value::none},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", Id::relaxed_constexpr, Value::none},
    {"-fcheck", "--check", Id::check, Value::none},
    {"-w", "--disable-warnings", Id::no_warnings, Value::none},
    {"-Werror", "--Werror", Id::warnings_are_errors, Value::required},
    {"-pg", "--profile", Id::profile, Value::none},
    {"-dryrun", "--dryrun", Id::dry_run, Value::none},
    {"-v", "--verbose", Id::verbose, Value::none},
    {"-V", "--version", Id::version, Value::none},
    {"-h", "--help", Id::help, Value::none},
    {"-optf", "--options-file", Id::options_file, Value::required},
    // What says something about machine code for a GPU, or about how nvcc goes to work, says nothing here.
    {"-lineinfo", "--generate-line-info", Id::ignored, Value::none},
    {"-line-info", "", Id::ignored, Value::none},
    {"-restrict", "--restrict", Id::ignored, Value::none},
    {"-res-usage", "--resource-usage", Id::ignored, Value::none},
    {"-extra-device-vectorization", "--extra-device-vectorization", Id::ignored, Value::none},
    {"-m64", "", Id::ignored, Value::none},
    {"-m", "--machine", Id::ignored_value, Value::required},
    {"-dlto", "--dlink-time-opt", Id::ignored, Value::none},
    {"-k", "--keep", Id::ignored, Value::none},
    {"-keep", "", Id::ignored, Value::none},
    {"-save-temps", "--save-temps", Id::ignored, Value::none},
    {"-clean", "--clean-targets", Id::ignored, Value::none},
    {"-time", "--time", Id::ignored_value, Value::required},
    {"-src-in-ptx", "--source-in-ptx", Id::ignored, Value::none},
    {"-allow-unsupported-compiler", "--allow-unsupported-compiler", Id::ignored, Value::none},
    {"-noprof", "--dont-use-profile", Id::ignored, Value::none},
    {"-no-align-double", "--no-align-double", Id::ignored, Value::none},
    {"-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets", Id::ignored, Value::none},
    {"-Wno-deprecated-declarations", "--Wno-deprecated-declarations", Id::ignored, Value::none},
    {"-Wreorder", "--Wreorder", Id::ignored, Value::none},
    {"-Wdefault-stream-launch", "--Wdefault-stream-launch", Id::ignored, Value::none},
    {"-Wmissing-launch-bounds", "--Wmissing-launch-bounds", Id::ignored, Value::none},
    {"-Wext-lambda-captures-this", "--Wext-lambda-captures-this", Id::ignored, Value::none},
    {"-err-no", "--display-error-number", Id::ignored, Value::none},
    {"-no-err-no", "--no-display-error-number", Id::ignored, Value::none},
    {"-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler", Id::ignored, Value::none},
    {"-keep-dir", "--keep-dir", Id::ignored_value, Value::required},
    {"-Xptxas", "--ptxas-options", Id::ignored_value, Value::required},
    {"-Xnvlink", "--nvlink-options", Id::ignored_value, Value::required},
    {"-Xfatbin", "--fatbin-options", Id::ignored_value, Value::required},
    {"-Xarchive", "--archive-options", Id::ignored_value, Value::required},
    {"-Xcudafe", "--cudafe-options", Id::ignored_value, Value::required},
    {"-maxrregcount", "--maxrregcount", Id::ignored_value, Value::required},
    {"-cudart", "--cudart", Id::ignored_value, Value::required},
    {"-cudadevrt", "--cudadevrt", Id::ignored_value, Value::required},
    {"-ftz", "--ftz", Id::ignored_value, Value::required},
    {"-prec-div", "--prec-div", Id::ignored_value, Value::required},
    {"-prec-sqrt", "--prec-sqrt", Id::ignored_value, Value::required},
    {"-fmad", "--fmad", Id::ignored_value, Value::required},
    {"-t", "--threads", Id::ignored_value, Value::required},
    {"-split-compile", "--split-compile", Id::ignored_value, Value::required},
    {"-diag-suppress", "--diag-suppress", Id::ignored_value, Value::required},
    {"-diag-warn", "--diag-warn", Id::ignored_value, Value::required},
    {"-diag-error", "--diag-error", Id::ignored_value, Value::required},
    {"-ldir", "--library-dir", Id::ignored_value, Value::required},
    {"-idp", "--input-drive-prefix", Id::ignored_value, Value::required},
    {"-ddp", "--dependency-drive-prefix", Id::ignored_value, Value::required},
    {"-target-dir", "--target-directory", Id::ignored_value, Value::required},
    {"-ptx", "--ptx", Id::not_modelled, Value::none},
    {"-cubin", "--cubin", Id::not_modelled, Value::none},
    {"-fatbin", "--fatbin", Id::not_modelled, Value::none},
    {"-optix-ir", "--optix-ir", Id::not_modelled, Value::none},
};

/// An argument that names an option, with its value where that is part of the argument.
struct Match {
  const Option* option = nullptr;
  std::string value;
  bool has_value = false;
};

constexpr std::string_view kGlued = "IDULlOxmt";  // short options whose value may follow at once: -Iinclude

bool is_named(const Option& option, std::string_view name) {
  return (!option.short_name.empty() && name == option.short_name) ||
         (!option.long_name.empty() && name == option.long_name);
}

Match match(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  const std::string_view name = std::string_view(argument).substr(0, equals);
  for (const Option& option : kOptions) {
    if (is_named(option, argument)) return {&option, {}, false};
    if (equals != std::string::npos && option.value == Value::required && is_named(option, name)) {
      return {&option, argument.substr(equals + 1), true};
    }
  }
  if (argument.size() > 2 && argument[1] != '-' && kGlued.find(argument[1]) != std::string_view::npos) {
    const std::string_view glued = std::string_view(argument).substr(0, 2);
    for (const Option& option : kOptions) {
      if (option.short_name == glued) return {&option, argument.substr(2), true};
    }
  }
  return {};
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::string part;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ',') {
      part += list[++i];
    } else if (list[i] == ',') {
      parts.push_back(std::exchange(part, {}));
    } else {
      part += list[i];
    }
  }
  parts.push_back(part);
  std::erase(parts, std::string());
  return parts;
}

/// The host compiler's words: nvcc hands them to a shell, so blanks part them as well as commas.
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  for (const std::string& part : split(list)) {
    std::istringstream blanks(part);
    words.insert(words.end(), std::istream_iterator<std::string>(blanks), {});
  }
  return words;
}

/// 900 for "sm_90", "compute_90a", "arch=compute_90,code=sm_90"; the highest of several; 0 for "native" and the like.
unsigned architecture_in(const std::string& text) {
  unsigned highest = 0;
  for (std::size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at + 1)) {
    unsigned number = 0;
    for (std::size_t i = at + 1; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0; ++i) {
      number = number * 10 + static_cast<unsigned>(text[i] - '0');
    }
    highest = std::max(highest, number * 10);
  }
  return highest;
}

class Parser {
 public:
  Parsed parse(std::vector<std::string> arguments) {
    arguments_ = std::move(arguments);
    for (next_ = 0; next_ < arguments_.size() && parsed_.ok();) parse_one();
    return parsed_;
  }

 private:
  void fail(const std::string& message) {
    if (parsed_.error.empty()) parsed_.error = message;
  }

  void parse_one() {
    const std::string argument = arguments_[next_++];
    if (argument.empty()) return;
    if (argument[0] == '@' || argument[0] != '-' || argument == "-") {
      argument[0] == '@' ? include_file(argument.substr(1)) : parsed_.options.inputs.push_back(argument);
      note_position(argument);
      return;
    }
    Match found = match(argument);
    if (found.option == nullptr) {
      fail("unknown option '" + argument + "'; options of the host compiler go behind -Xcompiler");
      return;
    }
    if (found.option->value == Value::required && !found.has_value) {
      if (next_ == arguments_.size()) {
        fail("option '" + argument + "' needs a value");
        return;
      }
      found.value = arguments_[next_++];
    }
    apply(*found.option, argument, found.value);
  }

  /// Objects and libraries keep their order among the linker's arguments.
  void note_position(const std::string& input) {
    if (input[0] != '@' && !is_source(input, parsed_.options.language)) {
      parsed_.options.inputs.pop_back();
      parsed_.options.linking.push_back(input);
    }
  }

  void include_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
      fail("cannot read the options file '" + path + "'");
      return;
    }
    const std::vector<std::string> words{std::istream_iterator<std::string>(file), {}};
    arguments_.insert(arguments_.begin() + static_cast<std::ptrdiff_t>(next_), words.begin(), words.end());
  }

  static void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
    to.insert(to.end(), words.begin(), words.end());
  }

  void prefixed(std::vector<std::string>& to, const char* flag, const std::string& list) {
    for (const std::string& part : split(list)) to.push_back(flag + part);
  }

  void apply(const Option& option, const std::string& spelled, const std::string& value) {
    if (apply_goal(option.id) || apply_preprocessing(option.id, value) || apply_linking(option.id, value)) return;
    Options& to = parsed_.options;
    switch (option.id) {
      case Id::output: to.output = value; break;
      case Id::language: to.language = value; break;
      case Id::standard: to.standard = value; break;
      case Id::optimise: to.optimisation = "-O" + value; break;
      case Id::debug: to.host_flags.emplace_back("-g"); break;
      case Id::device_debug: to.device_debug = true; break;
      case Id::architecture:
      case Id::generate_code: to.architecture = std::max(to.architecture, architecture_in(value)); break;
      case Id::relocatable: to.relocatable = value == "true"; break;
      case Id::host_option: append(to.host_flags, words_of(value)); break;
      case Id::host_compiler: to.host_compiler = value; break;
      case Id::default_stream: to.per_thread_stream = value == "per-thread"; break;
      case Id::fast_math: to.fast_math = true; break;
      case Id::extended_lambda: to.extended_lambda = true; break;
      case Id::relaxed_constexpr: to.relaxed_constexpr = true; break;
      case Id::check: to.check = true; break;
      case Id::no_warnings: to.host_flags.emplace_back("-w"); break;
      case Id::warnings_are_errors:
        if (value == "all-warnings") to.host_flags.emplace_back("-Werror");
        break;
      case Id::profile: to.host_flags.emplace_back("-pg"); break;
      case Id::dry_run: to.dry_run = true; break;
      case Id::verbose: to.verbose = true; break;
      case Id::run: to.run = true; break;
      case Id::run_arguments: append(to.run_arguments, split(value)); break;
      case Id::options_file: include_file(value); break;
      case Id::not_modelled: fail("option '" + spelled + "' asks for code of a GPU, and there is none here"); break;
      default: break;
    }
  }

  bool apply_goal(Id id) {
    Options& to = parsed_.options;
    switch (id) {
      case Id::device_object: to.relocatable = true; [[fallthrough]];
      case Id::compile: to.goal = Goal::objects; return true;
      case Id::preprocess: to.goal = Goal::preprocessed; return true;
      case Id::device_link: to.goal = Goal::device_link; return true;
      case Id::link: to.goal = Goal::executable; return true;
      case Id::library: to.goal = Goal::library; return true;
      case Id::shared: to.goal = Goal::shared_library; return true;
      case Id::version: to.goal = Goal::version; return true;
      case Id::help: to.goal = Goal::help; return true;
      default: return false;
    }
  }

  bool apply_preprocessing(Id id, const std::string& value) {
    Options& to = parsed_.options;
    switch (id) {
      case Id::include: prefixed(to.preprocessing, "-I", value); return true;
      case Id::system_include:
        for (const std::string& folder : split(value)) append(to.preprocessing, {"-isystem", folder});
        return true;
      case Id::pre_include:
        for (const std::string& file : split(value)) append(to.preprocessing, {"-include", file});
        return true;
      case Id::define: to.preprocessing.push_back("-D" + value); return true;
      case Id::undefine: to.preprocessing.push_back("-U" + value); return true;
      case Id::dependencies:
      case Id::user_dependencies:
        to.goal = Goal::dependencies;
        to.dependency_flags.emplace_back(id == Id::dependencies ? "-M" : "-MM");
        return true;
      case Id::with_dependencies: to.dependency_flags.emplace_back("-MD"); return true;
      case Id::with_user_dependencies: to.dependency_flags.emplace_back("-MMD"); return true;
      case Id::phony_dependencies: to.dependency_flags.emplace_back("-MP"); return true;
      case Id::dependency_file: append(to.dependency_flags, {"-MF", value}); return true;
      case Id::dependency_target: append(to.dependency_flags, {"-MT", value}); return true;
      default: return false;
    }
  }

  bool apply_linking(Id id, const std::string& value) {
    Options& to = parsed_.options;
    switch (id) {
      case Id::library_path: prefixed(to.linking, "-L", value); return true;
      case Id::use_library: prefixed(to.linking, "-l", value); return true;
      case Id::linker_option:
        for (const std::string& part : words_of(value)) append(to.linking, {"-Xlinker", part});
        return true;
      default: return false;
    }
  }

  std::vector<std::string> arguments_;
  std::size_t next_ = 0;
  Parsed parsed_;
};

std::string suffix_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
  return path.substr(dot);
}

}  // namespace

bool is_cuda_source(const std::string& path, const std::string& language) {
  return language.empty() ? suffix_of(path) == ".cu" : language == "cu";
}

bool is_source(const std::string& path, const std::string& language) {
  constexpr std::array<std::string_view, 7> kSuffixes{".cu", ".c", ".cc", ".cpp", ".cxx", ".C", ".ii"};
  return !language.empty() || std::find(kSuffixes.begin(), kSuffixes.end(), suffix_of(path)) != kSuffixes.end();
}

Parsed parse_options(const std::vector<std::string>& arguments) {
  return Parser().parse(arguments);
}

}  // namespace warpfiber::tools::nvcc
