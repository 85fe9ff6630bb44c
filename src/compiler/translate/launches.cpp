// SPDX-License-Identifier: Apache-2.0
//
// Launches. A launch is one expression in any place an expression may stand; the callee is moved behind the
// configuration, with line markers where it stands on other lines than the closing `>>>`.
#include <optional>
#include <string>
#include <vector>

#include "translate/passes.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

struct LaunchExpression {
  std::size_t callee;     // the first token of what is launched
  std::size_t open;       // the first of <<<
  std::size_t close;      // the first of >>>
  std::size_t arguments;  // (
};

/// Whether a parenthesised expression at `open` is called or indexed rather than the condition of a statement.
bool follows_operand(const Tokens& tokens, std::size_t open) {
  if (open == 0) return false;
  const std::size_t before = open - 1;
  if (tokens.is_identifier(before)) return !is_keyword(tokens, before);
  if (tokens.is(before, ']')) return true;
  if (!tokens.is(before, ')')) return false;
  const std::size_t other = tokens.match(before);
  if (other == kNone || other == 0) return false;
  return !tokens.is(other - 1, "if") && !tokens.is(other - 1, "for") && !tokens.is(other - 1, "while") &&
         !tokens.is(other - 1, "switch") && !tokens.is(other - 1, "constexpr");
}

/// The first token of the primary expression that ends at `last`; kNone where it is none.
std::size_t primary_begin(const Tokens& tokens, std::size_t last) {
  std::size_t i = last;
  if (tokens.is(i, '>')) {
    i = angle_open(tokens, i);
    if (i == kNone || i == 0 || !tokens.is_identifier(i - 1)) return kNone;
    return i - 1;
  }
  while (tokens.is(i, ')') || tokens.is(i, ']')) {
    i = tokens.match(i);
    if (i == kNone) return kNone;
    if (!follows_operand(tokens, i) && !(i > 0 && tokens.is(i - 1, '>'))) return i;
    --i;
    if (tokens.is(i, '>')) return primary_begin(tokens, i);
  }
  return tokens.is_identifier(i) && (!is_keyword(tokens, i) || tokens.is(i, "operator")) ? i : kNone;
}

}  // namespace

std::size_t callee_begin(const Tokens& tokens, std::size_t open) {
  if (open == 0) return kNone;
  std::size_t begin = primary_begin(tokens, open - 1);
  while (begin != kNone && begin > 0 && tokens.is_identifier(begin)) {
    std::size_t before = begin - 1;
    if (tokens.is(before, "template") && before > 0) --before;
    const bool member = tokens.is(before, '.') || tokens.is(before, "->");
    if (!member && !tokens.is(before, "::")) break;
    const bool named = before > 0 &&
                       (tokens.is(before - 1, '>') || tokens.is(before - 1, ')') || tokens.is(before - 1, ']') ||
                        tokens.is_identifier(before - 1)) &&
                       !is_keyword(tokens, before - 1);
    if (!named) return member ? kNone : before;
    const std::size_t qualifier = primary_begin(tokens, before - 1);
    if (qualifier == kNone) return member ? kNone : before;
    begin = qualifier;
  }
  return begin;
}

namespace {

/// nvcc takes `>> >` as well, as it takes `<< <`: formatters of plain C++ write launches so.
bool is_closer(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, '>') && tokens.is(i + 1, '>') && tokens.is(i + 2, '>');
}

/// Whether as many lists of template arguments close before the closer at `i` as open: with `k<<<f<g<h>>>(1), 2>>>` the
/// first three `>` are none.
bool is_balanced(const Tokens& tokens, std::size_t begin, std::size_t i) {
  long depth = 0;
  for (std::size_t at = begin; at < i; at = after_group(tokens, at)) {
    if (tokens.is(at, '<') && at > begin && tokens.is_identifier(at - 1) && !tokens.is(at + 1, '<')) ++depth;
    if (tokens.is(at, '>')) --depth;
  }
  return depth <= 0;
}

