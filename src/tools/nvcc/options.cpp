// SPDX-License-Identifier: Apache-2.0
//
// What each option of the table means.
#include "tools/nvcc/options.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "tools/nvcc/option_values.hpp"
#include "tools/options/nvcc_table.hpp"

namespace warpfiber::tools::nvcc {
namespace {

/// An argument that names an option, with its value where that is part of the argument.
struct Match {
  const NvccOption* option = nullptr;
  std::string value;
  bool has_value = false;
};

constexpr std::string_view kGlued = "IDULlOxmt";  // short options whose value may follow at once: -Iinclude

bool is_named(const NvccOption& option, std::string_view name) {
  return (!option.short_name.empty() && name == option.short_name) ||
         (!option.long_name.empty() && name == option.long_name);
}

Match match(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  const std::string_view name = std::string_view(argument).substr(0, equals);
  for (const NvccOption& option : kOptions) {
    if (is_named(option, argument)) return {&option, {}, false};
    if (equals != std::string::npos && option.value == OptionValue::required && is_named(option, name)) {
      return {&option, argument.substr(equals + 1), true};
    }
  }
  if (argument.size() > 2 && argument[1] != '-' && kGlued.find(argument[1]) != std::string_view::npos) {
    const std::string_view glued = std::string_view(argument).substr(0, 2);
    for (const NvccOption& option : kOptions) {
      if (option.short_name != glued) continue;
      // -march=native is no -m with a strange value.
      const std::string value = argument.substr(2);
      const bool has_words = !option.choices.empty() && option.choices != kNumber;
      const bool is_other = has_words && !complaint_about_choice(value, option.choices).empty();
      return is_other ? Match{} : Match{&option, value, true};
    }
  }
  return {};
}

class OptionParser {
 public:
  ParsedNvccOptions parse(std::vector<std::string> arguments) {
    arguments_ = std::move(arguments);
    note_forwarding();
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
      forward(argument);
      return;
    }
    if (found.option->value == OptionValue::required && !found.has_value) {
      if (next_ == arguments_.size()) {
        fail("option '" + argument + "' needs a value");
        return;
      }
      found.value = arguments_[next_++];
    }
    if (const std::string complaint = complaint_about(*found.option, found.value); !complaint.empty()) {
      fail("option '" + std::string(found.option->short_name) + "': " + complaint);
      return;
    }
    apply(*found.option, argument, found.value);
  }

  /// Where unknown options go holds for those before it, too.
  void note_forwarding() {
    for (const std::string& argument : arguments_) {
      const Match found = match(argument);
      if (found.option == nullptr) continue;
      const Id id = found.option->id;
      to_compiler_ = to_compiler_ || id == Id::forward_to_compiler || id == Id::forward_to_both;
      to_linker_ = to_linker_ || id == Id::forward_to_linker || id == Id::forward_to_both;
    }
  }

  void forward(const std::string& unknown) {
    if (to_compiler_) parsed_.options.host_flags.push_back(unknown);
    if (to_linker_) append(parsed_.options.linking, {"-Xlinker", unknown});
    if (to_compiler_ || to_linker_) return;
    if (parsed_.ok()) parsed_.unknown = unknown;
    fail("unknown option '" + unknown + "'; pass options of the host compiler with -Xcompiler");
  }

