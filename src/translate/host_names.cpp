// SPDX-License-Identifier: Apache-2.0
//
// Arguments of launches that name a variable or a function of the device. In host code such a name is that of the
// host's own copy, which no kernel can reach: the address becomes one that faults. What cudaGetSymbolAddress() and
// copies of pointers give is the device's.
#include <map>
#include <string_view>

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
  explicit HostNames(TranslationUnit& program) : p_(program), t_(program.tokens) {
    for (const VariableDeclaration& variable : p_.outline.variables) add(variable);
    for (const Function& function : p_.outline.functions) add(function);
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
    if (!of_variable && !(is_whole && is_function(t_.text(name)))) return;
    if (is_hidden(name)) return;
    p_.edits.insert(p_.begin_of(range.begin), "::warpfiber::cuda::host_name(");
    p_.edits.insert(p_.end_of(range.end - 1), ")");
  }

 private:
  void add(const VariableDeclaration& variable) {
    const Qualifiers& has = variable.qualifiers;
    const bool on_device = has.has(Keyword::device) || has.has(Keyword::constant);
    if (!on_device || has.has(Keyword::managed) || has.has(Keyword::shared) || !variable.templates.empty()) return;
    for (const Declarator& declarator : read_declarators(t_, {variable.specifiers, variable.end - 1})) {
      if (declarator.name != kNone) variables_.emplace(t_.text(declarator.name), declarator);
    }
  }

  void add(const Function& function) {
    const bool on_device = function.qualifiers.has(Keyword::device) && !function.qualifiers.has(Keyword::host);
    const bool is_plain = on_device && function.templates.empty() && !p_.outline.in_class(function);
    const auto [known, is_new] = is_device_function_.emplace(t_.text(function.name.end - 1), is_plain);
    known->second = known->second && is_plain;
  }

  /// A variable whose address the argument is: any that `&` stands before, or an array.
  bool is_variable(std::string_view name, bool takes_address) const {
    const auto found = variables_.find(name);
    if (found == variables_.end() || found->second.is_reference) return false;
    return takes_address || (found->second.is_array && !found->second.is_pointer);
  }

  /// A function of the device alone, the only one by its name.
  bool is_function(std::string_view name) const {
    const auto found = is_device_function_.find(name);
    return found != is_device_function_.end() && found->second;
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
      const bool behind_type = (t_.is_identifier(i - 1) && !is_keyword(t_, i - 1)) || is_builtin_type(t_, i - 1) ||
                               t_.is(i - 1, '*') || t_.is(i - 1, '>');
      if (behind_type) return true;
    }
    return false;
  }

  TranslationUnit& p_;
  const Tokens& t_;
  std::map<std::string_view, Declarator> variables_;
  std::map<std::string_view, bool> is_device_function_;
};

}  // namespace

std::function<void(TokenRange)> marks_of_host_names(TranslationUnit& program) {
  if (program.options.as_written) return [](TokenRange) {};
  return [&program, names = HostNames(program)](TokenRange arguments) mutable {
    for (const TokenRange& argument : split_commas(program.tokens, arguments.begin, arguments.end)) {
      names.mark(argument);
    }
  };
}

}  // namespace warpfiber::translate
