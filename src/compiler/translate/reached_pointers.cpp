// SPDX-License-Identifier: Apache-2.0
//
// Which pointers a kernel uses for nothing but accesses to what they point to. Such a pointer may become another one
// that faults without anybody seeing the difference, where the program passes memory that no kernel can reach. Read
// from words alone: a pointer that is stored, compared with another one, printed, or passed to what is not known here
// is none of them.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "translate/passes.hpp"
#include "translate/text/parameters.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::size_t kMostParameters = 64;
constexpr int kMostCalls = 8;  // within each other

/// Functions of CUDA's that access what their first argument points to.
bool accesses_only(std::string_view function) {
  return function.starts_with("atomic") || function.starts_with("__ld") || function.starts_with("__st");
}

class ReachedPointers {
 public:
  explicit ReachedPointers(const TranslationUnit& program) : p_(program), t_(program.tokens) {}

  std::uint64_t of(const Function& kernel) {
    std::uint64_t bits = 0;
    const std::vector<Parameter> parameters = read_parameters(t_, {kernel.open + 1, kernel.close});
    if (std::ranges::any_of(parameters, &Parameter::is_pack)) return 0;
    for (std::size_t i = 0; i < std::min(parameters.size(), kMostParameters); ++i) {
      if (is_pointer(parameters[i]) && is_only_reached(kernel, parameters[i], 0)) bits |= std::uint64_t{1} << i;
    }
    return bits;
  }

 private:
  /// `T* p` or `T p[]`, and no pointer to a pointer or to a function.
  bool is_pointer(const Parameter& parameter) const {
    if (parameter.name == kNone || parameter.is_reference) return false;
    int stars = 0;
    for (std::size_t i = parameter.declaration.begin; i < parameter.declaration.end; ++i) {
      if (t_.is(i, '(') || t_.is(i, '<')) return false;
      stars += t_.is(i, '*') || t_.is(i, '[') ? 1 : 0;
    }
    return stars == 1;
  }

