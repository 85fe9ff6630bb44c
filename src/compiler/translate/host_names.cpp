// SPDX-License-Identifier: Apache-2.0
//
// Names of the device's variables in arguments of launches, and of its functions in host code. There such a name is
// that of the host's own copy, which no kernel can reach: the address becomes one that faults. What
// cudaGetSymbolAddress() and copies of pointers give is the device's.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "translate/functions_by_name.hpp"
#include "translate/passes.hpp"
#include "translate/text/parameters.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

/// What an argument is behind casts that keep the address.
TokenRange without_casts(const Tokens& tokens, TokenRange range) {
  for (;;) {
    std::size_t inner = kNone;
    if (tokens.is(range.begin, "reinterpret_cast") || tokens.is(range.begin, "static_cast")) {
      const std::size_t close = angle_close(tokens, range.begin + 1);
      if (close != kNone && tokens.is(close + 1, '(') && tokens.match(close + 1) == range.end - 1) inner = close + 2;
      if (inner == kNone) return range;
      range = {inner, range.end - 1};
    } else if (tokens.is(range.begin, '(') && tokens.match(range.begin) != kNone &&
               tokens.is(tokens.match(range.begin) - 1, '*') && tokens.match(range.begin) + 1 < range.end) {
      range.begin = tokens.match(range.begin) + 1;
    } else {
      return range;
    }
  }
}

class HostNames {
 public:
  explicit HostNames(TranslationUnit& program) : p_(program), t_(program.tokens), functions_(program) {
    for (const VariableDeclaration& variable : p_.outline.variables) add(variable);
  }

  void mark(TokenRange argument) {
    const TokenRange range = without_casts(t_, argument);
    if (range.empty() || is_on_device(p_, range.begin)) return;
    const bool takes_address = t_.is(range.begin, '&');
    const std::size_t name = range.begin + (takes_address ? 1 : 0);
    if (name >= range.end || !t_.is_identifier(name)) return;
    const bool is_whole = name + 1 == range.end;
    const std::size_t word = last_word(name, range.end);
    const bool is_sum = t_.is(name + 1, '+') && !takes_address;
    const bool is_part = takes_address && (t_.is(name + 1, '[') || t_.is(name + 1, '.'));
    const bool of_variable = is_variable(t_.text(name), takes_address) && (is_whole || is_sum || is_part);
    const NamedFunctions* const functions = of_variable || word == kNone ? nullptr : functions_.meant(word);
    if (!of_variable && functions == nullptr) return;
    if ((of_variable || word == name) && is_hidden(name)) return;
    if (of_variable) {
      put(range, "host_name(");
    } else {
      put_function(range, *functions, arguments_of(word), false);
    }
    marked_.insert(of_variable ? name : word);
  }

  /// `F f = twice;`, `{&twice}`, `return twice;`, `g(twice)` in functions of the host. The outline has those functions
  /// only that have a word of CUDA's.
  void mark_functions() {
    if (functions_.none()) return;
    std::vector<TokenRange> device;
    for (const VariableDeclaration& variable : p_.outline.variables) device.push_back({variable.begin, variable.end});
    for (const Function& function : p_.outline.functions) {
      if (function.qualifiers.on_device()) device.push_back({function.begin, function.end});
    }
    device = merged(std::move(device));
    for (std::size_t i = 1; !t_.ends(i); ++i) {
      const bool is_lambda = t_[i].keyword == Keyword::device && !cover(device, i);
      if (is_lambda) i = after_lambda(i);
      if (!t_.is_identifier(i)) continue;
      const NamedFunctions* const meant = functions_.meant(i);
      const NamedFunctions* const functions = meant != nullptr ? meant : functions_.may_be_meant(i);
      if (functions == nullptr) continue;
      const std::size_t first = begin_of_qualified_name(t_, i);
      const TokenRange arguments = arguments_of(i);
      const TokenRange name{t_.is(first - 1, '&') ? first - 1 : first, arguments.empty() ? i + 1 : arguments.end + 1};
      const TokenRange value = with_casts(name);
      if (!is_value(value) || marked_.contains(i) || cover(device, i) || is_constant(value.begin)) continue;
      const bool is_known = first == i ? is_in_free_function(i) && !is_hidden(i) : is_in_function(i);
      if (!is_known && !is_in_initialiser(i)) continue;
      if (locate(t_, p_.begin_of(i)).system) continue;
      const bool is_cast = value.begin != name.begin;
      if (meant != nullptr) {
        put_function(value, *functions, arguments, is_cast);
      } else if (is_cast || t_.is(name.begin - 1, '=') || t_.is(name.begin - 1, "return")) {
        put_mixed(name, *functions);
      }
    }
  }

