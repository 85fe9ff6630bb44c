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

/// All functions of a name.
struct NamedFunctions {
  bool on_host;          // they are of both sides, else the device's alone
  bool are_of_one_kind;  // in that, and none is a template, a member or declared without a word of CUDA's
  bool are_one;          // they have the same parameters
  std::string parameters;
  std::vector<TokenRange> known{};      // where the name means one of them
  std::set<std::string_view> spaces{};  // the namespaces right around them
};

class HostNames {
 public:
  explicit HostNames(TranslationUnit& program) : p_(program), t_(program.tokens), visibility_(program) {
    for (const VariableDeclaration& variable : p_.outline.variables) add(variable);
    for (const Function& function : p_.outline.functions) add(function);
    look_for_others();
  }

  void mark(TokenRange argument) {
    const TokenRange range = without_casts(t_, argument);
    if (range.empty()) return;
    const bool takes_address = t_.is(range.begin, '&');
    const std::size_t name = range.begin + (takes_address ? 1 : 0);
    if (name >= range.end || !t_.is_identifier(name)) return;
    const bool is_whole = name + 1 == range.end;
    const bool is_sum = t_.is(name + 1, '+') && !takes_address;
    const bool is_part = takes_address && (t_.is(name + 1, '[') || t_.is(name + 1, '.'));
    const bool of_variable = is_variable(t_.text(name), takes_address) && (is_whole || is_sum || is_part);
    if (!of_variable && !(is_whole && is_function(name))) return;
    if (is_hidden(name)) return;
    if (of_variable) {
      put(range, "host_name(");
    } else {
      put_function(range, name, false);
    }
    marked_.insert(name);
  }

  /// `F f = twice;`, `{&twice}`, `return twice;`, `g(twice)` in functions of the host. The outline has those functions
  /// only that have a word of CUDA's.
  void mark_functions() {
    const auto are_of_one_kind = [](const auto& named) { return named.second.are_of_one_kind; };
    if (std::ranges::none_of(functions_, are_of_one_kind)) return;
    std::vector<TokenRange> device;
    for (const VariableDeclaration& variable : p_.outline.variables) device.push_back({variable.begin, variable.end});
    for (const Function& function : p_.outline.functions) {
      if (function.qualifiers.on_device()) device.push_back({function.begin, function.end});
    }
    device = merged(std::move(device));
    for (std::size_t i = 1; !t_.ends(i); ++i) {
      const bool is_lambda = t_[i].keyword == Keyword::device && !cover(device, i);
      if (is_lambda) i = after_lambda(i);
      if (!t_.is_identifier(i) || !is_function(i)) continue;
      const std::size_t first = begin_of_name(i);
      const TokenRange name{t_.is(first - 1, '&') ? first - 1 : first, i + 1};
      const TokenRange value = with_casts(name);
      if (!is_value(value) || marked_.contains(i) || cover(device, i)) continue;
      const bool of_variable = is_in_initialiser(i);
      if (is_constant(value.begin) || !(of_variable || (is_in_free_function(i) && (first != i || !is_hidden(i)))))
        continue;
      if (!locate(t_, p_.begin_of(i)).system) put_function(value, i, value.begin != name.begin);
    }
  }

 private:
  void put(TokenRange address, const std::string& function, const std::string& behind = ")") {
    p_.edits.insert(p_.begin_of(address.begin), "::warpfiber::cuda::" + function);
    p_.edits.insert(p_.end_of(address.end - 1), behind);
  }

