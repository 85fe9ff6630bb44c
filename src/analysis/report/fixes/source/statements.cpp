// SPDX-License-Identifier: Apache-2.0
// A recursive-descent reader of statements. Of expressions it sees only brackets.
#include "report/fixes/source/statements.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace warpfiber::report {
namespace {

constexpr unsigned kMostLines = 100'000;
constexpr unsigned kDeepest = 100;  // nested statements; what is deeper is one statement

/// A word, or one character.
struct StatementToken {
  std::string text;
  unsigned line = 0;
};

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Lexer {
 public:
  std::vector<StatementToken> tokens;

  void add(std::string_view line, unsigned number) {
    const bool directive = directive_ || is_directive(line);
    directive_ = directive && line.ends_with('\\');
    if (directive) return;
    for (std::size_t at = 0; at < line.size();) at = next(line, at, number);
  }

 private:
  bool is_directive(std::string_view line) const {
    const std::size_t first = line.find_first_not_of(" \t");
    return !comment_ && first != std::string_view::npos && line[first] == '#';
  }

  /// Reads what begins at `at`; returns where it ends.
  std::size_t next(std::string_view line, std::size_t at, unsigned number) {
    if (comment_) {
      const std::size_t end = line.find("*/", at);
      comment_ = end == std::string_view::npos;
      return comment_ ? line.size() : end + 2;
    }
    if (line.substr(at, 2) == "//") return line.size();
    if (line.substr(at, 2) == "/*") {
      comment_ = true;
      return at + 2;
    }
    if (line[at] == '"' || (line[at] == '\'' && (at == 0 || !is_part_of_word(line[at - 1]))))
      return end_of_literal(line, at);
    std::size_t end = at + 1;
    if (is_part_of_word(line[at])) {
      while (end < line.size() && is_part_of_word(line[end])) ++end;
    }
    if (std::isspace(static_cast<unsigned char>(line[at])) == 0)
      tokens.push_back({std::string(line.substr(at, end - at)), number});
    return end;
  }

  static std::size_t end_of_literal(std::string_view line, std::size_t at) {
    const char quotation = line[at];
    for (std::size_t i = at + 1; i < line.size(); ++i) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == quotation) {
        return i + 1;
      }
    }
    return line.size();
  }

  bool comment_ = false;
  bool directive_ = false;
};

class Parser {
 public:
  explicit Parser(std::vector<StatementToken> tokens) : tokens_(std::move(tokens)) {}

  Statement all() {
    Statement made{.control = Statement::Control::block, .first = 1, .last = kMostLines};
    while (!at_end()) {
      if (is("}")) {
        take();
      } else {
        made.parts.push_back(statement());
      }
    }
    return made;
  }

 private:
  bool at_end() const { return at_ == tokens_.size(); }
  bool is(std::string_view text) const { return !at_end() && tokens_[at_].text == text; }
  bool is_one_of(std::initializer_list<std::string_view> texts) const {
    return std::ranges::any_of(texts, [this](std::string_view text) { return is(text); });
  }
  unsigned line() const { return at_end() ? tokens_.back().line : tokens_[at_].line; }
  void take() {
    if (!at_end()) ++at_;
  }

  Statement statement() {
    Statement made{.first = line(), .last = line()};
    ++depth_;
    if (is("{")) {
      read_block(made);
    } else if (is_one_of({"for", "while", "switch"})) {
      made.control = is("switch") ? Statement::Control::branch : Statement::Control::loop;
      read_controlled(made);
    } else if (is("do")) {
      read_do(made);
    } else if (is("if")) {
      read_if(made);
    } else {
      read_simple(made);
    }
    --depth_;
    made.last = at_ == 0 ? made.first : tokens_[at_ - 1].line;
    return made;
  }

  void read_block(Statement& made) {
    made.control = Statement::Control::block;
    take();
    while (!at_end() && !is("}")) {
      if (depth_ < kDeepest) {
        made.parts.push_back(statement());
      } else {
        skip(is("{") ? "{" : "", "}");
      }
    }
    take();
  }

  void read_controlled(Statement& made) {
    take();
    made.words = skip("(", ")");
    made.parts.push_back(statement());
  }

  void read_do(Statement& made) {
    made.control = Statement::Control::loop;
    take();
    made.parts.push_back(statement());
    if (is("while")) take();
    made.words = skip("(", ")");
    if (is(";")) take();
  }

  void read_if(Statement& made) {
    made.control = Statement::Control::branch;
    take();
    if (is("constexpr")) take();
    made.words = skip("(", ")");
    made.parts.push_back(statement());
    if (!is("else")) return;
    take();
    made.parts.push_back(statement());
  }

  /// Up to the semicolon, or behind the body of a function.
  void read_simple(Statement& made) {
    made.is_empty = is(";");
    unsigned open = 0;
    while (!at_end() && !(open == 0 && is("}"))) {
      if (is("{") && depth_ < kDeepest) {
        made.parts.push_back(statement());
        if (open == 0 && !is_one_of({";", ",", ".", "(", ")", "-", "["})) return;
        continue;
      }
      const bool end = open == 0 && is(";");
      open += is("(") ? 1 : 0;
      open -= is(")") && open != 0 ? 1 : 0;
      add_word(made.words);
      take();
      if (end) return;
    }
  }

  /// Behind what closes the bracket that opens here, if one does; else one token. Returns what it skips.
  std::string skip(std::string_view opening, std::string_view closing) {
    std::string words;
    if (!is(opening)) {
      if (opening.empty()) take();
      return words;
    }
    unsigned open = 0;
    do {
      open += is(opening) ? 1 : 0;
      open -= is(closing) ? 1 : 0;
      add_word(words);
      take();
    } while (open != 0 && !at_end());
    return words;
  }

  void add_word(std::string& words) const {
    if (!words.empty()) words += ' ';
    words += tokens_[at_].text;
  }

  std::vector<StatementToken> tokens_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

Statement statements_of(SourceText& sources, const std::string& file) {
  Lexer lexer;
  for (unsigned number = 1; number < kMostLines; ++number) {
    const auto line = sources.line(file, number);
    if (!line.has_value()) break;
    lexer.add(*line, number);
  }
  return Parser(std::move(lexer.tokens)).all();
}

std::vector<const Statement*> statements_around(const Statement& all, unsigned one, unsigned other) {
  std::vector<const Statement*> around;
  const Statement* at = &all;
  while (at != nullptr) {
    around.push_back(at);
    const auto inner = std::ranges::find_if(
        at->parts, [&](const Statement& part) { return part.contains(one) && part.contains(other); });
    at = inner == at->parts.end() ? nullptr : &*inner;
  }
  return around;
}

// Collects names: the built-in indices first, then whatever a statement assigns from a name of the set, until nothing
// is added.

namespace {

using VariableNames = std::set<std::string, std::less<>>;
using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool is_variable_name(const std::string& word) {
  return std::isalpha(static_cast<unsigned char>(word.front())) != 0 || word.front() == '_';
}

/// The variable in front of the sign of an assignment at `sign`: the "a" of "a [ i ] =" and "a + =".
const std::string* assigned(const Words& words, std::size_t sign) {
  std::size_t at = sign;
  while (at > 0 && std::string_view("+-*/%&|^").find(words[at - 1]) != std::string_view::npos) --at;
  unsigned open = 0;
  while (at-- > 0) {
    if (words[at] == "]") ++open;
    if (open == 0) return is_variable_name(words[at]) ? &words[at] : nullptr;
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
