// SPDX-License-Identifier: Apache-2.0
//
// Reads one line of source without a parser: words, brackets and signs of assignment are enough to name a variable.
#include "report/fixes/source/source_words.hpp"

#include <algorithm>
#include <cctype>

namespace warpfiber::report {
namespace {

struct UpdateSpelling {
  std::string_view spelling;
  std::string_view function;
};

constexpr UpdateSpelling kOperations[] = {
    {"+=", "atomicAdd()"}, {"++", "atomicAdd()"}, {"-=", "atomicSub()"}, {"--", "atomicSub()"},
    {"|=", "atomicOr()"},  {"&=", "atomicAnd()"}, {"^=", "atomicXor()"},
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, end - at);
}

std::string_view first_word(std::string_view text) {
  const auto* const first = std::ranges::find_if(text, is_word);
  return word_at(text, static_cast<std::size_t>(first - text.begin()));
}

std::string_view last_word(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && !is_word(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

/// What a loop repeats, where that is in the line with its head; else the line.
std::string_view without_loop_head(std::string_view line) {
  const std::size_t head = line.find("for (");
  if (head == std::string_view::npos) return line;
  int depth = 0;
  for (std::size_t at = head + 4; at < line.size(); ++at) {
    depth += line[at] == '(' ? 1 : line[at] == ')' ? -1 : 0;
    if (depth != 0) continue;
    const std::string_view body = line.substr(at + 1);
    return body.find_first_not_of(" {") == std::string_view::npos ? line : body;
  }
  return line;
}

/// Where the sign of an assignment is, or of one with an operation.
std::size_t assignment_in(std::string_view line) {
  for (std::size_t at = line.find('='); at != std::string_view::npos; at = line.find('=', at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const bool compares = line.substr(at + 1).starts_with('=') || std::string_view("=!<>").find(before) < 4;
    if (!compares) return at;
    if (line.substr(at + 1).starts_with('=')) ++at;
  }
  return std::string_view::npos;
}

/// The variable that is assigned to: before the first bracket of "a[i]", behind the star of "*a".
std::string_view assigned(std::string_view target) {
  const std::size_t body = target.find_last_of("){;");
  if (body != std::string_view::npos && target.find_first_not_of(" ", body + 1) != std::string_view::npos)
    target.remove_prefix(body + 1);
  const std::size_t bracket = target.find('[');
  return last_word(target.substr(0, bracket));
}

/// "a" of what ends in front of `at`: "a", "a[i]", "atomic_ref<int>(a)".
std::string_view object_before(std::string_view line, std::size_t at) {
  const char last = at == 0 ? ' ' : line[at - 1];
  if (last == ')') return first_word(line.substr(std::min(line.rfind('(', at), at)));
  if (last == ']') return last_word(line.substr(0, line.rfind('[', at)));
  return last_word(line.substr(0, at));
}

}  // namespace

std::string atomic_function_for(std::string_view line) {
  for (const UpdateSpelling& one : kOperations) {
    const std::size_t at = line.find(one.spelling);
    // The step of a loop changes no shared value.
    if (at != std::string_view::npos && line.find("for (") == std::string_view::npos) return std::string(one.function);
  }
  return {};
}

std::string written_variable(std::string_view line) {
  line = without_loop_head(line);
  for (const std::string_view call : {"atomic", "atom_", "red_"}) {
    const std::size_t at = line.find(call);
    const std::size_t open = at == std::string_view::npos ? at : line.find('(', at);
    if (open != std::string_view::npos && call == "atomic" && line.substr(at).starts_with("atomic_ref")) continue;
    if (open != std::string_view::npos) return std::string(first_word(line.substr(open + 1)));
  }
  for (const std::string_view method : {".store(", ".exchange(", ".fetch_", ".compare_exchange", ".clear("}) {
    const std::size_t at = line.find(method);
    if (at != std::string_view::npos) return std::string(object_before(line, at));
  }
  const std::size_t sign = assignment_in(line);
  if (sign == std::string_view::npos) return {};
  return std::string(assigned(line.substr(0, sign)));
}

std::vector<std::string> read_arrays(std::string_view line) {
  line = without_loop_head(line);
  const std::size_t sign = assignment_in(line);
  const bool changes = sign != std::string_view::npos && sign > 0 &&
                       std::string_view("+-*/|&^%").find(line[sign - 1]) != std::string_view::npos;
  if (sign != std::string_view::npos && !changes) line.remove_prefix(sign + 1);
  std::vector<std::string> arrays;
  for (std::size_t at = line.find('['); at != std::string_view::npos; at = line.find('[', at + 1)) {
    if (at > 0 && is_word(line[at - 1])) arrays.emplace_back(last_word(line.substr(0, at)));
  }
  return arrays;
}

std::string updated_array(std::string_view line) {
  std::string written = written_variable(line);
  const std::vector<std::string> read = read_arrays(line);
  return std::ranges::find(read, written) == read.end() ? std::string() : written;
}

std::string_view variable_of(std::string_view object) {
  return object.substr(0, object.find('['));
}

}  // namespace warpfiber::report