  /// `value` is the name of functions, or what a cast has made of it, so that it means one.
  void put_function(TokenRange value, std::size_t name, bool is_cast) {
    const NamedFunctions& named = functions_.at(t_.text(name));
    if (named.are_one || is_cast) return put(value, named.on_host ? "host_function(" : "host_name(");
    const std::string begin = "([](auto warpfiber_chosen) { warpfiber_chosen = ";
    put(value, (named.on_host ? "host_overloads<true>" : "host_overloads<false>") + begin,
        "; return warpfiber_chosen; })");
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

  /// An initialiser, an argument, what is returned or compared, to which no reference is bound.
  bool is_value(TokenRange range) const {
    const std::size_t end = range.end;
    const std::size_t before = range.begin - 1;
    if (range.begin < 2) return false;
    if (t_.is(before, "==") || t_.is(before, "!=") || t_.is(end, "==") || t_.is(end, "!=")) return true;
    const bool of_choice = t_.is(before, '?') && t_.is(end, ':');
    const bool ends = t_.is(end, ';') || t_.is(end, ',') || t_.is(end, ')') || t_.is(end, '}');
    if (!of_choice && !ends) return false;
    if (of_choice || t_.is(before, ':')) return true;
    if (t_.is(before, '=')) return !t_.is(before - 2, '&') && !t_.is(before - 2, "&&");
    if (t_.is(before, '{')) return !t_.is(end, ';');
    if (t_.is(before, ',') || t_.is(before, "return")) return true;
    return t_.is(before, '(') && t_.is_identifier(before - 1) && !is_keyword(t_, before - 1);
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

  void add(const Function& function) {
    const bool on_host = function.qualifiers.has(Keyword::host);
    const bool is_plain =
        function.qualifiers.has(Keyword::device) && function.templates.empty() && !p_.outline.in_class(function);
    const std::string parameters = flat_text(t_, function.open, function.close);
    const auto [known, is_new] =
        functions_.emplace(t_.text(function.name.end - 1), NamedFunctions{on_host, is_plain, true, parameters});
    NamedFunctions& all = known->second;
    all.are_of_one_kind = all.are_of_one_kind && is_plain && all.on_host == on_host;
    all.are_one = all.are_one && all.parameters == parameters;
    if (is_plain) {
      const std::size_t space = enclosing_brace(t_, function.begin);
      all.known.push_back(visibility_.of(function));
      all.spaces.insert(space == kNone ? std::string_view() : t_.text(space - 1));
    }
    declared_.insert(function.name.end - 1);
  }

  /// Functions of the host alone may have the same name, for which the outline does not have them.
  void look_for_others() {
    if (functions_.empty()) return;
    std::set<std::string_view> used;  // namespaces whose names are known without them
    for (std::size_t i = 0; !t_.ends(i); ++i) {
      const bool uses = t_.is(i, "using") && t_.is(i + 1, "namespace") && !locate(t_, p_.begin_of(i)).system;
      for (std::size_t name = i + 2; uses && !t_.is(name, ';') && !t_.ends(name); ++name) used.insert(t_.text(name));
    }
    for (std::size_t i = 1; !t_.ends(i); ++i) {
      if (!t_.is_identifier(i) || !t_.is(i + 1, '(') || declared_.contains(i) || !is_behind_type(i)) continue;
      const auto found = functions_.find(t_.text(i));
      if (found != functions_.end() && is_known_in_host_code(i, used)) found->second.are_of_one_kind = false;
    }
  }

  /// Whether what is declared there is outside of classes and functions, and in a header of the system in no namespace
  /// but those.
  bool is_known_in_host_code(std::size_t declared, const std::set<std::string_view>& used) const {
    const bool is_system = locate(t_, p_.begin_of(declared)).system;
    for (std::size_t outer = enclosing_brace(t_, declared); outer != kNone; outer = enclosing_brace(t_, outer)) {
      if (!opens_namespace(outer)) return false;
      if (is_system && !t_.is(outer - 1, "namespace") && !t_.text(outer - 1).starts_with('_') &&
          !used.contains(t_.text(outer - 1)) && t_[outer - 1].kind != TokenKind::string)
        return false;
    }
    return true;
  }

  /// `a::b::name`, `::name`.
  std::size_t begin_of_name(std::size_t name) const {
    std::size_t begin = name;
    while (begin > 2 && t_.is(begin - 1, "::") && t_.is_identifier(begin - 2) && !is_keyword(t_, begin - 2)) begin -= 2;
    return t_.is(begin - 1, "::") ? begin - 1 : begin;
  }

  /// Of a variable outside of functions and classes: `F f = twice;`, `const F list[] = {twice, &other};`.
  bool is_in_initialiser(std::size_t use) const {
    std::size_t at = use;
    std::size_t outer = enclosing_brace(t_, at);
    for (; outer != kNone && !opens_namespace(outer); outer = enclosing_brace(t_, outer)) {
      if (!t_.is(outer - 1, '=') && !t_.is(outer - 1, ',') && !t_.is(outer - 1, '{') && !t_.is(outer - 1, ']'))
        return false;
      at = outer;
    }
    for (; outer != kNone; outer = enclosing_brace(t_, outer)) {
      if (!opens_namespace(outer)) return false;
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

  /// A function of the device that can be distinguished from others of its name.
  bool is_function(std::size_t use) const {
    const auto found = functions_.find(t_.text(use));
    if (found == functions_.end() || !found->second.are_of_one_kind) return false;
    if (const std::size_t begin = begin_of_name(use); begin != use) {
      return begin + 1 == use ? found->second.spaces.contains("") : found->second.spaces.contains(t_.text(use - 2));
    }
    return std::ranges::any_of(found->second.known,
                               [use](const TokenRange& where) { return where.begin <= use && use < where.end; });
  }

  /// Not in a member function, where the name may be that of a member.
  bool is_in_free_function(std::size_t use) const {
    std::size_t body = kNone;
    std::size_t outer = enclosing_brace(t_, use);
    for (; outer != kNone && !opens_namespace(outer); outer = enclosing_brace(t_, outer)) body = outer;
    for (; outer != kNone; outer = enclosing_brace(t_, outer)) {
      if (!opens_namespace(outer)) return false;
    }
    if (body == kNone || body == 0 || !t_.is(body - 1, ')')) return false;
    const std::size_t open = t_.match(body - 1);
    return open != kNone && open > 1 && t_.is_identifier(open - 1) && !t_.is(open - 2, "::");
  }

  /// `namespace a::b {`, `extern "C" {`.
  bool opens_namespace(std::size_t brace) const {
    std::size_t before = brace - 1;
    if (t_[before].kind == TokenKind::string) return t_.is(before - 1, "extern");
    while (before > 0 && (t_.is(before, "::") || (t_.is_identifier(before) && !t_.is(before, "namespace")))) --before;
    return t_.is(before, "namespace");
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
      if (is_behind_type(i) || is_binding(i)) return true;
    }
    return false;
  }

  bool is_behind_type(std::size_t i) const {
    const auto ends_type = [this](std::size_t at) {
      return (t_.is_identifier(at) && !is_keyword(t_, at)) || is_builtin_type(t_, at) || t_.is(at, '>');
    };
    const bool of_reference = t_.is(i - 1, '&') || t_.is(i - 1, "&&");
    return ends_type(i - 1) || t_.is(i - 1, '*') || (of_reference && (ends_type(i - 2) || t_.is(i - 2, "const")));
  }

  /// `auto [a, b] = ...`
  bool is_binding(std::size_t i) const {
    while (t_.is(i - 1, ',') && t_.is_identifier(i - 2)) i -= 2;
    return t_.is(i - 1, '[') && (t_.is(i - 2, "auto") || t_.is(i - 2, '&') || t_.is(i - 2, "&&"));
  }

  TranslationUnit& p_;
  const Tokens& t_;
  Visibility visibility_;
  std::map<std::string_view, Declarator> variables_;
  std::map<std::string_view, NamedFunctions> functions_;
  std::set<std::size_t> declared_;  // names of those functions where they are declared
  std::set<std::size_t> marked_;
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
