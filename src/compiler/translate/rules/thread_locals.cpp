// SPDX-License-Identifier: Apache-2.0
//
// thread_local means the OS thread, on which many threads of a kernel run: they would share one variable. As nvcc does,
// device code refuses to declare one and to use one of the host's; messages are those of nvcc 13.0.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translate/passes.hpp"
#include "translate/rules/spaces.hpp"
#include "translate/text/parameters.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::string_view kSpellings[] = {"thread_local", "__thread", "_Thread_local"};
// In our headers they are thread_local, too, as others are in namespaces of ours.
constexpr std::string_view kBuiltIns[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};

bool may_be_there(std::string_view text) {
  return text.find("thread_local") != std::string_view::npos || text.find("__thread") != std::string_view::npos ||
         text.find("_Thread_local") != std::string_view::npos;
}

class ThreadLocalCheck {
 public:
  explicit ThreadLocalCheck(TranslationUnit& program) : p_(program), t_(program.tokens) {}

  void refuse() {
    note_names({0, t_.size()});
    for (const Function& function : p_.outline.functions) {
      if (function.qualifiers.on_device() && !function.body.empty()) look_at(function);
    }
    for (const std::size_t word : t_.keywords()) {
      if (t_[word].keyword == Keyword::device && !is_in_device_function(p_, word))
        look_at(device_lambda(t_, word), word);
    }
    for (const VariableDeclaration& variable : p_.outline.variables) look_at(variable);
  }

 private:
  bool is_thread_local(std::size_t i) const {
    if (!t_.is_identifier(i)) return false;
    for (const std::string_view spelling : kSpellings) {
      if (t_.is(i, spelling)) return true;
    }
    return false;
  }

  /// Whether the brace at `i` opens a namespace of the user's or an extern "C" block.
  bool is_transparent(std::size_t i) const {
    if (i > 1 && t_.is(i - 2, "extern")) return true;
    for (; i > 0 && (t_.is_identifier(i - 1) || t_.is(i - 1, "::")); --i) {
      if (t_.is(i - 1, "namespace")) return !t_.is(i, "warpfiber");
    }
    return false;
  }

  /// Variables at namespace scope.
  void note_names(TokenRange range) {
    for (std::size_t i = range.begin; i < range.end;) {
      if (t_.is(i, '{') && is_transparent(i)) {
        ++i;
      } else if (is_thread_local(i)) {
        i = note_declarators(i + 1);
      } else {
        i = after_group(t_, i);
      }
    }
  }

  std::size_t note_declarators(std::size_t begin) {
    const std::size_t end = find_mark(t_, begin, t_.size(), ';');
    if (is_foreign(locate(t_, t_[begin].begin), {})) return end;
    for (const Declarator& declarator : read_declarators(t_, {begin, end})) {
      const bool is_member = declarator.name == kNone || t_.is(declarator.name + 1, "::");
      if (!is_member) names_.insert(t_.text(declarator.name));
    }
    for (const std::string_view name : kBuiltIns) names_.erase(name);
    return end;
  }

  void look_at(const Function& function) {
    const bool only_device = !function.qualifiers.has(Keyword::host);
    look_at(part_of_device(function.body), only_device ? function.begin : kNone);
  }

  void look_at(const Lambda& lambda, std::size_t word) {
    if (lambda.body.empty()) return;
    const bool only_device = !t_.is_identifier(word + 1) && t_[word - 1].keyword != Keyword::host;
    look_at(lambda.body, only_device ? lambda.open : kNone);
  }

  /// What the body of a function of both that asks where it runs does on the device (arch_merge.cpp).
  TokenRange part_of_device(TokenRange body) const {
    const std::size_t condition = body.begin + 2;
    if (!t_.is(body.begin + 1, "if") || !t_.is(condition, '(') || t_.match(condition) == kNone) return body;
    const std::size_t close = t_.match(condition);
    if (!t_.is(close - 3, "on_device") || !t_.is(close - 5, "cuda") || !t_.is(close - 7, "warpfiber")) return body;
    const std::size_t open = close + 1;
    return t_.is(open, '{') && t_.match(open) != kNone ? TokenRange{open, t_.match(open)} : body;
  }

  /// `uses_from` is where names begin that could hide those of the host; kNone where the host may run the code.
  void look_at(TokenRange body, std::size_t uses_from) {
    const std::set<std::string_view> hidden =
        uses_from == kNone || names_.empty() ? std::set<std::string_view>{} : declared({uses_from, body.end});
    for (std::size_t i = body.begin; i < body.end; ++i) {
      if (!t_.is_identifier(i)) continue;
      if (is_thread_local(i)) p_.error(i, "cannot use thread_local specifier for variable declarations in device code");
      if (uses_from == kNone || !names_.contains(t_.text(i)) || hidden.contains(t_.text(i)) || !is_use(i)) continue;
      p_.error(i, "identifier \"" + std::string(t_.text(i)) + "\" is undefined in device code");
    }
  }

  /// Names of the host's that [begin, end) may declare once more: those behind what may be a type.
  std::set<std::string_view> declared(TokenRange range) const {
    std::set<std::string_view> found;
    for (std::size_t i = range.begin + 1; i < range.end; ++i) {
      if (t_.is_identifier(i) && names_.contains(t_.text(i)) && follows_type(i)) found.insert(t_.text(i));
    }
    return found;
  }

  bool follows_type(std::size_t i) const {
    for (const char mark : {'*', '&', '>', ','}) {
      if (t_.is(i - 1, mark)) return true;
    }
    if (t_.is(i - 1, "&&") || is_builtin_type(t_, i - 1) || is_cv(t_, i - 1)) return true;
    return t_.is_identifier(i - 1) && !is_keyword(t_, i - 1);
  }

  bool is_use(std::size_t i) const { return !t_.is(i - 1, '.') && !t_.is(i - 1, "->") && !t_.is(i - 1, "::"); }

  void look_at(const VariableDeclaration& variable) {
    const char* name = variable.qualifiers.has(Keyword::constant)  ? "__constant__"
                       : variable.qualifiers.has(Keyword::shared)  ? "__shared__"
                       : variable.qualifiers.has(Keyword::managed) ? "__managed__"
                       : variable.qualifiers.has(Keyword::device)  ? "__device__"
                                                                   : nullptr;
    if (name == nullptr) return;
    for (std::size_t i = variable.begin; i < variable.end && !t_.is(i, '='); i = after_group(t_, i)) {
      if (is_thread_local(i)) p_.error(i, "cannot use thread_local specifier for a " + std::string(name) + " variable");
    }
  }

  TranslationUnit& p_;
  const Tokens& t_;
  std::set<std::string_view> names_;
};

}  // namespace

void refuse_thread_locals(TranslationUnit& program) {
  if (may_be_there(program.tokens.source())) ThreadLocalCheck(program).refuse();
}

}  // namespace warpfiber::translate