  static std::string complaint_about(const NvccOption& option, const std::string& value) {
    switch (option.id) {
      case Id::architecture: return complaint_about_architectures(value);
      case Id::generate_code: return complaint_about_generated_code(value);
      case Id::standard: return is_standard(value) ? std::string() : "'" + value + "' is not a C++ standard";
      default: return option.choices.empty() ? std::string() : complaint_about_choice(value, option.choices);
    }
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
    const std::vector<std::string> words =
        words_of_file({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
    arguments_.insert(arguments_.begin() + static_cast<std::ptrdiff_t>(next_), words.begin(), words.end());
  }

  void include_files(std::vector<std::string> paths) {
    std::reverse(paths.begin(), paths.end());  // each goes in front
    for (const std::string& path : paths) include_file(path);
  }

  static void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
    to.insert(to.end(), words.begin(), words.end());
  }

  void prefixed(std::vector<std::string>& to, const char* flag, const std::string& list) {
    for (const std::string& part : list_of(list)) to.push_back(flag + part);
  }

  void apply(const NvccOption& option, const std::string& spelled, const std::string& value) {
    if (apply_goal(option.id) || apply_preprocessing(option.id, value) || apply_linking(option.id, value)) return;
    NvccOptions& to = parsed_.options;
    switch (option.id) {
      case Id::output: to.output = value; break;
      case Id::language: to.language = value; break;
      case Id::standard: to.standard = value; break;
      case Id::optimise: to.optimisation = "-O" + value; break;
      case Id::debug: to.host_flags.emplace_back("-g"); break;
      case Id::device_debug: to.device_debug = true; break;
      case Id::architecture:
      case Id::generate_code: note_architecture(value); break;
      case Id::relocatable: to.relocatable = value == "true"; break;
      case Id::host_option: append(to.host_flags, words_of(value)); break;
      case Id::host_compiler: to.host_compiler = value; break;
      case Id::default_stream: to.per_thread_stream = value == "per-thread"; break;
      case Id::fast_math: to.fast_math = true; break;
      case Id::extended_lambda: to.extended_lambda = true; break;
      case Id::relaxed_constexpr: to.relaxed_constexpr = true; break;
      case Id::check: to.check = true; break;
      case Id::statements: to.check = to.statements = true; break;
      case Id::regions: to.regions = true; break;
      case Id::regions_report: to.regions = to.regions_report = true; break;
      case Id::nvcc_rules: to.nvcc_rules = NvccRules::enforced; break;
      case Id::no_nvcc_rules: to.nvcc_rules = NvccRules::ignored; break;
      case Id::no_warnings: to.host_flags.emplace_back("-w"); break;
      case Id::warnings_are_errors:
        if (value == "all-warnings") to.host_flags.emplace_back("-Werror");
        break;
      case Id::profile: to.host_flags.emplace_back("-pg"); break;
      case Id::dry_run: to.dry_run = true; break;
      case Id::verbose: to.verbose = true; break;
      case Id::run: to.run = true; break;
      case Id::run_arguments: append(to.run_arguments, list_of(value)); break;
      case Id::options_file: include_files(list_of(value)); break;
      case Id::output_folder: to.output_folder = value; break;
      case Id::archiver: to.archiver = value; break;
      case Id::template_depth: to.host_flags.push_back("-ftemplate-depth=" + value); break;
      case Id::template_backtrace: to.host_flags.push_back("-ftemplate-backtrace-limit=" + value); break;
      case Id::random_seed: to.host_flags.push_back("-frandom-seed=" + value); break;
      case Id::not_modelled:
        fail("option '" + spelled + "' requests GPU code, which warpfiber nvcc does not generate");
        break;
      default: break;
    }
  }

  void note_architecture(const std::string& value) {
    NvccOptions& to = parsed_.options;
    const std::pair highest = std::max(std::pair(to.architecture, to.architecture_kind),
                                       std::pair(architecture_in(value), architecture_kind_in(value)));
    to.architecture = highest.first;
    to.architecture_kind = highest.second;
  }

  bool apply_goal(Id id) {
    NvccOptions& to = parsed_.options;
    switch (id) {
      case Id::device_object: to.relocatable = true; [[fallthrough]];
      case Id::compile: to.goal = Goal::objects; return true;
      case Id::preprocess: to.goal = Goal::preprocessed; return true;
      case Id::translate: to.goal = Goal::translated; return true;
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
    NvccOptions& to = parsed_.options;
    switch (id) {
      case Id::include: prefixed(to.preprocessing, "-I", value); return true;
      case Id::system_include:
        for (const std::string& folder : list_of(value)) append(to.preprocessing, {"-isystem", folder});
        return true;
      case Id::pre_include:
        for (const std::string& file : list_of(value)) append(to.preprocessing, {"-include", file});
        return true;
      case Id::define: prefixed(to.preprocessing, "-D", value); return true;
      case Id::undefine: prefixed(to.preprocessing, "-U", value); return true;
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
    NvccOptions& to = parsed_.options;
    switch (id) {
      case Id::library_path: prefixed(to.linking, "-L", value); return true;
      case Id::use_library: prefixed(to.linking, "-l", value); return true;
      case Id::linker_option:
        for (const std::string& part : words_of(value)) append(to.linking, {"-Xlinker", part});
        return true;
      case Id::cuda_runtime:
        to.names_cuda_runtime = true;
        to.cuda_runtime = value == "none"     ? CudaRuntime::none
                          : value == "static" ? CudaRuntime::archive
                                              : CudaRuntime::shared_library;
        return true;
      default: return false;
    }
  }

  std::vector<std::string> arguments_;
  std::size_t next_ = 0;
  bool to_compiler_ = false;  // unknown options
  bool to_linker_ = false;
  ParsedNvccOptions parsed_;
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

ParsedNvccOptions parse_options(const std::vector<std::string>& arguments) {
  return OptionParser().parse(arguments);
}

}  // namespace warpfiber::tools::nvcc
