// SPDX-License-Identifier: Apache-2.0
//
// Collects names: the built-in indices first, then whatever a statement assigns from a name of the set, until nothing
// is added.
#include "report/fixes/source/uniform.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

namespace warpfiber::report {
namespace {

using VariableNames = std::set<std::string, std::less<>>;
using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool is_name(const std::string& word) {
  return std::isalpha(static_cast<unsigned char>(word.front())) != 0 || word.front() == '_';
}

/// The variable in front of the sign of an assignment at `sign`: the "a" of "a [ i ] =" and "a + =".
const std::string* assigned(const Words& words, std::size_t sign) {
  std::size_t at = sign;
  while (at > 0 && std::string_view("+-*/%&|^").find(words[at - 1]) != std::string_view::npos) --at;
  unsigned open = 0;
  while (at-- > 0) {
    if (words[at] == "]") ++open;
    if (open == 0) return is_name(words[at]) ? &words[at] : nullptr;
    if (words[at] == "[") --open;
  }
  return nullptr;
}

bool is_comparison(const Words& words, std::size_t sign) {
  const bool after = sign + 1 < words.size() && words[sign + 1] == "=";
  const bool before = sign > 0 && std::string_view("=!<>").find(words[sign - 1]) != std::string_view::npos;
  return after || before;
}

/// Adds what `words` assign from a value that depends on one of `names`.
void follow_assignments(const std::string& text, VariableNames& names) {
  const Words words = words_of(text);
  for (std::size_t sign = 1; sign < words.size(); ++sign) {
    if (words[sign] != "=" || is_comparison(words, sign)) continue;
    const std::string* const variable = assigned(words, sign);
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(sign);
    const auto last = std::find(first, words.end(), ";");
    if (variable != nullptr && std::any_of(first, last, [&](const std::string& word) { return names.contains(word); }))
      names.insert(*variable);
  }
}

void follow(const Statement& statement, VariableNames& names) {
  follow_assignments(statement.words, names);
  for (const Statement& part : statement.parts) follow(part, names);
}

}  // namespace

bool has_word(std::string_view words, std::string_view word) {
  return std::ranges::any_of(words_of(words), [word](const std::string& one) { return one == word; });
}

VariableNames thread_dependent(const Statement& function, bool blocks) {
  VariableNames names{"threadIdx", "thread_rank", "thread_index"};
  if (blocks) names.insert({"blockIdx", "block_rank"});
  std::size_t known = 0;
  // A loop may use what it assigns further down.
  while (known != names.size()) {
    known = names.size();
    follow(function, names);
  }
  return names;
}

bool depends_on(std::string_view words, const VariableNames& variables) {
  return std::ranges::any_of(words_of(words), [&](const std::string& word) { return variables.contains(word); });
}

}  // namespace warpfiber::report
