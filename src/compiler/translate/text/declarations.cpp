// SPDX-License-Identifier: Apache-2.0
//
// Scans one scope after the other. One reader handles one declaration and decides by its brackets and words what it
// is.
#include "translate/text/declarations.hpp"

#include <algorithm>
#include <utility>

namespace warpfiber::translate {
namespace {

class DeclarationScanner {
 public:
  DeclarationScanner(const Tokens& tokens, bool everything) : t_(tokens), everything_(everything) {}

  Outline run() {
    scope(0, t_.size(), 0);
    return std::move(out_);
  }

 private:
  bool has_word(std::size_t begin, std::size_t end) const {
    const std::size_t word = everything_ ? begin : t_.next_keyword(begin);
    return word != kNone && word < end;
  }

  void scope(std::size_t begin, std::size_t end, std::size_t id) {
    if (++depth_ <= Outline::kDeepest) {
      for (std::size_t i = begin; i < end && has_word(i, end);) i = std::max(i + 1, declaration(i, end, id));
    } else if (out_.too_deep == kNone) {
      out_.too_deep = begin;
    }
    --depth_;
  }

  /// Enters the scope that the declaration at `begin` opens with the brace at `open`; returns the token after it.
  std::size_t enter(std::size_t begin, std::size_t open, ScopeKind kind, TokenRange name, std::size_t parent) {
    const std::size_t close = std::min(t_.match(open), t_.size());
    if (has_word(open, close)) {
      out_.scopes.push_back({kind, name, parent, begin, open});
      scope(open + 1, close, out_.scopes.size() - 1);
    }
    return close + 1;
  }

  /// Reads the declaration at `i` and returns the token after it.
  std::size_t declaration(std::size_t i, std::size_t end, std::size_t id) {
    if (t_.is(i, ';') || t_.is(i, '}')) return i + 1;
    if (is_access(i)) return i + 2;
    if (const std::size_t space = namespace_word(i); space != kNone) return name_space(space, end, id);
    if (t_.is(i, "extern") && t_[i + 1].kind == TokenKind::string && t_.is(i + 2, '{')) {
      return enter(i, i + 2, ScopeKind::linkage, {}, id);
    }
    if (t_.is(i, "static_assert")) return past_semicolon(i, end);
    if (t_.is(i, "using") || t_.is(i, "typedef")) return alias(i, end, id);
    return DeclarationReader(*this, i, end, id).read();
  }

  bool is_access(std::size_t i) const {
    return t_.is(i + 1, ':') && (t_.is(i, "public") || t_.is(i, "private") || t_.is(i, "protected"));
  }

  std::size_t namespace_word(std::size_t i) const {
    if (t_.is(i, "inline")) ++i;
    return t_.is(i, "namespace") ? i : kNone;
  }

  std::size_t name_space(std::size_t i, std::size_t end, std::size_t id) {
    const std::size_t begin = i > 0 && t_.is(i - 1, "inline") ? i - 1 : i;
    std::size_t at = skip_attributes(t_, i + 1);
    const std::size_t name = at;
    while (at < end && (t_.is_identifier(at) || t_.is(at, "::")) && !is_attribute_word(t_, at)) ++at;
    const TokenRange range{name, at};
    at = skip_attributes(t_, at);
    if (!t_.is(at, '{')) return past_semicolon(at, end);
    return enter(begin, at, ScopeKind::space, range, id);
  }

  std::size_t alias(std::size_t i, std::size_t end, std::size_t id) {
    VariableDeclaration alias;
    alias.scope = id;
    alias.begin = alias.specifiers = i;
    alias.end = past_semicolon(i, end);
    if (everything_) out_.variables.push_back(alias);
    return alias.end;
  }

  std::size_t past_semicolon(std::size_t i, std::size_t end) const {
    return std::min(find_mark(t_, i, end, ';') + 1, end);
  }

  /// One declaration that is no namespace: a class, a function or variables.
  class DeclarationReader {
   public:
    DeclarationReader(DeclarationScanner& scanner, std::size_t begin, std::size_t end, std::size_t id)
        : s_(scanner), t_(scanner.t_), end_(end), i_(begin) {
      f_.begin = begin;
      f_.scope = id;
    }

    std::size_t read() {
      template_headers();
      f_.specifiers = i_;
      while (i_ < end_) {
        const std::size_t before = i_;
        if (f_.open != kNone ? after_parameters() : before_parameters()) break;
        if (i_ <= before) i_ = before + 1;
      }
      i_ = std::min(i_, end_);
      finish();
      return i_;
    }

   private:
    void template_headers() {
      while (t_.is(i_, "template") && t_.is(i_ + 1, '<')) {
        const std::size_t close = angle_close(t_, i_ + 1);
        if (close == kNone) return;
        f_.templates.push_back({i_ + 2, close});
        i_ = close + 1;
        if (t_.is(i_, "requires")) constraint();
      }
    }

