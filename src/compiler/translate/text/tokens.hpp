// SPDX-License-Identifier: Apache-2.0
//
// Preprocessed C++ as tokens with positions, and which bracket closes which. A token is 12 bytes and owns nothing.
// Invariants: tokens are in the order of the text and do not overlap; `<` and `>` are always tokens of one character,
// so that `>>` closes two template argument lists and `<<<` is three tokens; comments and lines that start with #
// are no tokens. Any bytes are accepted: what is not C++ becomes punctuators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpfiber::translate {

/// No token.
inline constexpr std::size_t kNone = ~std::size_t{0};

enum class TokenKind : std::uint8_t { identifier, number, string, character, punctuator, end };

/// The qualifiers of CUDA, and the other words that the translator looks for.
enum class Keyword : std::uint8_t {
  none,
  global,
  device,
  host,
  shared,
  constant,
  managed,
  grid_constant,
  launch_bounds,  // this one and the next three have arguments
  cluster_dims,
  maxnreg,
  block_size,
  noinline,   // __noinline__, ours outside of __attribute__
  print,      // printf: the device's in functions of the device
  copy,       // __builtin_memcpy and the like: functions with hooks in checked functions of the device
  heap,       // malloc, free, new, delete: the device's in functions of the device
  assembler,  // asm, __asm, __asm__: ours in functions of the device
  launch,     // the first of <<<
};

/// How qualifiers begin that headers have made tokens of.
inline constexpr std::string_view kOurs = "__warpfiber_";

/// What headers put into CUDA's qualifiers behind the underscores, so that they are words of the translator.
inline constexpr std::string_view kOurPart = "warpfiber_";

/// Whether the word is a qualifier that headers made a token of, so that it must not survive.
constexpr bool is_qualifier(Keyword keyword) {
  return keyword >= Keyword::global && keyword <= Keyword::block_size;
}
constexpr bool has_arguments(Keyword keyword) {
  return keyword >= Keyword::launch_bounds && keyword <= Keyword::block_size;
}

struct Token {
  std::uint32_t begin;
  std::uint32_t end;
  TokenKind kind;
  Keyword keyword = Keyword::none;
};

/// What a line marker says of its file: flags 1 and 2.
enum class IncludeStep : std::uint8_t { none, enters, returns };

/// A line marker, `# 12 "a.cu" 1`: the line after it is line 12 of a.cu.
struct LineMarker {
  std::uint32_t next_line;  // offset of the line after the marker
  std::uint32_t line;
  std::string_view file;  // between the quotes, escapes as they are
  bool system = false;    // flag 3: no warnings here
  IncludeStep step = IncludeStep::none;
};

class Tokens {
 public:
  /// `text` outlives the tokens and is shorter than 4 GiB.
  explicit Tokens(std::string_view text);

  std::size_t size() const { return tokens_.size() - 1; }
  std::string_view source() const { return text_; }

  /// Token `i`; past the last one, and for kNone, a token of kind `end` without text.
  const Token& operator[](std::size_t i) const { return tokens_[i < size() ? i : size()]; }
  std::string_view text(std::size_t i) const {
    const Token& token = (*this)[i];
    return text_.substr(token.begin, token.end - token.begin);
  }
  /// Passes ask this of all tokens: in their code the size of a literal is a number, and few spellings are compared.
  [[gnu::always_inline]] bool is(std::size_t i, std::string_view spelling) const {
    const Token& token = (*this)[i];
    return token.end - token.begin == spelling.size() &&
           std::char_traits<char>::compare(text_.data() + token.begin, spelling.data(), spelling.size()) == 0;
  }
  bool is(std::size_t i, char mark) const {
    const Token& token = (*this)[i];
    return token.kind == TokenKind::punctuator && token.end == token.begin + 1 && text_[token.begin] == mark;
  }
  bool is_identifier(std::size_t i) const { return (*this)[i].kind == TokenKind::identifier; }
  bool ends(std::size_t i) const { return (*this)[i].kind == TokenKind::end; }
  /// Whether token i+1 starts where token i ends.
  bool touches_next(std::size_t i) const { return (*this)[i].end == (*this)[i + 1].begin && i + 1 < size(); }

  /// The bracket that belongs to the bracket `i` of ()[]{}; kNone where there is none.
  std::size_t match(std::size_t i) const { return i < match_.size() ? found(match_[i]) : kNone; }

  /// The bracket of ([{ that opens the innermost group in which token `i` stands; kNone outside of all.
  std::size_t opener(std::size_t i) const { return i < openers_.size() ? found(openers_[i]) : kNone; }

  /// The tokens with a Word, in order.
  const std::vector<std::uint32_t>& keywords() const { return keywords_; }
  /// Those that say of memory that it is read anew each time: volatile, __volatile__, __ldcg, __ldcv, __ldlu; in order.
  const std::vector<std::uint32_t>& rereads() const { return rereads_; }
  /// Whether some name is that of an atomic function or of `load`: quick to see, and no more than a guess.
  bool may_poll() const { return may_poll_; }
  /// The first token with a word at or after `i`, or kNone.
  std::size_t next_keyword(std::size_t i) const;
  const std::vector<LineMarker>& markers() const { return markers_; }
  /// Where the line breaks are, and where words of ours begin ("__warpfiber_"); in order.
  const std::vector<std::uint32_t>& line_breaks() const { return line_breaks_; }
  const std::vector<std::uint32_t>& our_names() const { return our_names_; }
  /// Where the # of pragmas is that have blanks before it, as macros leave them; in order.
  const std::vector<std::uint32_t>& indented_pragmas() const { return indented_pragmas_; }

 private:
  friend class Tokenizer;
  static constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};
  static std::size_t found(std::uint32_t place) { return place == kNoPlace ? kNone : place; }

  std::string_view text_;
  std::vector<Token> tokens_;           // the last one is the end
  std::vector<std::uint32_t> match_;    // kNoPlace: none
  std::vector<std::uint32_t> openers_;  // likewise
  std::vector<std::uint32_t> keywords_;
  std::vector<std::uint32_t> rereads_;
  bool may_poll_ = false;
  std::vector<LineMarker> markers_;
  std::vector<std::uint32_t> line_breaks_;
  std::vector<std::uint32_t> our_names_;
  std::vector<std::uint32_t> indented_pragmas_;
};

/// Whether the text has anything for the translator: a quick look, before any token is made.
bool has_words(std::string_view text);

/// Whether a line may be a pragma with blanks before it: a quick look, which takes a line of a raw string for one.
bool may_have_indented_pragma(std::string_view text);

}  // namespace warpfiber::translate
