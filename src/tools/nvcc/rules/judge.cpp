// SPDX-License-Identifier: Apache-2.0
//
// Looks up both ends of each reference (symbols.hpp) and compares where they may run. The messages are nvcc's where
// it has one.
#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "tools/nvcc/rules/rules.hpp"
#include "tools/nvcc/rules/symbols.hpp"
#include "translate/rules/library.hpp"
#include "translate/rules/suspects.hpp"
#include "translate/text/lines.hpp"

namespace warpfiber::tools::nvcc {
namespace {

using translate::ExecutionSpace;
using translate::SpacedFunction;
using translate::SpacedVariable;

constexpr std::pair<std::string_view, std::string_view> kStreams[] = {
    {"std::cerr", "_ZSt4cerr"}, {"std::cin", "_ZSt3cin"}, {"std::clog", "_ZSt4clog"}, {"std::cout", "_ZSt4cout"},
    {"stderr", "stderr"},       {"stdin", "stdin"},       {"stdout", "stdout"}};

bool is_between(const translate::SourcePlace& place, const translate::LaunchPlace& launch) {
  // Without a column the line decides.
  if (place.column == 0) return launch.begin.line <= place.line && place.line <= launch.end.line;
  const auto position = [](const translate::SourcePlace& at) { return std::make_pair(at.line, at.column); };
  return place.file == launch.begin.file && position(launch.begin) <= position(place) &&
         position(place) <= position(launch.end);
}

class Judge {
 public:
  Judge(const Judged& program, const Assembly& assembly) : p_(program), a_(assembly) {}

  std::vector<RuleViolation> judge() {
    for (const SymbolReference& reference : a_.references) {
      const SpacedFunction* from = p_.spaces.at(reference.from);
      if (from == nullptr) continue;
      reference.is_call ? call(reference, *from) : mention(reference, *from);
    }
    std::stable_sort(out_.begin(), out_.end(), [](const RuleViolation& a, const RuleViolation& b) {
      return std::tie(a.at.file, a.at.line, a.at.column) < std::tie(b.at.file, b.at.line, b.at.column);
    });
    return std::move(out_);
  }

 private:
  void call(const SymbolReference& reference, const SpacedFunction& from) {
    // What both sides compile may call one thing here and another there.
    if (from.space == ExecutionSpace::both && (p_.has_device_text || from.is_template)) return;
    const std::optional<Target> target = find_target(reference.symbol, p_, a_);
    if (!target) return;
    if (target->space == ExecutionSpace::kernel) return call_kernel(reference, *target);
    const bool calls_host = target->space == ExecutionSpace::host && from.space != ExecutionSpace::host;
    const bool calls_device = target->space == ExecutionSpace::device && !is_only_device(from.space);
    if (calls_host && may_call_host(from, *target)) return;
    // Of a stream in code of the device its name is enough.
    if (target->name.is_std && stream_lines_.contains({reference.from.file, reference.from.line})) return;
    // nvcc does not look into templates of the host.
    if (calls_device && (from.is_template || (target->is_constexpr && p_.relaxed_constexpr))) return;
    if (calls_host || calls_device) forbid(reference, from, *target);
  }

  bool may_call_host(const SpacedFunction& from, const Target& target) const {
    if (target.is_constexpr && (p_.relaxed_constexpr || from.space == ExecutionSpace::both)) return true;
    // A function in C is named where it is called; what the compiler calls for itself is not.
    return !target.is_users && !target.name.is_mangled && !names(from, target.name.path);
  }

  bool names(const SpacedFunction& function, std::string_view word) const {
    for (std::size_t i = function.tokens.begin; i < function.tokens.end; ++i) {
      if (p_.tokens.is(i, word) && p_.tokens.is_identifier(i)) return true;
    }
    return false;
  }

  void call_kernel(const SymbolReference& reference, const Target& target) {
    const auto is_launch = [&](const translate::LaunchPlace& launch) { return is_between(reference.from, launch); };
    if (std::ranges::any_of(p_.spaces.launches, is_launch)) return;
    add({reference.from,
         true,
         "a __global__ function call must be configured",
         {},
         "launch the kernel: " + target.name.path + "<<<blocks, threads>>>(...)"});
  }

  void forbid(const SymbolReference& reference, const SpacedFunction& from, const Target& target) {
    const std::string space(name_of(target.space));
    const bool is_relaxable = target.is_constexpr;
    std::string text = std::string("calling a ") + (is_relaxable ? "constexpr " : "") + space + " function(\"" +
                       (target.name.is_lambda ? "lambda" : target.name.signature) + "\") from a " +
                       std::string(name_of(from.space)) + " function(\"" + (from.name.empty() ? "lambda" : from.name) +
                       "\") is not allowed";
    if (is_relaxable) text += ". The experimental flag '--expt-relaxed-constexpr' can be used to allow this.";
    // exit() in a kernel ends the process here, which programs that are only for here may want.
    const bool ends = target.name.path == "exit" && !target.is_users;
    const bool is_warning = target.space == ExecutionSpace::host && (from.space == ExecutionSpace::both || ends);
    add({reference.from, !is_warning, std::move(text), target.declared, remedy(target)});
  }

