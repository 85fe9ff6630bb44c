// SPDX-License-Identifier: Apache-2.0
//
// __forceinline__ on functions that call themselves or one another. For NVIDIA's compiler it is a wish, which it does
// not grant there; g++ refuses what it cannot inline. Calls are followed by name: of names that several functions have,
// and of calls with arguments for a template, nothing is known.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "translate/passes.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::string_view kAlwaysInline = "always_inline";

std::size_t wish_of(const Tokens& tokens, const Function& function) {
  for (std::size_t i = function.begin; i < function.name.begin; ++i) {
    if (tokens.is(i, kAlwaysInline) && tokens.is(i - 1, '(')) return i;
  }
  return kNone;
}

class WishedInlining {
 public:
  explicit WishedInlining(TranslationUnit& program) : p_(program), t_(program.tokens) {}

  void drop_where_recursive() {
    for (const Function& function : p_.outline.functions) note(function);
    for (const auto& [name, function] : definitions_) {
      if (function != nullptr && reaches_itself(name)) drop(name);
    }
  }

 private:
  std::string_view name_of(const Function& function) const { return t_.text(function.name.end - 1); }

  void note(const Function& function) {
    const bool is_named = function.name.end > function.name.begin && t_.is_identifier(function.name.end - 1);
    if (!is_named || function.qualifiers.none() || wish_of(t_, function) == kNone) return;
    const std::string_view name = name_of(function);
    declarations_[name].push_back(&function);
    if (function.body.begin == function.body.end) return;
    const auto [place, is_first] = definitions_.emplace(name, &function);
    if (!is_first) place->second = nullptr;
  }

  bool is_variadic(const Function& function) const {
    for (std::size_t i = function.open; i < function.close; ++i) {
      if (t_.is(i, "...")) return true;
    }
    return false;
  }

  /// The functions that wish to be inlined and are called by name in the body.
  std::vector<std::string_view> callees(const Function& caller) const {
    std::vector<std::string_view> found;
    if (is_variadic(caller)) return found;
    for (std::size_t i = caller.body.begin; i < caller.body.end; ++i) {
      if (!t_.is_identifier(i) || !t_.is(i + 1, '(') || t_.is(i - 1, '.') || t_.is(i - 1, "->")) continue;
      const auto place = definitions_.find(t_.text(i));
      if (place != definitions_.end() && place->second != nullptr) found.push_back(place->first);
    }
    return found;
  }

  bool reaches_itself(std::string_view name) const {
    std::set<std::string_view> seen;
    std::vector<std::string_view> open{name};
    while (!open.empty()) {
      const std::string_view next = open.back();
      open.pop_back();
      for (const std::string_view callee : callees(*definitions_.at(next))) {
        if (callee == name) return true;
        if (seen.insert(callee).second) open.push_back(callee);
      }
    }
    return false;
  }

  void drop(std::string_view name) {
    for (const Function* function : declarations_.at(name)) {
      const std::size_t wish = wish_of(t_, *function);
      p_.edits.replace(p_.begin_of(wish), p_.end_of(wish), std::string(t_.text(wish).size(), ' '));
    }
  }

  TranslationUnit& p_;
  const Tokens& t_;
  std::map<std::string_view, const Function*> definitions_;  // null: there are several
  std::map<std::string_view, std::vector<const Function*>> declarations_;
};

}  // namespace

void drop_recursive_inlining(TranslationUnit& program) {
  WishedInlining(program).drop_where_recursive();
}

}  // namespace warpfiber::translate
