// SPDX-License-Identifier: Apache-2.0
//
// __shared__ variables. The declaration becomes a typedef with every declarator as it is but for its name, so that any
// type C++ can write will do; a reference of the old name follows, into the storage of the block. Its key is a type
// that is local to the place: each instantiation of a template has its own variable.
#include <algorithm>
#include <string>

#include "translate/parameters.hpp"
#include "translate/passes.hpp"

namespace warpfiber::translate {
namespace {

struct Statement {
  std::size_t word;   // the qualifier
  std::size_t begin;  // the first token
  std::size_t end;    // the semicolon
  bool is_extern = false;
};

/// A __shared__ declaration within a function or at file scope.
class SharedStatement {
 public:
  SharedStatement(Program& program, std::size_t word) : p_(program), t_(program.tokens), word_(word) {}

  /// Finds the statement; false after an error.
  bool read() {
    begin_ = word_;
    while (begin_ > 0 && !ends_statement(begin_ - 1)) begin_ = before_item(begin_);
    end_ = find_mark(t_, word_, t_.size(), ';');
    if (t_.ends(end_)) return p_.error(word_, "expected a \";\" after the __shared__ variable"), false;
    for (std::size_t i = begin_; i < word_; ++i) is_extern_ |= t_.is(i, "extern");
    for (std::size_t i = word_; i < end_ && !t_.is(i, '{'); ++i) is_extern_ |= t_.is(i, "extern");
    declarators_ = read_declarators(t_, {begin_, end_});
    return check();
  }

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

  /// The declaration of types, in the place of the statement: changes to its tokens.
  void declare_types() {
    for (std::size_t i = begin_; i < end_; i = t_.is(i, '{') ? after_group(t_, i) : i + 1) {
      const bool drop = t_.is(i, "static") || t_.is(i, "extern") || t_.is(i, "inline") || t_.is(i, "thread_local");
      if (drop) p_.edits.replace(p_.begin_of(i), p_.end_of(i), std::string(t_.text(i).size(), ' '));
    }
    p_.edits.insert(p_.begin_of(begin_), "typedef ");
    take_alignment();
    name_body();
    for (const Declarator& declarator : declarators_) {
      p_.edits.replace(p_.begin_of(declarator.name), p_.end_of(declarator.name), type_of(declarator));
    }
  }

  /// `struct a_shared_tag;` and, where an alignment is asked for, what carries it.
  std::string tags() const {
    std::string text;
    for (const Declarator& declarator : declarators_) {
      if (is_extern_) continue;
      text += " struct " + tag_of(declarator) + ";";
      if (!alignment_.empty()) {
        text += " struct " + box_of(declarator) + " { " + alignment_ + type_of(declarator) + " value; };";
      }
    }
    return text;
  }

  std::string references() const {
    std::string text;
    for (const Declarator& declarator : declarators_) text += reference(declarator, "");
    return text;
  }

  /// ` [[maybe_unused]] T& a = ...;`, the types of it found in `path`.
  std::string reference(const Declarator& declarator, const std::string& path) const {
    const std::string type = path + type_of(declarator);
    std::string text = " [[maybe_unused]] " + type + "& " + name_of(declarator) + " = ";
    if (is_extern_) return text + "*reinterpret_cast<" + type + "*>(::warpfiber::dynamic_shared<char>());";
    if (alignment_.empty()) return text + "::warpfiber::shared<" + type + ", " + path + tag_of(declarator) + ">();";
    return text + "::warpfiber::shared<" + path + box_of(declarator) + ", " + path + tag_of(declarator) + ">().value;";
  }

  const std::vector<Declarator>& declarators() const { return declarators_; }
  std::string name_of(const Declarator& declarator) const { return std::string(t_.text(declarator.name)); }
  bool is_extern() const { return is_extern_; }

 private:
  bool ends_statement(std::size_t i) const {
    return t_.is(i, ';') || t_.is(i, '{') || t_.is(i, '}') || t_.is(i, ':') ||
           (t_.is(i, ')') && !is_group_of_specifier(i));
  }

