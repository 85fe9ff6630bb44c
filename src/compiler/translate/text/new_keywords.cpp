// SPDX-License-Identifier: Apache-2.0
//
// Cuts the text at line markers into pieces of files, and notes for each file how it uses a word. A word that is
// nowhere a keyword gets another last letter in all of its file.
#include "translate/text/new_keywords.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "translate/text/tokens.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::string_view kNewKeywords[] = {"requires", "concept",   "consteval", "constinit",
                                             "co_await", "co_return", "co_yield"};

/// Whether an operand, a type or a statement can begin at token `i`, as it does behind a keyword and not behind a name.
bool begins_operand(const Tokens& tokens, std::size_t i) {
  const TokenKind kind = tokens[i].kind;
  return kind == TokenKind::identifier || kind == TokenKind::number || kind == TokenKind::string ||
         kind == TokenKind::character || tokens.is(i, "::") || tokens.is(i, '!');
}

/// `template <class T> requires (N > 1)`, `f() requires (N > 1)`, `requires (T t) { ... }`, `requires { ... }`.
bool is_constraint(const Tokens& tokens, std::size_t i) {
  if (tokens.is(i + 1, '{')) return true;
  if (!tokens.is(i + 1, '(')) return false;
  return tokens.is(i - 1, '>') || tokens.is(i - 1, ')') || tokens.is(after_group(tokens, i + 1), '{');
}

/// Whether the word at token `i` can only be the keyword.
bool is_keyword_use(const Tokens& tokens, std::size_t i) {
  if (i > 0) {
    for (const std::string_view before : {".", "->", "::", "class", "typename", "struct", "enum"}) {
      if (tokens.is(i - 1, before)) return false;
    }
  }
  if (tokens.is(i, "requires") && is_constraint(tokens, i)) return true;
  if (tokens.is(i, "concept")) return tokens.is_identifier(i + 1) && tokens.is(i + 2, '=');
  return begins_operand(tokens, i + 1) || (tokens.is(i, "co_return") && tokens.is(i + 1, ';'));
}

/// A piece of one file between two line markers.
struct Piece {
  std::string_view file;
  bool is_system = false;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Reads on from the line marker, or the first line, at `begin`.
Piece read_piece(std::string_view text, std::size_t begin) {
  Piece piece;
  const std::size_t line_end = std::min(text.find('\n', begin), text.size());
  const std::string_view line = text.substr(begin, line_end - begin);
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (line.starts_with("# ") && open != close) {
    piece.file = line.substr(open, close - open);
    piece.is_system = line.find(" 3", close) != std::string_view::npos;
    begin = line_end;
  }
  piece.begin = begin;
  piece.end = std::min(text.find("\n# ", begin), text.size());
  return piece;
}

using WordOfFile = std::pair<std::string_view, std::string_view>;  // file, word

struct Uses {
  std::vector<std::size_t> places;
  bool is_keyword = false;
};

void add_uses(std::string_view text, const Piece& piece, std::map<WordOfFile, Uses>& to) {
  const std::string_view part = text.substr(piece.begin, piece.end - piece.begin);
  const auto occurs = [part](std::string_view word) { return part.find(word) != std::string_view::npos; };
  if (std::ranges::none_of(kNewKeywords, occurs)) return;
  const Tokens tokens(part);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto* const word = std::ranges::find(kNewKeywords, tokens.text(i));
    if (!tokens.is_identifier(i) || word == std::end(kNewKeywords)) continue;
    Uses& uses = to[{piece.file, *word}];
    uses.places.push_back(piece.begin + tokens[i].begin);
    uses.is_keyword = uses.is_keyword || is_keyword_use(tokens, i);
  }
}

}  // namespace

NewKeywords::NewKeywords(std::string_view text) : text_(text) {
  std::map<WordOfFile, Uses> words;
  for (std::size_t at = 0; at < text.size();) {
    const Piece piece = read_piece(text, at);
    if (!piece.is_system) add_uses(text, piece, words);
    at = piece.end + 1;
  }
  for (const auto& [word, uses] : words) {
    if (uses.is_keyword) continue;
    if (renamed_.empty()) renamed_ = text;
    for (const std::size_t place : uses.places) renamed_[place + word.second.size() - 1] = '_';
  }
}

}  // namespace warpfiber::translate