    /// A requires clause: primaries with && and || between them.
    void constraint() {
      do {
        ++i_;
        while (t_.is(i_, '!')) ++i_;
        if (t_.is(i_, "requires")) {
          ++i_;
          if (t_.is(i_, '(')) i_ = after_group(t_, i_);
          if (t_.is(i_, '{')) i_ = after_group(t_, i_);
        } else if (t_.is(i_, '(')) {
          i_ = after_group(t_, i_);
        } else {
          qualified_name();
        }
      } while (t_.is(i_, "&&") || t_.is(i_, "||"));
    }

    void qualified_name() {
      do {
        if (t_.is(i_, "::")) ++i_;
        if (t_.is(i_, "template")) ++i_;
        if (t_.is_identifier(i_)) ++i_;
        if (t_.is(i_, '<')) i_ = after_item(t_, i_);
      } while (t_.is(i_, "::") && t_.is_identifier(i_ + 1));
    }

    /// One step before the parameter list; true at the end of the declaration.
    bool before_parameters() {
      if (is_attribute_word(t_, i_) && t_.is(i_ + 1, '(')) return note_word(), i_ = after_group(t_, i_ + 1), false;
      if (t_.is_identifier(i_)) return identifier();
      if (t_.is(i_, ';')) return ++i_, true;
      if (t_.is(i_, '=') && !in_declarator_) return in_declarator_ = true, ++i_, false;
      if (t_.is(i_, '{')) return brace();
      if (t_.is(i_, '(') && !in_declarator_) return parenthesis(), false;
      if (t_.is(i_, ',') || t_.is(i_, ':')) return in_declarator_ |= class_key_ == kNone, ++i_, false;
      if (t_.is(i_, '}') || t_.is(i_, ')')) return ++i_, t_.is(i_ - 1, '}');
      i_ = in_declarator_ ? after_group(t_, i_) : after_item(t_, i_);
      return false;
    }

    void note_word() {
      if (is_qualifier(t_[i_].keyword) && !in_declarator_) f_.qualifiers.add(t_[i_].keyword);
    }

    bool identifier() {
      note_word();
      if (t_.is(i_, "operator") && !in_declarator_) return operator_name(), false;
      if (t_.is(i_, "friend")) f_.is_friend = true;
      if (t_.is(i_, "constexpr") || t_.is(i_, "consteval")) f_.is_constexpr = v_.is_constant = true;
      if (t_.is(i_, "const") && !in_declarator_) v_.is_constant = true;
      if (t_.is(i_, "extern")) v_.is_extern = true;
      if (t_.is(i_, "static")) v_.is_static = true;
      if (!in_declarator_ && (t_.is(i_, "class") || t_.is(i_, "struct") || t_.is(i_, "union") || t_.is(i_, "enum"))) {
        class_key_ = i_;
      }
      if (t_.is(i_, "decltype") || t_.is(i_, "explicit") || t_.is(i_, "noexcept") || t_.is(i_, "asm")) {
        ++i_;
        if (t_.is(i_, '(')) i_ = after_group(t_, i_);
        return false;
      }
      ++i_;
      return false;
    }

    void operator_name() {
      const std::size_t name = i_++;
      if (t_.is(i_, '(') && t_.is(i_ + 1, ')')) i_ += 2;
      while (i_ < end_ && !t_.is(i_, '(') && !t_.is(i_, ';') && !t_.is(i_, '{')) {
        i_ = t_.is(i_, '<') && i_ > name + 1 && t_.is_identifier(i_ - 1) ? after_item(t_, i_) : i_ + 1;
      }
      if (t_.is(i_, '(')) parameters(name);
    }

    /// A parenthesis after a name is a parameter list; after a type it is part of a declarator.
    void parenthesis() {
      std::size_t last = i_ - 1;
      if (i_ == 0 || i_ == f_.specifiers) {
        i_ = after_group(t_, i_);
        return;
      }
      if (t_.is(last, '>')) {
        const std::size_t open = angle_open(t_, last);
        last = open == kNone || open == 0 ? last : open - 1;
      }
      const bool named = t_.is_identifier(last) && !is_keyword(t_, last) && !is_builtin_type(t_, last);
      if (!named || !looks_like_parameters(i_) || t_.match(i_) == kNone) {
        in_declarator_ = true;
        i_ = after_group(t_, i_);
        return;
      }
      parameters(first_of_name(last));
    }

    /// Not the arguments of a variable: `T x(3)`, `T x(-1)`, `T x("a")`; not a declarator: `T (*x)(int)`.
    bool looks_like_parameters(std::size_t open) const {
      const TokenKind kind = t_[open + 1].kind;
      if (kind == TokenKind::number || kind == TokenKind::string || kind == TokenKind::character) return false;
      for (const char mark : {'*', '&', '-', '+', '!', '~', '{', '('}) {
        if (t_.is(open + 1, mark)) return false;
      }
      for (const std::string_view word : {"this", "true", "false", "nullptr", "sizeof", "new"}) {
        if (t_.is(open + 1, word)) return false;
      }
      return true;
    }