  /// `alignas(16)`, `decltype(x)`, `__attribute__((...))` before the qualifier.
  bool is_group_of_specifier(std::size_t close) const {
    const std::size_t open = t_.match(close);
    return open != kNone && open > 0 &&
           (is_attribute_word(t_, open - 1) || t_.is(open - 1, "decltype") || t_.is(open - 1, "__typeof__"));
  }

  /// The first token of the item that ends before token `i`. A body in braces belongs to the statement after
  /// struct or union only, which comes first.
  std::size_t before_item(std::size_t i) const {
    const std::size_t last = i - 1;
    const std::size_t open = t_.is(last, ')') || t_.is(last, ']') ? t_.match(last) : kNone;
    return open == kNone ? last : open;
  }

  bool check() {
    for (const Declarator& declarator : declarators_) {
      if (declarator.name == kNone) return p_.error(word_, "expected the name of a __shared__ variable"), false;
      if (declarator.has_initialiser || declarator.is_function) {
        return p_.error(declarator.name, "initializer not allowed for __shared__ variable"), false;
      }
      if (declarator.is_reference && !declarator.is_array) {
        return p_.error(declarator.name, "reference variable \"" + name_of(declarator) + "\" requires an initializer"),
               false;
      }
    }
    return !declarators_.empty();
  }

  std::string type_of(const Declarator& declarator) const { return name_of(declarator) + "_shared_type"; }
  std::string tag_of(const Declarator& declarator) const { return name_of(declarator) + "_shared_tag"; }
  std::string box_of(const Declarator& declarator) const { return name_of(declarator) + "_shared_box"; }

  /// Attributes that align the variables would be lost on the type; they move to a member of that type.
  void take_alignment() {
    for (std::size_t i = begin_; i < end_;) {
      const bool of_class = i > begin_ && (t_.is(i - 1, "struct") || t_.is(i - 1, "union") || t_.is(i - 1, "class"));
      const bool is_box = t_.is(i, '[') && t_.is(i + 1, '[') && t_.touches_next(i);
      if (of_class || is_qualifier(t_[i].word) || !(is_box || (is_attribute_word(t_, i) && t_.is(i + 1, '(')))) {
        i = t_.is(i, '{') ? after_group(t_, i) : i + 1;
        continue;
      }
      const std::size_t next = is_box ? after_group(t_, i) : after_group(t_, i + 1);
      const std::string text = flat_text(t_, i, next);
      if (text.find("align") != std::string::npos) {
        if (t_.is(i, "__attribute__")) {
          alignment_ += text + " ";
        } else {
          alignment_.insert(0, text + " ");
        }
      }
      p_.edits.replace(p_.begin_of(i), p_.end_of(next - 1), line_breaks(t_, p_.begin_of(i), p_.end_of(next - 1)));
      i = next;
    }
  }

  /// A class without a name gets one: members of unnamed classes may not do all that members may.
  void name_body() {
    for (std::size_t i = begin_; i < end_ && !t_.is(i, '{'); ++i) {
      if (!t_.is(i, "struct") && !t_.is(i, "union") && !t_.is(i, "class") && !t_.is(i, "enum")) continue;
      const std::size_t after = skip_attributes(t_, t_.is(i, "enum") && t_.is(i + 1, "class") ? i + 2 : i + 1);
      if (t_.is(after, '{')) p_.edits.insert(p_.begin_of(after), name_of(declarators_.front()) + "_shared_body ");
    }
  }

  Program& p_;
  const Tokens& t_;
  std::size_t word_;
  std::size_t begin_ = kNone;
  std::size_t end_ = kNone;
  bool is_extern_ = false;
  std::string alignment_;
  std::vector<Declarator> declarators_;
};

}  // namespace

void rewrite_shared_variables(Program& program) {
  const Tokens& tokens = program.tokens;
  std::size_t done = 0;
  for (const std::size_t word : tokens.words()) {
    if (tokens[word].word != Word::shared || word < done) continue;
    SharedStatement statement(program, word);
    if (!statement.read()) continue;
    done = statement.end();
    statement.declare_types();
    program.edits.insert(program.end_of(statement.end()), statement.tags() + statement.references());
  }
}

}  // namespace warpfiber::translate