  bool is_only_reached(const Function& function, const Parameter& parameter, int calls) {
    if (function.body.empty() || calls > kMostCalls) return false;
    std::set<std::string_view> names{t_.text(parameter.name)};
    for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
      if (!t_.is_identifier(i) || !names.contains(t_.text(i)) || is_member(i)) continue;
      if (const std::size_t copy = copied_to(i); copy != kNone) {
        names.insert(t_.text(copy));
      } else if (!is_access(i) && !is_test(i) && !is_moved(i) && !is_passed_on(i, calls)) {
        return false;
      }
    }
    return true;
  }

  bool is_member(std::size_t i) const { return t_.is(i - 1, '.') || t_.is(i - 1, "->") || t_.is(i - 1, "::"); }

  bool is_operator(std::size_t i) const {
    constexpr std::string_view kMarks[] = {
        "(", "[", "{",  "}",  ";",  ",",  "=",  "+",  "-",  "*",  "/", "<", ">", "?",
        ":", "!", "&&", "||", "+=", "-=", "*=", "/=", "==", "!=", "|", "^", "%", "return"};
    return std::ranges::find(kMarks, t_.text(i)) != std::end(kMarks);
  }

  /// `p[i]`, `*p`, `p->x`, `*(p + i)`.
  bool is_access(std::size_t i) const {
    if (t_.is(i + 1, '[')) return !t_.is(i - 1, '&');
    if (t_.is(i + 1, "->")) return !t_.is(i - 1, '&');
    if (t_.is(i - 1, '*') && is_operator(i - 2)) return true;
    return t_.is(i - 1, '(') && t_.is(i - 2, '*') && is_operator(i - 3) && is_sum(i);
  }

  bool is_sum(std::size_t i) const { return t_.is(i + 1, '+') || t_.is(i + 1, '-'); }

  /// Whether it is null: `if (p)`, `!p`, `p != nullptr`.
  bool is_test(std::size_t i) const {
    const bool compares = t_.is(i + 1, "==") || t_.is(i + 1, "!=");
    if (compares) return t_.is(i + 2, "nullptr") || t_.is(i + 2, "__null") || t_.is(i + 2, "0");
    if (t_.is(i - 1, '!')) return t_.is(i + 1, ')') || t_.is(i + 1, "&&") || t_.is(i + 1, "||");
    return t_.is(i - 1, '(') && t_.is(i - 2, "if") && t_.is(i + 1, ')');
  }

  /// `p += n;`, `++p`.
  bool is_moved(std::size_t i) const {
    const bool before = t_.is(i - 1, "++") || t_.is(i - 1, "--");
    const bool is_statement = t_.is(i - 1, ';') || t_.is(i - 1, '{') || t_.is(i - 1, '}') || t_.is(i - 1, ',');
    if (before) return t_.is(i + 1, ';') || t_.is(i + 1, ')');
    return is_statement && (t_.is(i + 1, "+=") || t_.is(i + 1, "-=") || t_.is(i + 1, "++") || t_.is(i + 1, "--"));
  }

  /// The name of `const T* q = p;` or `q = p + n;`, a local variable that points there too.
  std::size_t copied_to(std::size_t i) const {
    const bool is_whole = t_.is(i + 1, ';') || is_sum(i);
    const bool is_declared = t_.is(i - 1, '=') && t_.is_identifier(i - 2) && t_.is(i - 3, '*');
    return is_whole && is_declared ? i - 2 : kNone;
  }

  /// An argument of a function that only accesses what it points to.
  bool is_passed_on(std::size_t i, int calls) {
    const std::size_t first = t_.is(i - 1, '&') && t_.is(i + 1, '[') ? i - 1 : i;
    if (!t_.is(first - 1, '(') && !t_.is(first - 1, ',')) return false;
    std::size_t number = 0;
    const std::size_t open = opening_of(first, number);
    if (open == kNone || open == 0 || !t_.is_identifier(open - 1)) return false;
    const std::string_view callee = t_.text(open - 1);
    if (accesses_only(callee)) return number == 0;
    if (is_member(open - 1)) return false;
    const std::size_t close = t_.match(open);
    return close != kNone && all_only_reach(callee, number, split_commas(t_, open + 1, close).size(), calls);
  }

  /// The parenthesis of the call whose argument begins at token `first`, and which argument that is.
  std::size_t opening_of(std::size_t first, std::size_t& number) const {
    for (std::size_t at = first - 1;; --at) {
      if (t_.is(at, ')') || t_.is(at, ']') || t_.is(at, '}')) {
        at = t_.match(at);
        if (at == kNone) return kNone;
      } else if (t_.is(at, '(')) {
        return at;
      } else if (t_.is(at, ',')) {
        ++number;
      } else if (t_.is(at, ';') || t_.is(at, '{') || t_.is(at, '<') || t_.is(at, '>')) {
        return kNone;
      }
      if (at == 0) return kNone;
    }
  }

  /// Of every function of the program by that name.
  bool all_only_reach(std::string_view name, std::size_t number, std::size_t arguments, int calls) {
    bool found = false;
    for (const Function& function : p_.outline.functions) {
      if (function.body.empty() || !t_.is(function.name.end - 1, name)) continue;
      const std::vector<Parameter> parameters = read_parameters(t_, {function.open + 1, function.close});
      const bool fits = parameters.size() == arguments && number < parameters.size();
      if (!fits || !is_pointer(parameters[number])) return false;
      if (!is_known_to_reach(function, number, parameters[number], calls)) return false;
      found = true;
    }
    return found;
  }

  bool is_known_to_reach(const Function& function, std::size_t number, const Parameter& parameter, int calls) {
    const std::pair<std::size_t, std::size_t> key{function.name.begin, number};
    // Until it is known, a function that calls itself does not only reach: to follow each such call anew would take
    // time that doubles with every one of them.
    if (const auto [known, is_new] = known_.emplace(key, false); !is_new) return known->second;
    return known_[key] = is_only_reached(function, parameter, calls + 1);
  }

  const TranslationUnit& p_;
  const Tokens& t_;
  std::map<std::pair<std::size_t, std::size_t>, bool> known_;  // by the function's name and its parameter's number
};

}  // namespace

std::function<std::uint64_t(const Function&)> pointers_only_reached(const TranslationUnit& program) {
  return [pointers = ReachedPointers(program)](const Function& kernel) mutable { return pointers.of(kernel); };
}

}  // namespace warpfiber::translate
