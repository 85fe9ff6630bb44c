// SPDX-License-Identifier: Apache-2.0
// Which kernels are straight-line code: no loop, no recursion, nothing that waits for another thread. Every thread of
// such a kernel ends after a bounded number of instructions, so the engine may run a row of them in a loop that
// compilers vectorise, without keeping an index by which to preempt one (run_straight_line_row in
// <warpfiber/detail/lanes/fiber_rows.hpp>). Read from words alone: a body with a word that is not known here is not
// straight-line code. What words cannot say, whether `a + b` calls an operator that the program has defined, the
// compiler decides from the types (kBuiltInOperators in <warpfiber/translated/kernels.hpp>). Each token of a body is
// looked at once. A function of the device that the body calls is looked at in the same way, and so is every other one
// of its name, as names alone do not show which of them is meant.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translate/passes.hpp"
#include "translate/rules/library.hpp"
#include "translate/text/parameters.hpp"
#include "translate/text/statements.hpp"

namespace warpfiber::translate {
namespace {

// The functions of CUDA and of the C library that compute a number from numbers, and wait for no thread. Pure.

constexpr std::string_view kIntrinsics[] = {"__brev",
                                            "__brevll",
                                            "__byte_perm",
                                            "__clz",
                                            "__clzll",
                                            "__cosf",
                                            "__double2float_rn",
                                            "__double2int_rn",
                                            "__double_as_longlong",
                                            "__exp10f",
                                            "__expf",
                                            "__fadd_rn",
                                            "__fdividef",
                                            "__ffs",
                                            "__ffsll",
                                            "__float2int_rd",
                                            "__float2int_rn",
                                            "__float2int_ru",
                                            "__float2int_rz",
                                            "__float2uint_rn",
                                            "__float2uint_rz",
                                            "__float_as_int",
                                            "__float_as_uint",
                                            "__fmaf_rn",
                                            "__fmul_rn",
                                            "__frcp_rn",
                                            "__frsqrt_rn",
                                            "__fsqrt_rn",
                                            "__fsub_rn",
                                            "__hadd",
                                            "__int2float_rn",
                                            "__int_as_float",
                                            "__ldg",
                                            "__log10f",
                                            "__log2f",
                                            "__logf",
                                            "__longlong_as_double",
                                            "__mul24",
                                            "__mul64hi",
                                            "__mulhi",
                                            "__popc",
                                            "__popcll",
                                            "__powf",
                                            "__rhadd",
                                            "__sad",
                                            "__saturatef",
                                            "__sinf",
                                            "__tanf",
                                            "__uint2float_rn",
                                            "__uint_as_float",
                                            "__umul24",
                                            "__umul64hi",
                                            "__umulhi",
                                            "__usad"};

/// Whether `name`, called with numbers, computes one: sqrtf, min, __fmaf_rn, __popc; __ldg of an address, too.
bool computes_number(std::string_view name) {
  return is_mathematical_function(name) || std::binary_search(std::begin(kIntrinsics), std::end(kIntrinsics), name);
}

template <std::size_t kCount>
bool is_one_of(const std::string_view (&words)[kCount], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Of the statements and operators of the language those that neither repeat code, nor call a function that is not
// named.
constexpr std::string_view kStatements[] = {"break", "case",   "const_cast",  "default", "else",   "false",
                                            "if",    "return", "static_cast", "sizeof",  "switch", "true"};
constexpr std::string_view kTypeNames[] = {"size_t", "ptrdiff_t", "int8_t",   "int16_t",  "int32_t", "int64_t",
                                           "uint",   "uint8_t",   "uint16_t", "uint32_t", "uint64_t"};
constexpr std::string_view kQualifiers[] = {"const", "constexpr", "__restrict", "__restrict__"};
constexpr std::string_view kSpecifiers[] = {"static", "inline", "__inline__", "__inline"};
constexpr std::string_view kBuiltInVariables[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
constexpr std::string_view kComponents[] = {"x", "y", "z"};

class StraightLine {
 public:
  explicit StraightLine(const TranslationUnit& program);

  /// Whether the body of `kernel` is straight-line code for numbers and pointers to numbers.
  bool holds(const Function& kernel);

  /// The types by which the template `kernel` is instantiated, which have to be numbers too.
  std::vector<std::string> types_of(const Function& kernel) const;

 private:
  using Names = std::set<std::string_view>;
  enum class Answer { unknown, yes, no };

  bool add_template_parameters(const Function& function, Names& names) const;
  bool add_parameters(const Function& function, Names& names) const;
  void add_variables(TokenRange body, Names& names) const;
  bool has_known_words(TokenRange body, const Names& names);
  bool is_known(std::size_t i, const Names& names);
  bool is_known_call(std::size_t i);
  bool is_device_function(const Function& function);
  bool has_type_words(TokenRange range) const;
  bool is_type_word(std::size_t i) const;

  const Tokens& t_;
  const Outline& outline_;
  std::map<std::string_view, std::vector<const Function*>> functions_;  // of the device, by their simple names
  std::map<const Function*, Answer> answers_;                           // unknown: being looked at
};

StraightLine::StraightLine(const TranslationUnit& program) : t_(program.tokens), outline_(program.outline) {
  for (const Function& function : outline_.functions) {
    if (function.qualifiers.on_device()) functions_[t_.text(function.name.end - 1)].push_back(&function);
  }
}

bool StraightLine::holds(const Function& kernel) {
  Names names;
  if (!add_template_parameters(kernel, names)) return false;
  for (const Parameter& parameter : read_parameters(t_, {kernel.open + 1, kernel.close})) {
    if (parameter.is_pack || parameter.is_auto) return false;
    if (parameter.name != kNone) names.insert(t_.text(parameter.name));
  }
  return has_known_words(kernel.body, names);
}

std::vector<std::string> StraightLine::types_of(const Function& kernel) const {
  std::vector<std::string> types;
  if (kernel.templates.empty()) return types;
  for (const Parameter& parameter : read_template_parameters(t_, kernel.templates.back())) {
    const std::size_t first = parameter.declaration.begin;
    if (t_.is(first, "class") || t_.is(first, "typename")) types.emplace_back(t_.text(parameter.name));
  }
  return types;
}

bool StraightLine::add_template_parameters(const Function& function, Names& names) const {
  if (function.templates.size() > 1) return false;
  if (function.templates.empty()) return true;
  for (const Parameter& parameter : read_template_parameters(t_, function.templates.back())) {
    if (parameter.is_pack || parameter.name == kNone) return false;
    const std::size_t first = parameter.declaration.begin;
    const bool is_type = (t_.is(first, "class") || t_.is(first, "typename")) && first + 1 == parameter.name;
    if (!is_type && !has_type_words({first, parameter.name})) return false;
    names.insert(t_.text(parameter.name));
  }
  return true;
}

/// Of a function of the device, whose parameters have to be numbers, or pointers or references to them.
bool StraightLine::add_parameters(const Function& function, Names& names) const {
  for (const Parameter& parameter : read_parameters(t_, {function.open + 1, function.close})) {
    if (parameter.is_pack || parameter.name == kNone) return false;
    if (!has_type_words({parameter.declaration.begin, parameter.name})) return false;
    names.insert(t_.text(parameter.name));
  }
  return true;
}

/// Those that statements declare which begin with the word of a type.
void StraightLine::add_variables(TokenRange body, Names& names) const {
  for (std::size_t i = body.begin + 1; i + 1 < body.end; ++i) {
    const bool begins = t_.is(i - 1, ';') || t_.is(i - 1, '{') || t_.is(i - 1, '}');
    if (!begins || (!is_type_word(i) && !names.contains(t_.text(i)))) continue;
    if (names.contains(t_.text(i)) && !t_.is_identifier(i + 1)) continue;  // an expression
    const std::size_t end = find_mark(t_, i, body.end, ';');
    for (const Declarator& declarator : read_declarators(t_, {i, end})) {
      if (declarator.name != kNone) names.insert(t_.text(declarator.name));
    }
  }
}

bool StraightLine::has_known_words(TokenRange body, const Names& parameters) {
  Names names = parameters;
  add_variables(body, names);
  for (std::size_t i = body.begin; i < body.end; ++i) {
    if (!is_known(i, names)) return false;
  }
  return true;
}

bool StraightLine::is_known(std::size_t i, const Names& names) {
  const Token& token = t_[i];
  if (token.keyword != Keyword::none) return false;
  if (token.kind == TokenKind::number || token.kind == TokenKind::character) return true;
  if (token.kind == TokenKind::punctuator) {
    if (t_.is(i, "->") || t_.is(i, "::") || t_.is(i, "...")) return false;
    if (!t_.is(i, '[')) return true;
    const bool is_subscript = (t_.is_identifier(i - 1) && !is_keyword(t_, i - 1) && !is_type_word(i - 1)) ||
                              t_.is(i - 1, ')') || t_.is(i - 1, ']');
    return is_subscript;  // or a lambda, an attribute, a structured binding
  }
  if (token.kind != TokenKind::identifier) return false;
  const std::string_view word = t_.text(i);
  if (t_.is(i - 1, '.')) return is_one_of(kBuiltInVariables, t_.text(i - 2)) && is_one_of(kComponents, word);
  if (is_one_of(kBuiltInVariables, word)) return t_.is(i + 1, '.') && !names.contains(word);
  if (names.contains(word) || word == "warpSize" || is_type_word(i) || is_one_of(kStatements, word)) return true;
  return t_.is(i + 1, '(') && is_known_call(i);
}

bool StraightLine::is_known_call(std::size_t i) {
  const auto found = functions_.find(t_.text(i));
  if (found == functions_.end()) return computes_number(t_.text(i));
  bool has_body = false;
  for (const Function* function : found->second) {
    if (function->body.empty()) continue;
    has_body = true;
    if (!is_device_function(*function)) return false;
  }
  return has_body;
}

/// Of one that calls itself, by whatever way, the answer is not known when it is asked for.
bool StraightLine::is_device_function(const Function& function) {
  const auto [place, is_new] = answers_.emplace(&function, Answer::unknown);
  if (!is_new) return place->second == Answer::yes;
  Names names;
  const bool numbers = function.templates.empty() && !outline_.in_class(function) && !function.is_friend &&
                       !function.qualifiers.has(Keyword::global) &&
                       has_type_words({function.specifiers, function.name.begin}) && add_parameters(function, names);
  const bool holds = numbers && has_known_words(function.body, names);
  answers_[&function] = holds ? Answer::yes : Answer::no;
  return holds;
}

/// Whether [begin, end) names a built-in type, or pointers or references to one.
bool StraightLine::has_type_words(TokenRange range) const {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (const std::size_t behind = skip_attributes(t_, i); behind != i) {
      i = behind - 1;
      continue;
    }
    const Keyword keyword = t_[i].keyword;
    const bool is_qualifier = keyword == Keyword::device || keyword == Keyword::host || keyword == Keyword::noinline;
    const bool is_mark = t_.is(i, '*') || t_.is(i, '&');
    if (!is_qualifier && !is_mark && !is_type_word(i) && !is_one_of(kSpecifiers, t_.text(i))) return false;
  }
  return true;
}

bool StraightLine::is_type_word(std::size_t i) const {
  return is_builtin_type(t_, i) || is_one_of(kTypeNames, t_.text(i)) || is_one_of(kQualifiers, t_.text(i));
}

}  // namespace

std::map<const Function*, std::vector<std::string>> straight_line_kernels(const TranslationUnit& program) {
  StraightLine straight_line(program);
  std::map<const Function*, std::vector<std::string>> found;
  for (const Function& function : program.outline.functions) {
    const bool is_kernel = function.qualifiers.has(Keyword::global) && !function.body.empty();
    if (is_kernel && straight_line.holds(function)) found[&function] = straight_line.types_of(function);
  }
  return found;
}

// What a kernel does last, read from words alone. A call is a parenthesis behind a name, a template argument list or
// another group, where no word of the language stands.

namespace {

TokenRange last_statement(const Tokens& tokens, TokenRange body) {
  TokenRange last;
  for (std::size_t i = body.begin + 1; i + 1 < body.end;) {
    const std::size_t next = past_statement(tokens, i);
    if (next <= i) return {};
    last = {i, next};
    i = next;
  }
  return last;
}

bool is_call(const Tokens& tokens, std::size_t parenthesis) {
  const std::size_t before = parenthesis - 1;
  if (tokens.is(before, ')') || tokens.is(before, ']') || tokens.is(before, '>') || tokens.is(before, '}')) return true;
  if (!tokens.is_identifier(before) || is_keyword(tokens, before) || is_builtin_type(tokens, before)) return false;
  const std::string_view name = tokens.text(before);
  return !computes_number(name) && !name.starts_with("atomic");
}

}  // namespace

bool ends_without_call(const Tokens& tokens, TokenRange body) {
  const TokenRange last = last_statement(tokens, body);
  if (last.empty() || tokens.is(last.begin, ';') || tokens.is(last.begin, "return")) return false;
  for (std::size_t i = last.begin + 1; i < last.end; ++i) {
    if (tokens.is(i, '(') && is_call(tokens, i)) return false;
  }
  return true;
}

}  // namespace warpfiber::translate