 private:
  void put(TokenRange address, const std::string& function, const std::string& behind = ")") {
    p_.edits.insert(p_.begin_of(address.begin), "::warpfiber::cuda::" + function);
    p_.edits.insert(p_.end_of(address.end - 1), behind);
  }

  /// The arguments behind the name of a template, without the angles.
  TokenRange arguments_of(std::size_t name) const {
    const std::size_t close = t_.is(name + 1, '<') ? angle_close(t_, name + 1) : kNone;
    return close == kNone ? TokenRange{} : TokenRange{name + 2, close};
  }

  /// The function's name, `twice` of `a::b<int>::twice<float>`, where that is all until `end`; else kNone.
  std::size_t last_word(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (!t_.is_identifier(i)) continue;
      const TokenRange arguments = arguments_of(i);
      const std::size_t behind = arguments.empty() ? i + 1 : arguments.end + 1;
      if (behind == end) return begin_of_qualified_name(t_, i) == begin ? i : kNone;
      i = behind - 1;
    }
    return kNone;
  }

  /// `value` is the name of functions, or what a cast has made of it, so that it means one.
  void put_function(TokenRange value, const NamedFunctions& named, TokenRange arguments, bool is_cast) {
    const std::size_t given = arguments.empty() ? 0 : split_commas(t_, arguments.begin, arguments.end).size();
    const bool is_instance = !named.are_templates || (given != 0 && given >= named.arguments);
    if (is_cast || (named.are_one && is_instance)) {
      return put(value, named.on_host ? "host_function(" : "host_name(");
    }
    const std::string begin = "([](auto warpfiber_chosen) { warpfiber_chosen = ";
    put(value, (named.on_host ? "host_overloads<true>" : "host_overloads<false>") + begin,
        "; return warpfiber_chosen; })");
  }

  /// A name of functions of the host and of others of the device, in a place that says which of them is meant. Those
  /// of the device get a mark by which they are known.
  void put_mixed(TokenRange name, const NamedFunctions& named) {
    const std::string word = "warpfiber_of_device_" + std::string(t_.text(name.end - 1));
    if (with_marks_.insert(t_.text(name.end - 1)).second) {
      for (const Function* function : named.of_device) {
        p_.edits.insert(p_.end_of(function->end - 1), " [[maybe_unused]] ::warpfiber::cuda::detail::OfDevice " + word +
                                                          flat_text(t_, function->open, function->close + 1) + ";");
      }
    }
    const std::size_t first = t_.is(name.begin, '&') ? name.begin + 1 : name.begin;
    put(name, "mixed_overloads([](auto warpfiber_chosen) { warpfiber_chosen = ",
        "; return warpfiber_chosen; }, [](auto warpfiber_mark) -> decltype((void)(warpfiber_mark = " +
            flat_text(t_, first, name.end - 1) + word + ")) {})");
  }

  /// The name with the casts around it.
  TokenRange with_casts(TokenRange name) const {
    for (;;) {
      const std::size_t before = name.begin - 1;
      if (name.begin < 3) return name;
      if (t_.is(before, ')') && t_.match(before) != kNone && is_value({t_.match(before), name.end})) {
        name.begin = t_.match(before);
      } else if (t_.is(before, '(') && t_.is(name.end, ')') && t_.is(before - 1, '>')) {
        const std::size_t cast = cast_before(before - 1);
        if (cast == kNone) return name;
        name = {cast, name.end + 1};
      } else {
        return name;
      }
    }
  }

  /// `static_cast<F>`, whose list ends there.
  std::size_t cast_before(std::size_t close) const {
    constexpr std::size_t kLongest = 64;
    for (std::size_t i = close; i > 1 && close - i < kLongest && !t_.is(i, ';'); --i) {
      const bool is_cast = t_.is(i - 1, "static_cast") || t_.is(i - 1, "reinterpret_cast");
      if (t_.is(i, '<') && is_cast && angle_close(t_, i) == close) return i - 1;
    }
    return kNone;
  }

  /// Behind the body of the lambda of which `word` is a qualifier.
  std::size_t after_lambda(std::size_t word) const {
    std::size_t i = word;
    while (!t_.ends(i) && !t_.is(i, '{') && !t_.is(i, ';')) i = after_group(t_, i);
    return t_.is(i, '{') ? after_group(t_, i) : i;
  }

  /// An initialiser, an argument, what is returned or compared, to which no reference is bound. No member of an object.
  bool is_value(TokenRange range) const {
    const std::size_t end = range.end;
    const std::size_t before = range.begin - 1;
    if (range.begin < 2 || t_.is(before, '.') || t_.is(before, "->")) return false;
    if (t_.is(before, "==") || t_.is(before, "!=") || t_.is(end, "==") || t_.is(end, "!=")) return true;
    const bool of_choice = t_.is(before, '?') && t_.is(end, ':');
    const bool ends = t_.is(end, ';') || t_.is(end, ',') || t_.is(end, ')') || t_.is(end, '}');
    if (!of_choice && !ends) return false;
    if (of_choice || t_.is(before, ':')) return true;
    if (t_.is(before, '=')) return !t_.is(before - 2, '&') && !t_.is(before - 2, "&&") && !is_reference(before);
    if (t_.is(before, '{')) return !t_.is(end, ';');
    if (t_.is(before, ',') || t_.is(before, "return")) return true;
    return t_.is(before, '(') && t_.is_identifier(before - 1) && !is_keyword(t_, before - 1);
  }

  /// `int (&f)(int) =`
  bool is_reference(std::size_t equals) const {
    const std::size_t parameters = t_.is(equals - 1, ')') ? t_.match(equals - 1) : kNone;
    if (parameters == kNone || !t_.is(parameters - 1, ')')) return false;
    const std::size_t open = t_.match(parameters - 1);
    return open != kNone && t_.is(open + 1, '&');
  }

  /// Whether it may have to be known when the program is compiled: in an initialiser of a constant, in a list of
  /// template arguments.
  bool is_constant(std::size_t begin) const {
    constexpr std::string_view kConstant[] = {"constexpr", "constinit", "static_assert", "case",
                                              "noexcept",  "sizeof",    "enum"};
    for (std::size_t i = begin - 1; i > 0 && !t_.is(i, ';') && !t_.is(i, '}'); --i) {
      if (std::ranges::find(kConstant, t_.text(i)) != std::end(kConstant)) return true;
      if (t_.is(i, '{') && t_.is(i - 1, ')')) return false;
      if (!t_.is(i, '<') || !t_.is_identifier(i - 1)) continue;
      const std::size_t close = angle_close(t_, i);
      if (close != kNone && close > begin) return true;
    }
    return false;
  }

  void add(const VariableDeclaration& variable) {
    const Qualifiers& has = variable.qualifiers;
    const bool on_device = has.has(Keyword::device) || has.has(Keyword::constant);
    if (!on_device || has.has(Keyword::managed) || has.has(Keyword::shared) || !variable.templates.empty()) return;
    for (const Declarator& declarator : read_declarators(t_, {variable.specifiers, variable.end - 1})) {
      if (declarator.name != kNone) variables_.emplace(t_.text(declarator.name), declarator);
    }
  }

  /// Of a variable outside of functions and classes: `F f = twice;`, `const F list[] = {twice, &other};`.
  bool is_in_initialiser(std::size_t use) const {
    std::size_t at = use;
    std::size_t outer = enclosing_brace(t_, at);
    for (; outer != kNone && !opens_namespace(t_, outer); outer = enclosing_brace(t_, outer)) {
      if (!t_.is(outer - 1, '=') && !t_.is(outer - 1, ',') && !t_.is(outer - 1, '{') && !t_.is(outer - 1, ']'))
        return false;
      at = outer;
    }
    for (; outer != kNone; outer = enclosing_brace(t_, outer)) {
      if (!opens_namespace(t_, outer)) return false;
    }
    if (t_.opener(at) != enclosing_brace(t_, at)) return false;  // in parentheses
    while (at > 0 && !t_.is(at, '=') && !t_.is(at, ';') && !t_.is(at, '}')) --at;
    return t_.is(at, '=');
  }

  /// A variable whose address the argument is: any that `&` stands before, or an array.
  bool is_variable(std::string_view name, bool takes_address) const {
    const auto found = variables_.find(name);
    if (found == variables_.end() || found->second.is_reference) return false;
    return takes_address || (found->second.is_array && !found->second.is_pointer);
  }

  /// In a function's body, but in none that may have to run while the program is compiled.
  bool is_in_function(std::size_t use) const {
    bool is_in_body = false;
    for (std::size_t brace = enclosing_brace(t_, use); brace != kNone; brace = enclosing_brace(t_, brace)) {
      std::size_t begin = brace;
      while (begin > 0 && !t_.is(begin - 1, ';') && !t_.is(begin - 1, '{') && !t_.is(begin - 1, '}')) {
        --begin;
        if (t_.is(begin, "constexpr") && !t_.is(begin - 1, "if")) return false;
        if (t_.is(begin, "consteval")) return false;
        if (t_.is(begin, ')')) is_in_body = true;
      }
    }
    return is_in_body;
  }

  /// Not in a member function, where the name may be that of a member.
  bool is_in_free_function(std::size_t use) const {
    if (!is_in_function(use)) return false;
    std::size_t body = kNone;
    std::size_t outer = enclosing_brace(t_, use);
    for (; outer != kNone && !opens_namespace(t_, outer); outer = enclosing_brace(t_, outer)) body = outer;
    for (; outer != kNone; outer = enclosing_brace(t_, outer)) {
      if (!opens_namespace(t_, outer)) return false;
    }
    if (body == kNone || body == 0 || !t_.is(body - 1, ')')) return false;
    const std::size_t open = t_.match(body - 1);
    return open != kNone && open > 1 && t_.is_identifier(open - 1) && !t_.is(open - 2, "::");
  }

  /// Whether the function around may have declared that name itself.
  bool is_hidden(std::size_t use) const {
    std::size_t brace = kNone;
    for (std::size_t outer = enclosing_brace(t_, use); outer != kNone; outer = enclosing_brace(t_, outer)) {
      if (t_.is(outer - 1, ')')) brace = outer;
    }
    if (brace == kNone) return true;
    std::size_t begin = brace;
    while (begin > 0 && !t_.is(begin - 1, ';') && !t_.is(begin - 1, '}')) --begin;
    for (std::size_t i = begin + 1; i < use; ++i) {
      if (t_.text(i) != t_.text(use) || !t_.is_identifier(i)) continue;
      if (is_behind_type(t_, i) || is_binding(i)) return true;
    }
    return false;
  }

  /// `auto [a, b] = ...`
  bool is_binding(std::size_t i) const {
    while (t_.is(i - 1, ',') && t_.is_identifier(i - 2)) i -= 2;
    return t_.is(i - 1, '[') && (t_.is(i - 2, "auto") || t_.is(i - 2, '&') || t_.is(i - 2, "&&"));
  }

  TranslationUnit& p_;
  const Tokens& t_;
  FunctionsByName functions_;
  std::map<std::string_view, Declarator> variables_;
  std::set<std::size_t> marked_;
  std::set<std::string_view> with_marks_;  // names of functions of both the host and the device
};

}  // namespace

void mark_host_names(TranslationUnit& program, const std::vector<TokenRange>& arguments) {
  if (program.options.as_written) return;
  HostNames names(program);
  for (const TokenRange& all : arguments) {
    for (const TokenRange& argument : split_commas(program.tokens, all.begin, all.end)) names.mark(argument);
  }
  names.mark_functions();
}

}  // namespace warpfiber::translate