std::size_t find_closer(const Tokens& tokens, std::size_t open) {
  std::size_t first = kNone;
  for (std::size_t i = open + 3; !tokens.ends(i) && !tokens.is(i, ';') && !tokens.is(i, ')') && !tokens.is(i, '}');) {
    if (tokens[i].keyword == Keyword::launch) break;
    if (is_closer(tokens, i) && !tokens.is(i + 3, '>')) {
      if (is_balanced(tokens, open + 3, i)) return i;
      if (first == kNone) first = i;
    }
    i = after_group(tokens, i);
  }
  return first;
}

std::optional<LaunchExpression> read_launch(TranslationUnit& program, std::size_t open) {
  const Tokens& tokens = program.tokens;
  const std::size_t close = find_closer(tokens, open);
  if (close == kNone) return program.error(open, "expected a \">>>\""), std::nullopt;
  const std::size_t count = split_commas(tokens, open + 3, close).size();
  if (count < 2) return program.error(open, "too few arguments in the configuration of a launch"), std::nullopt;
  if (count > 4) return program.error(open, "too many arguments in the configuration of a launch"), std::nullopt;
  if (!tokens.is(close + 3, '(') || tokens.match(close + 3) == kNone) {
    return program.error(close, "expected the arguments of the launch in parentheses"), std::nullopt;
  }
  const std::size_t callee = callee_begin(tokens, open);
  if (callee == kNone) return program.error(open, "expected the kernel to launch before \"<<<\""), std::nullopt;
  return LaunchExpression{callee, open, close, close + 3};
}

/// Returns the arguments.
TokenRange rewrite(TranslationUnit& program, const LaunchExpression& launch) {
  const Tokens& tokens = program.tokens;
  const std::size_t begin = program.begin_of(launch.callee);
  const std::size_t end = program.begin_of(launch.open);
  const std::size_t close_begin = program.begin_of(launch.close);
  const std::size_t close_end = program.end_of(launch.close + 2);
  const std::string_view source = tokens.source();
  const std::size_t callee_end = program.end_of(launch.open - 1);
  const std::string_view between = source.substr(callee_end, close_end - callee_end);
  // The callee and its arguments stay one call in messages, each in its columns.
  const bool is_near = between.size() < 200 && between.find('\n') == std::string_view::npos;
  const std::string gap = is_near ? std::string(between.size(), ' ') : continue_at(tokens, close_end);
  const std::string callee = continue_at(tokens, begin) + std::string(source.substr(begin, callee_end - begin)) + gap;
  // Messages about a configuration have the name that nvcc's have.
  const bool only_read = program.options.as_written;
  const char* configure = only_read ? "(::__cudaPushCallConfiguration" : "(::warpfiber::cuda::configure";
  program.edits.replace(begin, end, configure + line_breaks(tokens, begin, end));
  const std::size_t open_end = program.end_of(launch.open + 2);
  program.edits.replace(end, open_end, "(" + line_breaks(tokens, end, open_end) + continue_at(tokens, open_end));
  program.edits.replace(close_begin, close_end, line_breaks(tokens, close_begin, close_end) + "), " + callee);
  const std::size_t last = tokens.match(launch.arguments);
  program.edits.insert(program.end_of(last), ")");
  program.keep_columns(program.end_of(tokens.is(last + 1, ';') ? last + 1 : last));
  return {launch.arguments + 1, last};
}

}  // namespace

void rewrite_launches(TranslationUnit& program) {
  std::vector<TokenRange> arguments;
  for (const std::size_t i : program.tokens.keywords()) {
    if (program.tokens[i].keyword != Keyword::launch) continue;
    if (const std::optional<LaunchExpression> launch = read_launch(program, i)) {
      arguments.push_back(rewrite(program, *launch));
    }
  }
  mark_host_names(program, arguments);
}

}  // namespace warpfiber::translate
