// SPDX-License-Identifier: Apache-2.0
//
// One pass over the text with a table of character classes. Brackets are matched while tokens are pushed; a few
// leading letters decide whether a word may be a keyword.
#include "translate/text/tokens.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace warpfiber::translate {
namespace {

enum CharClass : std::uint8_t { kPlain = 0, kSpace = 1, kLetter = 2, kDigit = 4 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    const bool digit = c >= '0' && c <= '9';
    classes[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(letter  ? kLetter
                                                                     : space ? kSpace
                                                                     : digit ? kDigit
                                                                             : kPlain);
  }
  return classes;
}

constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

constexpr bool is_class(char c, unsigned classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

constexpr std::pair<std::string_view, Keyword> kWords[] = {
    {"__warpfiber_global__", Keyword::global},
    {"__warpfiber_device__", Keyword::device},
    {"__warpfiber_host__", Keyword::host},
    {"__warpfiber_shared__", Keyword::shared},
    {"__warpfiber_constant__", Keyword::constant},
    {"__warpfiber_managed__", Keyword::managed},
    {"__warpfiber_grid_constant__", Keyword::grid_constant},
    {"__warpfiber_launch_bounds__", Keyword::launch_bounds},
    {"__warpfiber_cluster_dims__", Keyword::cluster_dims},
    {"__warpfiber_maxnreg__", Keyword::maxnreg},
    {"__warpfiber_block_size__", Keyword::block_size},
    {"__noinline__", Keyword::noinline},
    {"printf", Keyword::print},
    {"__builtin_memcpy", Keyword::copy},
    {"__builtin_memmove", Keyword::copy},
    {"__builtin_memset", Keyword::copy},
    {"malloc", Keyword::heap},
    {"free", Keyword::heap},
    {"new", Keyword::heap},
    {"delete", Keyword::heap},
    {"asm", Keyword::assembler},
    {"__asm", Keyword::assembler},
    {"__asm__", Keyword::assembler},
};

Keyword word_of(std::string_view identifier) {
  constexpr std::string_view kFirst = "mfnd_ap";
  if (kFirst.find(identifier[0]) == std::string_view::npos) return Keyword::none;
  const bool candidate = identifier == "malloc" || identifier == "free" || identifier == "new" ||
                         identifier == "delete" || identifier.substr(0, 3) == "__w" ||
                         identifier.substr(0, 4) == "__no" || identifier.substr(0, 4) == "__as" ||
                         identifier.substr(0, 13) == "__builtin_mem" || identifier == "asm" || identifier == "printf";
  if (!candidate) return Keyword::none;
  for (const auto& [spelling, word] : kWords) {
    if (spelling == identifier) return word;
  }
  return Keyword::none;
}

bool is_reread(std::string_view identifier) {
  if (identifier[0] != 'v' && identifier[0] != '_') return false;
  return identifier == "volatile" || identifier == "__volatile__" || identifier == "__ldcg" || identifier == "__ldcv" ||
         identifier == "__ldlu";
}

constexpr std::string_view kRawPrefixes[] = {"R", "LR", "uR", "UR", "u8R"};
constexpr std::string_view kPrefixes[] = {"L", "u", "U", "u8"};
constexpr std::string_view kMarks[] = {"<=>", "->*", "...", "<<=", ">>=", "::", "->", "<=", ">=", "==", "!=", "&&",
                                       "||",  "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "++", "--", "##"};

/// The characters that are marks by themselves, whatever follows.
constexpr bool stands_alone(char c) {
  return c == '(' || c == ')' || c == '{' || c == '}' || c == '[' || c == ']' || c == ';' || c == ',' || c == '~' ||
         c == '?';
}

/// Whether `<<` and `<` follow each other anywhere, with blanks between them or without.
bool has_launch(std::string_view text) {
  for (std::size_t at = text.find("<<"); at != std::string_view::npos; at = text.find("<<", at + 2)) {
    const std::size_t next = text.find_first_not_of(" \t\n", at + 2);
    if (next != std::string_view::npos && text[next] == '<') return true;
  }
  return false;
}

/// Whether what follows a # is a pragma.
bool names_pragma(std::string_view rest) {
  const std::size_t word = rest.find_first_not_of(" \t");
  return word != std::string_view::npos && rest.substr(word).starts_with("pragma");
}

bool contains(const auto& spellings, std::string_view text) {
  return std::find(std::begin(spellings), std::end(spellings), text) != std::end(spellings);
}

std::vector<std::uint32_t> places_of(std::string_view text, std::string_view what) {
  std::vector<std::uint32_t> places;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1))
    places.push_back(static_cast<std::uint32_t>(at));
  return places;
}

}  // namespace