  static std::string remedy(const Target& target) {
    if (target.name.is_lambda) return "declared here; write [...] __device__ (...) { ... } for a device lambda";
    if (target.is_users) {
      return "declared here; declare it __host__ __device__ to use it on both sides";
    }
    if (target.name.path.starts_with("cuda")) return "call it in host code";
    return "the host library has no device code; use CUDA's functions (min, max, printf) or cuda::std";
  }

  void mention(const SymbolReference& reference, const SpacedFunction& from) {
    if (from.space != ExecutionSpace::host) mention_on_device(reference, from);
    if (from.space == ExecutionSpace::host) mention_on_host(reference, from);
  }

  void mention_on_device(const SymbolReference& reference, const SpacedFunction& from) {
    if (from.space == ExecutionSpace::both) return;
    for (const auto& [name, symbol] : kStreams) {
      if (reference.symbol != symbol) continue;
      stream_lines_.emplace(reference.from.file, reference.from.line);
      return add({reference.from,
                  true,
                  "identifier \"" + std::string(name) + "\" is undefined in device code",
                  {},
                  "use printf() in device code"});
    }
    const SpacedVariable* variable = find(reference.symbol);
    if (variable == nullptr || variable->on_device) return;
    each_use(reference, from, *variable, [&](const translate::SourcePlace& at, const char*) {
      add({at, true, "identifier \"" + variable->name + "\" is undefined in device code", variable->at,
           "declared here, in host memory; pass its value as a kernel argument"});
    });
  }

  const SpacedVariable* find(const std::string& symbol) const {
    const std::string path = SymbolName(symbol).path;
    const auto found = std::ranges::find(p_.spaces.variables, path, &SpacedVariable::name);
    return found == p_.spaces.variables.end() ? nullptr : &*found;
  }

  void mention_on_host(const SymbolReference& reference, const SpacedFunction& from) {
    const SpacedVariable* variable = from.is_template ? nullptr : find(reference.symbol);
    if (variable == nullptr || !variable->on_device) return;
    const char* space = variable->is_constant_memory ? "__constant__" : "__device__";
    each_use(reference, from, *variable, [&](const translate::SourcePlace& at, const char* use) {
      add({at, false,
           std::string("a ") + space + " variable \"" + variable->name + "\" cannot be directly " + use +
               " in a host function",
           variable->at, "declared here; the host copies with cudaMemcpyFromSymbol() and cudaMemcpyToSymbol()"});
    });
  }

  /// Calls action(place, "read" or "written") for each use of the variable in the line of the reference.
  template <class Action>
  void each_use(const SymbolReference& reference, const SpacedFunction& from, const SpacedVariable& variable,
                const Action& action) const {
    const std::string simple = variable.name.substr(variable.name.rfind(':') + 1);
    for (std::size_t i = from.tokens.begin; i < from.tokens.end; ++i) {
      if (!p_.tokens.is(i, simple) || !p_.tokens.is_identifier(i)) continue;
      const translate::Position at = locate(p_.tokens, p_.tokens[i].begin);
      const translate::VariableUse use =
          at.line == reference.from.line ? use_of(p_.tokens, i) : translate::VariableUse::none;
      if (use == translate::VariableUse::none || (reference.is_address && !p_.tokens.is(i + 1, '['))) continue;
      action({reference.from.file, at.line, at.column}, use == translate::VariableUse::read ? "read" : "written");
    }
  }

  void add(RuleViolation complaint) {
    if (said_.emplace(complaint.at.file, complaint.at.line, complaint.text).second)
      out_.push_back(std::move(complaint));
  }

  const Judged& p_;
  const Assembly& a_;
  std::set<std::tuple<std::string, unsigned, std::string>> said_;
  std::set<std::pair<std::string, unsigned>> stream_lines_;
  std::vector<RuleViolation> out_;
};

std::string placed(const translate::SourcePlace& at) {
  return at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace

std::string RuleViolation::line() const {
  std::string lines = placed(at) + (is_error ? ": error: " : ": warning: ") + text + "\n";
  if (!note.empty()) lines += placed(other.file.empty() ? at : other) + ": note: " + note + "\n";
  return lines;
}

std::vector<RuleViolation> judge(const Judged& program, const Assembly& assembly) {
  return Judge(program, assembly).judge();
}

}  // namespace warpfiber::tools::nvcc
