// SPDX-License-Identifier: Apache-2.0
//
// What a program's words show by themselves. Where a name could mean something else, nothing is said.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "tools/nvcc/rules/rules.hpp"
#include "tools/nvcc/rules/symbols.hpp"
#include "translate/rules/library.hpp"
#include "translate/rules/suspects.hpp"
#include "translate/text/lines.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::tools::nvcc {
namespace {

using translate::ExecutionSpace;
using translate::Keyword;
using translate::kNone;
using translate::SpacedFunction;
using translate::Tokens;
using translate::VariableUse;

constexpr unsigned kFirstWithoutShuffles = 700;  // __CUDA_ARCH__ of the first devices that have no __shfl()
constexpr std::string_view kRemoved[] = {"__shfl", "__shfl_down", "__shfl_up", "__shfl_xor"};

constexpr std::string_view kNumbers[] = {"bool", "char",  "double",   "float",  "int",
                                         "long", "short", "unsigned", "signed", "size_t"};
constexpr std::string_view kSums[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"};

bool is_one_of(const auto& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

class WordJudge {
 public:
  explicit WordJudge(const Judged& program) : p_(program), t_(program.tokens) {}

  std::vector<RuleViolation> judge() {
    for (const SpacedFunction& function : p_.spaces.functions) {
      if (function.body == kNone) continue;
      if (function.space == ExecutionSpace::host && !function.is_template) in_host_function(function);
      if (function.space != ExecutionSpace::host) in_device_function(function);
    }
    for (const translate::LaunchPlace& launch : p_.spaces.launches) judge_launch(launch);
    return std::move(out_);
  }

 private:
  translate::SourcePlace place(std::size_t i) const {
    const translate::Position at = locate(t_, t_[i].begin);
    return {translate::unescaped(at.file), at.line, at.column};
  }

  void add(std::size_t i, bool is_error, std::string text, std::string note) {
    out_.push_back({place(i), is_error, std::move(text), {}, std::move(note)});
  }

  /// A name that is called, and is no member of something.
  bool is_free_call(std::size_t i) const {
    return t_.is_identifier(i) && t_.is(i + 1, '(') && i > 0 && !t_.is(i - 1, '.') && !t_.is(i - 1, "->") &&
           !t_.is(i - 1, "::");
  }

  bool is_own(std::string_view word) const {
    const auto has_name = [word](const SpacedFunction& other) { return last_part(other.name) == word; };
    return std::ranges::any_of(p_.spaces.functions, has_name);
  }

  /// Functions of CUDA that only the device has.
  void in_host_function(const SpacedFunction& function) {
    for (std::size_t i = function.body; i < function.tokens.end; ++i) {
      const std::string_view word = t_.text(i);
      if (!is_free_call(i) || !translate::is_function_of_device_only(word)) continue;
      const SpacedFunction* inner = p_.spaces.at(place(i));
      if (inner == nullptr || inner->space != ExecutionSpace::host || inner->is_template || is_own(word)) continue;
      add(i, true,
          "calling a __device__ function(\"" + std::string(word) + "\") from a __host__ function(\"" +
              (inner->name.empty() ? "lambda" : inner->name) + "\") is not allowed",
          "it exists on the device only; call it in a kernel");
    }
  }

  void in_device_function(const SpacedFunction& function) {
    if (p_.architecture >= kFirstWithoutShuffles) {
      for (std::size_t i = function.body; i < function.tokens.end; ++i) {
        const std::string word(t_.text(i));
        if (!is_free_call(i) || !is_one_of(kRemoved, word) || is_own(word)) continue;
        add(i, true, "identifier \"" + word + "\" is undefined",
            "devices since sm_70 do not have it; write " + word + "_sync(mask, ...) with the lanes that take part");
      }
    }
    one_memory(function);
    if (!p_.warns_in_loops) unset_sums(function);
  }

  void judge_launch(const translate::LaunchPlace& launch) {
    const SpacedFunction* around = function_around(launch.open);
    if (around != nullptr && around->space != ExecutionSpace::host && around->space != ExecutionSpace::both &&
        !p_.relocatable) {
      return add(launch.open - 1, true,
                 "kernel launch from __device__ or __global__ functions requires separate compilation mode",
                 "launch it in host code; Warpfiber has no launches of kernels by kernels");
    }
    if (launch.callee == kNone || is_kernel_somewhere(t_.text(launch.callee))) return;
    const std::string_view name = t_.text(launch.callee);
    const SpacedFunction* launched = nullptr;
    for (const SpacedFunction& function : p_.spaces.functions) {
      if (last_part(function.name) != name) continue;
      if (function.is_member) return;
      launched = &function;
    }
    if (launched == nullptr || (around != nullptr && may_be_variable(*around, name))) return;
    const char* side = launched->space == ExecutionSpace::host ? "host" : "__device__";
    RuleViolation complaint{place(launch.callee), true,
                            std::string("a ") + side + " function call cannot be configured", launched->name_at,
                            "declared here; \"__global__ void " + std::string(name) + "(...)\" would be a kernel"};
    out_.push_back(std::move(complaint));
  }

  const SpacedFunction* function_around(std::size_t i) const {
    for (const SpacedFunction& function : p_.spaces.functions) {
      if (function.body != kNone && function.tokens.begin < i && i < function.tokens.end) return &function;
    }
    return nullptr;
  }

  /// Headers declare kernels, too.
  bool is_kernel_somewhere(std::string_view name) const {
    return std::ranges::any_of(p_.everything.functions, [&](const translate::Function& function) {
      return function.qualifiers.has(Keyword::global) && t_.is(function.name.end - 1, name);
    });
  }

  /// Whether a function's text names it other than by a call or a launch.
  bool may_be_variable(const SpacedFunction& function, std::string_view name) const {
    for (std::size_t i = function.tokens.begin + 1; i < function.tokens.end; ++i) {
      if (t_.is(i, name) && !t_.is(i + 1, '(') && !t_.is(i + 1, '<')) return true;
    }
    return false;
  }

  // ---- Dynamic shared memory: all arrays of a block begin at one address.

  void one_memory(const SpacedFunction& function) {
    const auto found = translate::find_one_memory(t_, {function.body, function.tokens.end});
    if (!found.has_value()) return;
    add(found->read, false,
        "\"" + std::string(found->name) + "\" and \"" + std::string(found->other) + "\" are one memory: line " +
            std::to_string(place(found->overwritten).line) + " has overwritten what line " +
            std::to_string(place(found->stored).line) + " stored",
        "all extern __shared__ arrays of a block begin at one address; declare one, and let the others begin behind "
        "it");
  }

  // ---- Sums that begin with no value

  /// `float s; for (...) s += x;`, where the first statement that names the variable adds to it in a loop.
  void unset_sums(const SpacedFunction& function) {
    for (std::size_t i = function.body + 1; i + 1 < function.tokens.end; ++i) {
      if (!t_.is_identifier(i) || !t_.is(i + 1, ';') || !is_declared_number(i)) continue;
      const std::size_t use = next_of(t_.text(i), i + 2, function.tokens.end);
      if (use == kNone || !is_one_of(kSums, t_.text(use + 1)) || !is_in_loops_only(use, i)) continue;
      add(use, false, "variable \"" + std::string(t_.text(i)) + "\" is used before its value is set",
          "it has no value before the loop; give it one where it is declared");
    }
  }

  bool is_declared_number(std::size_t name) const {
    std::size_t i = name;
    while (is_one_of(kNumbers, t_.text(i - 1))) --i;
    return i != name && (t_.is(i - 1, ';') || t_.is(i - 1, '{') || t_.is(i - 1, '}'));
  }

  std::size_t next_of(std::string_view name, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (t_.is(i, name) && t_.is_identifier(i)) return i;
    }
    return kNone;
  }

  bool is_head_of_loop(std::size_t close) const {
    const std::size_t open = t_.is(close, ')') ? t_.match(close) : kNone;
    return open != kNone && open > 0 && (t_.is(open - 1, "for") || t_.is(open - 1, "while"));
  }

  /// Whether a statement at `use` is executed in the first turn of each loop around it.
  bool is_in_loops_only(std::size_t use, std::size_t declared) const {
    bool in_loop = is_head_of_loop(use - 1);
    if (!in_loop && !t_.is(use - 1, ';') && !t_.is(use - 1, '{') && !t_.is(use - 1, '}')) return false;
    for (std::size_t brace = translate::enclosing_brace(t_, use); brace != kNone && brace > declared;
         brace = translate::enclosing_brace(t_, brace)) {
      if (!is_head_of_loop(brace - 1)) return false;
      in_loop = true;
    }
    return in_loop;
  }

  const Judged& p_;
  const Tokens& t_;
  std::vector<RuleViolation> out_;
};

}  // namespace

std::vector<RuleViolation> judge_words(const Judged& program) {
  return WordJudge(program).judge();
}

}  // namespace warpfiber::tools::nvcc
