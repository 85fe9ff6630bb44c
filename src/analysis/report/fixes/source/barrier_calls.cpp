// SPDX-License-Identifier: Apache-2.0
//
// Looks at each word in front of a parenthesis.
#include "report/fixes/source/barrier_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string_view>

#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using WordRow = std::vector<std::string>;

// Of pipelines, of copies and of the host: no calls on a barrier.
constexpr std::array<std::string_view, 6> kOthers{"consumer_wait", "wait_prior", "wait_group",
                                                  "wait_all",      "Event",      "__pipeline"};

WordRow words_of(const std::string& text) {
  std::istringstream in{text};
  WordRow words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool is_name(const std::string& word) {
  return std::isalpha(static_cast<unsigned char>(word.front())) != 0 || word.front() == '_';
}

bool is_barrier_function(const std::string& word) {
  if (word.find("wait") == std::string::npos && word.find("arrive") == std::string::npos) return false;
  return is_name(word) &&
         std::ranges::none_of(kOthers, [&](std::string_view other) { return word.find(other) != std::string::npos; });
}

/// Behind the group that opens at `at`.
std::size_t past_group(const WordRow& words, std::size_t at) {
  int open = 0;
  for (; at < words.size(); ++at) {
    open += words[at] == "(" || words[at] == "[" ? 1 : 0;
    open -= words[at] == ")" || words[at] == "]" ? 1 : 0;
    if (open == 0) return at + 1;
  }
  return at;
}

std::string joined(const WordRow& words, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < std::min(to, words.size()); ++i) text += words[i];
  return text;
}

/// The object in front of the point at `point`.
void read_object(const WordRow& words, std::size_t point, BarrierCall& call) {
  std::size_t at = point;
  int open = 0;
  while (at-- > 0) {
    open += words[at] == "]" ? 1 : 0;
    const bool is_inside = open != 0;
    open -= words[at] == "[" ? 1 : 0;
    if (is_inside) continue;
    if (!is_name(words[at])) return;
    call.barrier = words[at];
    call.object = joined(words, at, point);
    return;
  }
}

/// The first argument, behind the parenthesis at `open`.
void read_argument(const WordRow& words, std::size_t open, BarrierCall& call) {
  const std::size_t close = past_group(words, open);
  for (std::size_t at = open + 1; at + 1 < close && words[at] != ","; ++at) {
    const bool is_scope = at + 2 < close && words[at + 1] == ":";
    if (!is_name(words[at]) || is_scope || (at > 0 && words[at - 1] == ":")) continue;
    call.barrier = words[at];
    const std::size_t end = at + 1 < close && words[at + 1] == "[" ? past_group(words, at + 1) : at + 1;
    call.object = joined(words, at, end);
    return;
  }
}

void add_calls(const Statement& of, std::vector<BarrierCall>& calls) {
  const WordRow words = words_of(of.words);
  for (std::size_t at = 0; at + 1 < words.size(); ++at) {
    if (words[at + 1] != "(" || !is_barrier_function(words[at])) continue;
    BarrierCall call{.function = words[at], .line = of.first};
    call.is_method = at > 1 && (words[at - 1] == "." || (words[at - 1] == ">" && words[at - 2] == "-"));
    if (call.is_method) {
      read_object(words, words[at - 1] == "." ? at - 1 : at - 2, call);
    } else {
      read_argument(words, at + 1, call);
    }
    if (!call.barrier.empty()) calls.push_back(std::move(call));
  }
  for (const Statement& part : of.parts) add_calls(part, calls);
}

bool has_return(const Statement& of) {
  return has_word(of.words, "return") || has_word(of.words, "break") || std::ranges::any_of(of.parts, has_return);
}

/// Whether a thread that comes to line `one` may come to line `other` further down.
bool goes_on_to(const Statement& all, unsigned one, unsigned other) {
  const std::vector<const Statement*> around = statements_around(all, one, one);
  return std::ranges::none_of(around, [other](const Statement* of) {
    if (of->control != Statement::Control::branch) return false;
    const Statement& first = of->parts.front();
    const bool in_other_part = of->contains(other) && of->parts.size() > 1 && first.contains(other);
    const bool is_last = of->contains(other) && !first.contains(other);
    return in_other_part || is_last || (!of->contains(other) && has_return(first));
  });
}

}  // namespace

std::string BarrierCall::text() const {
  return is_method ? fmt::format("{}.{}()", object, function) : fmt::format("{}({})", function, object);
}

std::vector<BarrierCall> barrier_calls_in(const Statement& of) {
  std::vector<BarrierCall> calls;
  add_calls(of, calls);
  return calls;
}

std::optional<MadeFor> made_for(const Statement& of, const std::string& barrier) {
  const WordRow words = words_of(of.words);
  for (std::size_t at = 0; at + 1 < words.size(); ++at) {
    if (words[at + 1] != "(" || words[at].find("init") == std::string::npos) continue;
    BarrierCall call;
    read_argument(words, at + 1, call);
    if (call.barrier != barrier) continue;
    const std::size_t close = past_group(words, at + 1) - 1;
    std::size_t comma = at + 2;
    while (comma < close && words[comma] != ",")
      comma = words[comma] == "(" || words[comma] == "[" ? past_group(words, comma) : comma + 1;
    if (comma + 1 < close) return MadeFor{joined(words, comma + 1, close), of.first};
  }
  for (const Statement& part : of.parts) {
    if (auto found = made_for(part, barrier)) return found;
  }
  return std::nullopt;
}

unsigned drop_before(const Statement& all, const BarrierCall& wait) {
  unsigned line = 0;
  for (const BarrierCall& call : barrier_calls_in(all)) {
    const bool is_before = call.barrier == wait.barrier && call.drops() && call.line < wait.line;
    if (is_before && statements_around(all, call.line, wait.line).size() > 1 && goes_on_to(all, call.line, wait.line))
      line = call.line;
  }
  return line;
}

unsigned line_of_call(const Statement& of, std::string_view function) {
  unsigned line = of.words.find(fmt::format(" {} (", function)) != std::string::npos ? of.first : 0;
  for (const Statement& part : of.parts) line = std::max(line, line_of_call(part, function));
  return line;
}

}  // namespace warpfiber::report
