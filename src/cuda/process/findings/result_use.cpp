// SPDX-License-Identifier: Apache-2.0
// Reads the source around a line backwards from the call and forwards behind it. Comments and strings are blanked
// first; where the text is missing or unclear the answer is "unknown".
#include "process/findings/result_use.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "base/locks/annotated_mutex.hpp"
#include "engine/findings/findings.hpp"
#include "process/errors.hpp"
#include "process/host/asked.hpp"
#include "process/process_state.hpp"
#include "process/user_call.hpp"
#include "report/source_text.hpp"

namespace warpfiber::process {
namespace {

// A call may begin some lines before the one that debug information names, and end some lines after it.
constexpr unsigned kLinesBefore = 12;
constexpr unsigned kLinesAfter = 40;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// `text` with comments and what is between quotation marks as blanks, of the same length.
std::string code_of(std::string_view text) {
  std::string code(text);
  const auto blank = [&code](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i) code[i] = code[i] == '\n' ? '\n' : ' ';
  };
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string_view two = text.substr(i, 2);
    std::size_t end = i;
    if (two == "//") end = std::min(text.find('\n', i), text.size());
    if (two == "/*") end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
    if (code[i] == '"') {
      for (end = i + 1; end < text.size() && text[end] != '"'; ++end) end += text[end] == '\\' ? 1 : 0;
      ++end;
    }
    if (end == i) continue;
    blank(i, end);
    i = end - 1;
  }
  return code;
}

/// The index of the last `function` as a word of its own that begins before `end`; npos: there is none.
std::size_t last_call(std::string_view code, std::string_view function, std::size_t end) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t at = end == 0 ? kNone : code.rfind(function, end - 1);
  while (at != kNone) {
    const std::size_t after = at + function.size();
    const bool whole = (at == 0 || !is_word(code[at - 1])) && (after >= code.size() || !is_word(code[after]));
    if (whole) break;
    at = at == 0 ? kNone : code.rfind(function, at - 1);
  }
  return at;
}

/// The index behind the bracket that closes the one at `open`, or of the end.
std::size_t behind_bracket(std::string_view code, std::size_t open) {
  unsigned depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i + 1;
  }
  return code.size();
}

/// What follows the call: ';' or ',' where nothing is done with the result there; 0: the text ends.
char behind_call(std::string_view code, std::size_t after_name) {
  std::size_t open = code.find('(', after_name);
  if (open == std::string_view::npos) return 0;
  std::size_t i = behind_bracket(code, open);
  while (i < code.size() && is_blank(code[i])) ++i;
  return i < code.size() ? code[i] : '\0';
}

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Whether a statement can begin behind `before`, which has no blanks at its end.
bool ends_before_statement(std::string_view before) {
  if (before.ends_with("::")) return ends_before_statement(without_blanks_behind(before.substr(0, before.size() - 2)));
  if (before.empty()) return true;
  const char last = before.back();
  // Behind a bracket: the condition of an if or a loop, or the type of a conversion.
  if (last == ';' || last == '{' || last == '}' || last == ')') return true;
  if (last == ':') {  // of a label, or of a choice
    const std::string_view statement = before.substr(std::min(before.find_last_of(";{}") + 1, before.size()));
    return statement.find('?') == std::string_view::npos;
  }
  std::size_t start = before.size();
  while (start > 0 && is_word(before[start - 1])) --start;
  const std::string_view word = before.substr(start);
  return word == "else" || word == "do";
}

/// What a header's template is called that calls the function in question: the first word of CUDA's in the line.
std::string name_in(const std::string& code, std::size_t start, std::size_t end) {
  for (std::size_t at = code.find("cuda", start); at < end; at = code.find("cuda", at + 1)) {
    if (at != 0 && is_word(code[at - 1])) continue;
    std::size_t behind = at;
    while (behind < end && is_word(code[behind])) ++behind;
    if (behind < end && (code[behind] == '(' || code[behind] == '<')) return code.substr(at, behind - at);
  }
  return {};
}

}  // namespace

ResultUse result_use(std::string_view source, std::size_t at, std::string_view function) {
  const std::string code = code_of(source);
  const std::string_view view = code;
  const char behind = behind_call(view, at + function.size());
  if (behind == 0) return ResultUse::unknown;
  const std::string_view before = without_blanks_behind(view.substr(0, at));
  if (before.ends_with("static_cast<void>(") || before.ends_with("std::ignore =")) return ResultUse::discarded;
  const bool alone = behind == ';' && ends_before_statement(before);
  return alone ? ResultUse::discarded : ResultUse::used;
}

ResultUse result_use(std::string_view function, const record::Place& place, report::SourceText& sources) {
  std::string text;
  std::size_t end_of_line = 0;
  const unsigned first = place.line > kLinesBefore ? place.line - kLinesBefore : 1;
  for (unsigned line = first; line <= place.line + kLinesAfter; ++line) {
    const std::optional<std::string> one = sources.line(place.file, line);
    if (!one.has_value()) break;
    text += *one + "\n";
    if (line == place.line) end_of_line = text.size() - 1;
  }
  if (end_of_line == 0) return ResultUse::unknown;
  const std::string code = code_of(text);
  const std::size_t before_line = end_of_line == 0 ? std::string::npos : code.rfind('\n', end_of_line - 1);
  const std::size_t start_of_line = before_line == std::string::npos ? 0 : before_line + 1;
  ResultUse use = ResultUse::unknown;
  const std::string other = name_in(code, start_of_line, end_of_line);
  if (last_call(code, function, end_of_line) == std::string::npos && !other.empty()) function = other;
  // Of several calls in one line any may be meant.
  for (std::size_t at = last_call(code, function, end_of_line); at != std::string::npos;
       at = last_call(code, function, at)) {
    const bool reaches = behind_bracket(code, at) > start_of_line;
    if (!reaches || use == ResultUse::used) break;
    use = result_use(text, at, function);
  }
  return use;
}

// Compares how often the program had asked for errors when a kernel failed with how often it has asked at the end. A
// result that its statement discards counts as not asked.

struct IgnoredFailure {
  base::Mutex mutex;
  std::optional<TimesAsked> asked_before
      WARPFIBER_GUARDED_BY(mutex);  // the last failure; none: no kernel has failed, or the program has looked
  std::set<const void*> discarding
      WARPFIBER_GUARDED_BY(mutex);  // calls that are known to discard their result, by where they return to
};

namespace {

IgnoredFailure& failure() {
  return ProcessState::of_process().ignored_failure.get();
}

}  // namespace

void note_kernel_failure() {
  const base::Lock lock(failure().mutex);
  failure().asked_before = times_asked(Error::launch_failure);
}

void note_returned_error(const char* function, Error error) {
  if (!stays(error)) return;
  const void* const returns_to = user_call().returns_to;
  const base::Lock lock(failure().mutex);
  if (!failure().asked_before.has_value() || failure().discarding.contains(returns_to)) return;
  report::SourceFiles sources;
  const record::Place place = engine::place_of_call(returns_to);
  if (result_use(function, place, sources) == ResultUse::discarded) {
    failure().discarding.insert(returns_to);
  } else {
    failure().asked_before.reset();
  }
}

bool kernel_failure_is_ignored() {
  const base::Lock lock(failure().mutex);
  if (!failure().asked_before.has_value()) return false;
  const TimesAsked now = times_asked(Error::launch_failure);
  return failure().asked_before->errors == now.errors && failure().asked_before->all_names == now.all_names;
}

}  // namespace warpfiber::process