    /// Back over `a::b<c>::` and `~` before the identifier at `last`.
    std::size_t first_of_name(std::size_t last) const {
      std::size_t first = last;
      if (first > f_.specifiers && t_.is(first - 1, '~')) --first;
      while (first > f_.specifiers && t_.is(first - 1, "::")) {
        --first;
        std::size_t before = first - 1;
        if (first > f_.specifiers && t_.is(before, '>')) {
          const std::size_t open = angle_open(t_, before);
          if (open == kNone || open <= f_.specifiers) return first;
          before = open - 1;
        }
        if (first == f_.specifiers || !t_.is_identifier(before) || is_keyword(t_, before)) return first;
        first = before;
      }
      return first;
    }

    void parameters(std::size_t name) {
      f_.name = {name, i_};
      f_.open = i_;
      f_.close = t_.match(i_);
      if (f_.close == kNone) {
        f_.open = kNone;
        in_declarator_ = true;
        ++i_;
        return;
      }
      f_.is_special_member = is_special_member();
      i_ = f_.close + 1;
    }

    /// Whether only specifiers that are no type stand before the name.
    bool is_special_member() const {
      if (t_.is(f_.name.begin, "operator") &&
          (is_builtin_type(t_, f_.name.begin + 1) || t_.is_identifier(f_.name.begin + 1))) {
        return true;
      }
      for (std::size_t i = f_.specifiers; i < f_.name.begin;) {
        const std::size_t next = skip_attributes(t_, i);
        if (next == i && !is_keyword(t_, i)) return false;
        i = next == i ? i + 1 : next;
      }
      return true;
    }

    bool brace() {
      if (class_key_ != kNone && !in_declarator_) {
        const bool is_enum = t_.is(class_key_, "enum");
        const std::size_t parent = f_.scope;
        i_ = is_enum ? after_group(t_, i_) : s_.enter(f_.begin, i_, ScopeKind::type, {}, parent);
        class_key_ = kNone;
        return false;
      }
      // An initialiser, or a body without a parameter list, which is no C++.
      i_ = after_group(t_, i_);
      in_declarator_ = true;
      return false;
    }

    /// One step after the parameter list; true at the end of the declaration.
    bool after_parameters() {
      if (t_.is(i_, ';')) return ++i_, true;
      if (t_.is(i_, '}')) return true;
      if (t_.is(i_, '{')) return body();
      if (t_.is(i_, '=')) return i_ = s_.past_semicolon(i_, end_), true;
      if (t_.is(i_, ',')) return i_ = s_.past_semicolon(i_, end_), true;
      if (t_.is(i_, ':')) return initialisers(), false;
      if (t_.is(i_, "requires")) return constraint(), false;
      if (t_.is_identifier(i_)) note_word();
      i_ = after_item(t_, i_);
      return false;
    }

    bool body() {
      f_.body = {i_, std::min(t_.match(i_), end_ - 1) + 1};
      i_ = f_.body.end;
      while (t_.is(i_, "catch") && t_.is(i_ + 1, '(')) i_ = after_group(t_, after_group(t_, i_ + 1));
      return true;
    }

    /// The initialisers of a constructor: names with a group in parentheses or braces.
    void initialisers() {
      ++i_;
      while (i_ < end_ && !t_.is(i_, ';')) {
        while (i_ < end_ && !t_.is(i_, '(') && !t_.is(i_, '{') && !t_.is(i_, ';')) i_ = after_item(t_, i_);
        i_ = t_.is(i_, ';') ? i_ : after_group(t_, i_);
        if (t_.is(i_, "...")) ++i_;
        if (!t_.is(i_, ',')) return;
        ++i_;
      }
    }

    void finish() {
      f_.end = i_;
      if (f_.open != kNone) {
        if (s_.has_word(f_.begin, f_.end)) s_.out_.functions.push_back(std::move(f_));
      } else if (!f_.qualifiers.none() || s_.everything_) {
        static_cast<Declaration&>(v_) = std::move(f_);
        s_.out_.variables.push_back(std::move(v_));
      }
    }

    DeclarationScanner& s_;
    const Tokens& t_;
    std::size_t end_;
    std::size_t i_;
    std::size_t class_key_ = kNone;
    bool in_declarator_ = false;
    Function f_;
    VariableDeclaration v_;
  };

  const Tokens& t_;
  bool everything_;
  Outline out_;
  int depth_ = 0;
};

}  // namespace

Outline outline(const Tokens& tokens, bool everything) {
  return DeclarationScanner(tokens, everything).run();
}

}  // namespace warpfiber::translate