class Tokenizer {
 public:
  explicit Tokenizer(Tokens& out) : out_(out), text_(out.text_) {}

  void run() {
    out_.tokens_.reserve(text_.size() / 4 + 16);
    while (skip_blank()) token();
    const auto size = static_cast<std::uint32_t>(text_.size());
    out_.tokens_.push_back({size, size, TokenKind::end});
  }

  void match() {
    out_.match_.assign(out_.size(), Tokens::kNoPlace);
    out_.openers_.assign(out_.size(), Tokens::kNoPlace);
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (!open_.empty()) out_.openers_[i] = static_cast<std::uint32_t>(open_.back());
      const Token& token = out_.tokens_[i];
      if (token.kind != TokenKind::punctuator || token.end != token.begin + 1) continue;
      switch (text_[token.begin]) {
        case '(':
        case '[':
        case '{': open(text_[token.begin], i); break;
        case ')': close('(', i); break;
        case ']': close('[', i); break;
        case '}': close('{', i); break;
        default: break;
      }
    }
  }

 private:
  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  /// A closing brace closes what is open inside of it; other brackets do not close braces.
  void close(char opener, std::size_t closer) {
    std::vector<std::size_t>& same = levels_of(opener);
    if (same.empty()) return;
    const std::size_t level = same.back();
    if (opener != '{' && !braces_.empty() && braces_.back() > level) return;
    out_.match_[open_[level]] = static_cast<std::uint32_t>(closer);
    out_.match_[closer] = static_cast<std::uint32_t>(open_[level]);
    open_.resize(level);
    for (std::vector<std::size_t>* levels : {&parentheses_, &brackets_, &braces_}) {
      while (!levels->empty() && levels->back() >= level) levels->pop_back();
    }
  }

  /// Where in open_ the brackets of one kind are.
  std::vector<std::size_t>& levels_of(char opener) {
    return opener == '(' ? parentheses_ : opener == '[' ? brackets_ : braces_;
  }

  void open(char opener, std::size_t i) {
    levels_of(opener).push_back(open_.size());
    open_.push_back(i);
  }

  /// Moves to the next token; false at the end.
  bool skip_blank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        line_start_ = true;
        ++at_;
      } else if (is_class(c, kSpace)) {
        ++at_;
      } else if (c == '#' && line_start_) {
        directive();
      } else if (c == '/' && (at(at_ + 1) == '/' || at(at_ + 1) == '*')) {
        comment();
      } else if (c == '\\' && at(at_ + 1) == '\n') {
        at_ += 2;
      } else {
        return true;
      }
    }
    return false;
  }

  void comment() {
    const bool block = at(at_ + 1) == '*';
    const std::size_t end = text_.find(block ? "*/" : "\n", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + (block ? 2 : 0);
  }

  void directive() {
    const std::size_t begin = at_;
    do {
      at_ = std::min(text_.find('\n', at_ + 1), text_.size());
    } while (at_ < text_.size() && text_[at_ - 1] == '\\');
    const std::string_view rest = text_.substr(begin + 1, at_ - begin - 1);
    if (begin > 0 && text_[begin - 1] != '\n' && names_pragma(rest)) {
      out_.indented_pragmas_.push_back(static_cast<std::uint32_t>(begin));
    }
    marker(rest);
  }

  static IncludeStep step_of(std::string_view flags) {
    if (flags.find('1') != std::string_view::npos) return IncludeStep::enters;
    return flags.find('2') != std::string_view::npos ? IncludeStep::returns : IncludeStep::none;
  }

  void marker(std::string_view rest) {
    std::size_t i = rest.find_first_not_of(" \t");
    if (i != std::string_view::npos && rest.substr(i, 5) == "line ") i = rest.find_first_not_of(" \t", i + 5);
    if (i == std::string_view::npos || !is_class(rest[i], kDigit)) return;
    std::uint32_t line = 0;
    for (; i < rest.size() && is_class(rest[i], kDigit); ++i)
      line = line * 10 + static_cast<std::uint32_t>(rest[i] - '0');
    const std::size_t open = rest.find('"', i);
    if (open == std::string_view::npos) return;
    std::size_t end = open + 1;
    while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
    const std::size_t next = std::min(at_ + 1, text_.size());
    end = std::min(end, rest.size());
    out_.markers_.push_back({static_cast<std::uint32_t>(next), line, rest.substr(open + 1, end - open - 1),
                             rest.find('3', end) != std::string_view::npos, step_of(rest.substr(end))});
  }

  void token() {
    line_start_ = false;
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (is_class(c, kLetter) || universal_name() != 0) {
      identifier(begin);
    } else if (is_class(c, kDigit) || (c == '.' && is_class(at(at_ + 1), kDigit))) {
      number();
      push(begin, TokenKind::number);
    } else if (c == '"' || c == '\'') {
      quoted(c);
      push(begin, c == '"' ? TokenKind::string : TokenKind::character);
    } else {
      mark();
      push(begin, TokenKind::punctuator);
      if (c == '<') notice_launch();
    }
  }

  /// The size of a letter as \u00f6 or \U000000f6, which gcc's preprocessor writes for one that is not ASCII; 0 for
  /// none.
  std::size_t universal_name() const {
    if (at(at_) != '\\' || (at(at_ + 1) != 'u' && at(at_ + 1) != 'U')) return 0;
    const std::size_t size = at(at_ + 1) == 'u' ? 6 : 10;
    const std::string_view digits = text_.substr(at_ + 2, size - 2);
    const bool complete =
        digits.size() == size - 2 && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    return complete ? size : 0;
  }

  /// The size of what continues an identifier; 0 for none.
  std::size_t in_identifier() const {
    return at_ < text_.size() && is_class(text_[at_], kLetter | kDigit) ? 1 : universal_name();
  }

  void identifier(std::size_t begin) {
    do {
      while (at_ < text_.size() && is_class(text_[at_], kLetter | kDigit)) ++at_;
      at_ += universal_name();
    } while (in_identifier() != 0);
    const std::string_view name = text_.substr(begin, at_ - begin);
    const char next = at(at_);
    if (next == '"' && contains(kRawPrefixes, name)) {
      raw_string();
      push(begin, TokenKind::string);
    } else if ((next == '"' || next == '\'') && contains(kPrefixes, name)) {
      quoted(next);
      push(begin, next == '"' ? TokenKind::string : TokenKind::character);
    } else {
      if (name.starts_with("atomic") || name == "load") out_.may_poll_ = true;
      if (is_reread(name)) out_.rereads_.push_back(static_cast<std::uint32_t>(out_.tokens_.size()));
      push(begin, TokenKind::identifier, word_of(name));
    }
  }

  void number() {
    ++at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      const char before = static_cast<char>(text_[at_ - 1] | 0x20);
      if (is_class(c, kLetter | kDigit) || c == '.') continue;
      if ((c == '+' || c == '-') && (before == 'e' || before == 'p')) continue;
      if (c == '\'' && is_class(at(at_ + 1), kLetter | kDigit)) continue;
      return;
    }
  }

  void quoted(char quote) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    if (at(at_) == quote) ++at_;
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_ + 1);
    if (open == std::string_view::npos || open - at_ > 17) return quoted('"');
    const std::string_view delimiter = text_.substr(at_ + 1, open - at_ - 1);
    for (std::size_t close = text_.find(')', open); close != std::string_view::npos;
         close = text_.find(')', close + 1)) {
      if (text_.substr(close + 1, delimiter.size()) != delimiter || at(close + 1 + delimiter.size()) != '"') continue;
      at_ = close + delimiter.size() + 2;
      return;
    }
    at_ = text_.size();
  }

  void mark() {
    const char c = text_[at_];
    if (stands_alone(c) || is_class(at(at_ + 1), kSpace | kLetter | kDigit)) {
      ++at_;
      return;
    }
    if (c != '<' || at(at_ + 1) != '<' || at(at_ + 2) != '<') {
      for (const std::string_view spelling : kMarks) {
        if (spelling[0] != c || text_.substr(at_, spelling.size()) != spelling) continue;
        at_ += spelling.size();
        return;
      }
    }
    ++at_;
  }

  void push(std::size_t begin, TokenKind kind, Keyword word = Keyword::none) {
    if (word != Keyword::none) out_.keywords_.push_back(static_cast<std::uint32_t>(out_.tokens_.size()));
    out_.tokens_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_), kind, word});
  }

  /// `<<<` and `<< <`, which nvcc takes as well, are a launch, but for `operator<<<>` and a fourth neighbour.
  void notice_launch() {
    const std::size_t count = out_.tokens_.size();
    if (count < 4 || at(at_) == '<' || spelling(count - 2) != "<" || spelling(count - 3) != "<") return;
    const Token& first = out_.tokens_[count - 3];
    if (first.end != out_.tokens_[count - 2].begin) return;
    const std::string_view before = spelling(count - 4);
    if (before == "operator" || (before == "<" && out_.tokens_[count - 4].end == first.begin)) return;
    out_.tokens_[count - 3].keyword = Keyword::launch;
    out_.keywords_.push_back(static_cast<std::uint32_t>(count - 3));
  }

  std::string_view spelling(std::size_t i) const {
    const Token& token = out_.tokens_[i];
    return text_.substr(token.begin, token.end - token.begin);
  }

  Tokens& out_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  std::vector<std::size_t> open_;
  std::vector<std::size_t> parentheses_;
  std::vector<std::size_t> brackets_;
  std::vector<std::size_t> braces_;
};

Tokens::Tokens(std::string_view text)
    : text_(text), line_breaks_(places_of(text, "\n")), our_names_(places_of(text, kOurs)) {
  Tokenizer tokenizer(*this);
  tokenizer.run();
  tokenizer.match();
}

std::size_t Tokens::next_keyword(std::size_t i) const {
  const auto found = std::lower_bound(keywords_.begin(), keywords_.end(), i);
  return found == keywords_.end() ? kNone : *found;
}

bool has_words(std::string_view text) {
  return text.find("__warpfiber_") != std::string_view::npos || has_launch(text) ||
         text.find("__noinline__") != std::string_view::npos;
}

bool may_have_indented_pragma(std::string_view text) {
  for (std::size_t at = text.find("pragma"); at != std::string_view::npos; at = text.find("pragma", at + 1)) {
    const std::size_t mark = text.find_last_not_of(" \t", at - 1);
    if (at == 0 || mark == std::string_view::npos || mark == 0 || text[mark] != '#') continue;
    const std::size_t before = text.find_last_not_of(" \t", mark - 1);
    if (before != mark - 1 && (before == std::string_view::npos || text[before] == '\n')) return true;
  }
  return false;
}

}  // namespace warpfiber::translate
