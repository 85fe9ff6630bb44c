// SPDX-License-Identifier: Apache-2.0
#include "tools/crosscheck/options.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

constexpr std::uint64_t kMostUlp = std::uint64_t{1} << 32;

/// What is wrong with the value, or nothing.
using Reader = std::string (*)(Options&, const std::string& value);

std::string read_ulp(Options& to, const std::string& value) {
  const auto number = base::parse_number(value);
  if (!number || *number > kMostUlp) return "a number of units in the last place from 0 to 4294967296";
  to.ulp = *number;
  return {};
}

std::string read_keep(Options& to, const std::string& value) {
  const auto number = base::parse_number(value);
  if (!number || *number == 0) return "a number of bytes";
  to.keep = *number;
  return {};
}

std::string read_as(Options& to, const std::string& value) {
  constexpr std::string_view kTypes[] = {"float", "double", "half", "bfloat16", "int"};
  if (std::ranges::find(kTypes, value) == std::end(kTypes)) return "one of float, double, half, bfloat16 and int";
  to.as = value == "int" ? "int32" : value;
  return {};
}

struct Option {
  std::string_view name;
  Reader read;
  bool has_value;
};

constexpr Option kOptions[] = {
    {"--record", [](Options& to, const std::string& value) { return to.record = value, std::string(); }, true},
    {"--replay", [](Options& to, const std::string& value) { return to.replay = value, std::string(); }, true},
    {"--build-only", [](Options& to, const std::string& value) { return to.build_only = value, std::string(); }, true},
    {"--nvcc", [](Options& to, const std::string& value) { return to.compiler = value, std::string(); }, true},
    {"--ulp", read_ulp, true},
    {"--keep", read_keep, true},
    {"--as", read_as, true},
    {"--any-order", [](Options& to, const std::string&) { return to.any_order = true, std::string(); }, false},
    {"--help", [](Options& to, const std::string&) { return to.help = true, std::string(); }, false},
    {"-h", [](Options& to, const std::string&) { return to.help = true, std::string(); }, false},
};

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments)
      : end_(std::find(arguments.begin(), arguments.end(), "--")), next_(arguments.begin()) {
    if (end_ != arguments.end()) options_.arguments.assign(end_ + 1, arguments.end());
  }

  Parsed parse() {
    while (next_ != end_ && error_.empty()) read_one();
    if (!error_.empty() || options_.help) return {std::move(options_), error_};
    nvcc::Parsed program = nvcc::parse_options(options_.words);
    options_.program = std::move(program.options);
    error_ = program.error;
    if (error_.empty()) error_ = contradiction();
    return {std::move(options_), error_};
  }

 private:
  void read_one() {
    const std::string word = *next_++;
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, equals);
    const auto* const option = std::ranges::find(kOptions, name, &Option::name);
    if (option == std::end(kOptions) || (!option->has_value && equals != std::string::npos)) {
      options_.words.push_back(word);
      return;
    }
    std::string value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    if (option->has_value && equals == std::string::npos && next_ != end_) value = *next_++;
    if (option->has_value && value.empty()) return fail("option '" + name + "' needs a value");
    const std::string complaint = option->read(options_, value);
    if (!complaint.empty()) fail(name + " " + value + ": " + complaint);
  }

  std::string contradiction() const {
    const int folders = !options_.record.empty() + !options_.replay.empty() + !options_.build_only.empty();
    if (folders > 1) return "--record, --replay and --build-only are three things to do; name one";
    if (options_.is_gallery() && !options_.words.empty()) return "no CUDA file is named, only options of nvcc";
    if (options_.is_gallery() && !options_.build_only.empty()) {
      return "--build-only needs a program; the gallery for a GPU is built by cmake --preset crosscheck";
    }
    if (!options_.program.output.empty()) return "-o has no meaning here; --build-only DIR keeps the GPU's program";
    if (!options_.is_gallery() && options_.program.inputs.empty()) {
      return "'" + options_.program.linking.front() + "' is no source: both sides are built, so name CUDA files";
    }
    return {};
  }

  void fail(std::string error) { error_ = std::move(error); }

  Options options_;
  std::string error_;
  std::vector<std::string>::const_iterator end_;
  std::vector<std::string>::const_iterator next_;
};

}  // namespace

Parsed parse(const std::vector<std::string>& arguments) {
  return Parser(arguments).parse();
}

}  // namespace warpfiber::tools::crosscheck
