// SPDX-License-Identifier: Apache-2.0
//
// __shared__ variables. The declaration becomes a typedef with every declarator as it is but for its name, so that any
// type C++ can write will do; a reference of the old name follows, into the storage of the block. Its key is a type
// that is local to the place: each instantiation of a template has its own variable.
#include <algorithm>
#include <string>

#include "translate/passes.hpp"
#include "translate/text/parameters.hpp"

namespace warpfiber::translate {
namespace {

/// A __shared__ declaration within a function or at file scope.
class SharedStatement {
 public:
  SharedStatement(TranslationUnit& program, std::size_t word) : p_(program), t_(program.tokens), word_(word) {}

  /// Finds the statement; false after an error.
  bool read() {
    begin_ = word_;
    while (begin_ > 0 && !ends_statement(begin_ - 1)) begin_ = before_item(begin_);
    end_ = word_;
    while (!t_.ends(end_) && !t_.is(end_, ';') && !t_.is(end_, '}') && !t_.is(end_, ')')) end_ = after_group(t_, end_);
    if (!t_.is(end_, ';')) return p_.error(word_, "expected a \";\" after the __shared__ variable"), false;
    if (!brackets_match()) return false;
    for (std::size_t i = begin_; i < word_; ++i) is_extern_ |= t_.is(i, "extern");
    for (std::size_t i = word_; i < end_ && !t_.is(i, '{'); ++i) is_extern_ |= t_.is(i, "extern");
    declarators_ = read_declarators(t_, {begin_, end_});
    return check();
  }

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

  /// Changes the statement to a declaration of the variables' types.
  void declare_types(Edits& edits) {
    put_specifier(edits, "typedef");
    take_alignment(edits);
    name_body(edits);
    for (const Declarator& declarator : declarators_) {
      edits.replace(p_.begin_of(declarator.name), p_.end_of(declarator.name), type_of(declarator));
    }
  }

  /// Makes them variables with static storage, or leaves them extern.
  void declare_static(Edits& edits) {
    if (!is_extern_) put_specifier(edits, "static");
  }

  /// `struct a_shared_tag { ... };`, which says where the variable is declared, and, where an alignment is asked for,
  /// what carries it. An extern variable is declared as one of C++, by another name, so that the compiler refuses a
  /// second one of another type.
  std::string tags() const {
    std::string text;
    for (const Declarator& declarator : declarators_) {
      if (is_extern_) {
        text += " [[maybe_unused]] extern " + type_of(declarator) + " " + name_of(declarator) + "_extern_shared;";
        continue;
      }
      text += " struct " + tag_of(declarator) +
              " { static ::warpfiber::detail::SharedDeclaration declaration() { return {\"" + name_of(declarator) +
              "\", ::warpfiber::detail::type_text<" + type_of(declarator) +
              ">(), __builtin_FILE(), __builtin_LINE()}; } };";
      if (!alignment_.empty()) {
        text += " struct " + box_of(declarator) + " { " + alignment_ + type_of(declarator) + " value; };";
      }
    }
    return text;
  }

  std::string references() const {
    std::string text;
    for (const Declarator& declarator : declarators_) text += " " + reference(declarator);
    return text;
  }

  /// `[[maybe_unused]] T& a = ...;`
  std::string reference(const Declarator& declarator) const {
    const std::string type = type_of(declarator);
    std::string text = "[[maybe_unused]] " + type + "& " + name_of(declarator) + " = ";
    if (is_extern_) return text + "*reinterpret_cast<" + type + "*>(::warpfiber::dynamic_shared<char>());";
    if (alignment_.empty()) return text + "::warpfiber::shared<" + type + ", " + tag_of(declarator) + ">();";
    return text + "::warpfiber::shared<" + box_of(declarator) + ", " + tag_of(declarator) + ">().value;";
  }

  const std::vector<Declarator>& declarators() const { return declarators_; }
  std::string name_of(const Declarator& declarator) const { return std::string(t_.text(declarator.name)); }

 private:
  /// In place of the qualifier and within its columns, or where a specifier has to stand for another reason; what says
  /// where variables are stored goes.
  void put_specifier(Edits& edits, const std::string& specifier) {
    std::size_t place = word_;
    for (std::size_t i = begin_; i < word_; i = after_group(t_, i)) {
      if (t_.is(i, '*') || t_.is(i, '&')) place = begin_;  // `int* __shared__ p`
    }
    std::size_t behind = word_ + 1;
    while (t_.is(behind, "alignas") || (t_.is(behind, '[') && t_.is(behind + 1, '['))) {
      behind = place = after_group(t_, t_.is(behind, '[') ? behind : behind + 1);
    }
    for (std::size_t i = begin_; i < end_; i = t_.is(i, '{') ? after_group(t_, i) : i + 1) {
      const bool drop = t_.is(i, "static") || t_.is(i, "extern") || t_.is(i, "inline") || is_qualifier(t_[i].keyword);
      std::size_t size = t_.text(i).size() - (is_qualifier(t_[i].keyword) ? kOurPart.size() : 0);
      if (i == word_ && place != word_) size -= specifier.size() + 1;
      std::string text = i == word_ && place == word_ ? specifier : "";
      text.resize(size, ' ');
      if (drop) edits.replace(p_.begin_of(i), p_.end_of(i), text);
    }
    if (place != word_) edits.insert(p_.begin_of(place), specifier + " ");
  }

  bool brackets_match() {
    for (std::size_t i = begin_; i < end_; ++i) {
      if (t_.match(i) != kNone) continue;
      if (t_.is(i, '[')) return p_.error(i, "expected a \"]\" to match this \"[\""), false;
      if (t_.is(i, '(')) return p_.error(i, "expected a \")\" to match this \"(\""), false;
    }
    return true;
  }

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

  // By these names debug information is asked for the variable (src/analysis/check/objects/dynamic_names.cpp).
  std::string type_of(const Declarator& declarator) const {
    return name_of(declarator) + (is_extern_ ? "_dynamic_shared_type" : "_shared_type");
  }
  std::string tag_of(const Declarator& declarator) const { return name_of(declarator) + "_shared_tag"; }
  std::string box_of(const Declarator& declarator) const { return name_of(declarator) + "_shared_box"; }

  /// Attributes that align the variables would be lost on the type; they move to a member of that type.
  void take_alignment(Edits& edits) {
    for (std::size_t i = begin_; i < end_;) {
      const bool of_class = i > begin_ && (t_.is(i - 1, "struct") || t_.is(i - 1, "union") || t_.is(i - 1, "class"));
      const bool is_box = t_.is(i, '[') && t_.is(i + 1, '[') && t_.touches_next(i);
      if (of_class || is_qualifier(t_[i].keyword) || !(is_box || (is_attribute_word(t_, i) && t_.is(i + 1, '(')))) {
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
      edits.replace(p_.begin_of(i), p_.end_of(next - 1), line_breaks(t_, p_.begin_of(i), p_.end_of(next - 1)));
      i = next;
    }
  }

  /// A class without a name gets one: members of unnamed classes may not do all that members may.
  void name_body(Edits& edits) {
    for (std::size_t i = begin_; i < end_ && !t_.is(i, '{'); ++i) {
      if (!t_.is(i, "struct") && !t_.is(i, "union") && !t_.is(i, "class") && !t_.is(i, "enum")) continue;
      const std::size_t after = skip_attributes(t_, t_.is(i, "enum") && t_.is(i + 1, "class") ? i + 2 : i + 1);
      if (t_.is(after, '{')) edits.insert(p_.begin_of(after), name_of(declarators_.front()) + "_shared_body ");
    }
  }

  TranslationUnit& p_;
  const Tokens& t_;
  std::size_t word_;
  std::size_t begin_ = kNone;
  std::size_t end_ = kNone;
  bool is_extern_ = false;
  std::string alignment_;
  std::vector<Declarator> declarators_;
};

/// The `switch` whose body the brace opens, or kNone.
std::size_t switch_of(const Tokens& tokens, std::size_t brace) {
  if (brace == kNone || brace == 0 || !tokens.is(brace - 1, ')')) return kNone;
  const std::size_t open = tokens.match(brace - 1);
  return open != kNone && open > 0 && tokens.is(open - 1, "switch") ? open - 1 : kNone;
}

class SharedVariables {
 public:
  explicit SharedVariables(TranslationUnit& program) : p_(program), t_(program.tokens), visibility_(program) {
    std::vector<TokenRange> ranges;
    for (const VariableDeclaration& variable : p_.outline.variables) ranges.push_back({variable.begin, variable.end});
    declarations_ = merged(std::move(ranges));
  }

  void rewrite() {
    std::size_t done = 0;
    for (const std::size_t word : t_.keywords()) {
      if (t_[word].keyword != Keyword::shared || word < done) continue;
      const VariableDeclaration* variable = variable_with(word);
      if (variable != nullptr && p_.outline.in_class(*variable)) continue;
      SharedStatement statement(p_, word);
      if (!statement.read()) continue;
      done = statement.end();
      if (p_.options.as_written) {
        statement.declare_static(p_.edits);
        for (const Declarator& declarator : statement.declarators()) {
          p_.variables.push_back(p_.lines_of(statement.name_of(declarator), {statement.begin(), statement.end()}));
        }
        continue;
      }
      variable != nullptr ? at_file_scope(statement, *variable) : in_function(statement);
    }
    for (const Function& function : p_.outline.functions) refer(function);
  }

 private:
  const VariableDeclaration* variable_with(std::size_t word) const {
    if (!cover(declarations_, word)) return nullptr;
    for (const VariableDeclaration& variable : p_.outline.variables) {
      if (variable.begin <= word && word < variable.end) return &variable;
    }
    return nullptr;
  }

  void in_function(SharedStatement& statement) {
    const std::size_t brace = enclosing_brace(t_, statement.begin());
    const std::size_t select = switch_of(t_, brace);
    const std::size_t block_end = brace == kNone || t_.match(brace) == kNone ? t_.size() : t_.match(brace);
    if (select != kNone && block_end != t_.size()) {
      before_switch(statement, select, block_end);
    } else {
      statement.declare_types(p_.edits);
      p_.edits.insert(p_.end_of(statement.end()), statement.tags() + statement.references());
      p_.keep_columns(p_.end_of(statement.end()));
    }
    std::vector<std::string> names;
    for (const Declarator& declarator : statement.declarators()) names.push_back(statement.name_of(declarator));
    capture_in_lambdas(p_, statement.end(), block_end, {names.begin(), names.end()});
  }

  /// Control may jump past a declaration without an initialiser, not past a reference: it moves before the switch.
  void before_switch(SharedStatement& statement, std::size_t select, std::size_t block_end) {
    Edits edits;
    statement.declare_types(edits);
    const std::size_t begin = p_.begin_of(statement.begin());
    const std::size_t end = p_.end_of(statement.end());
    p_.edits.insert(p_.begin_of(select), "{" + continue_at(t_, begin) + edits.apply(t_.source(), begin, end) +
                                             statement.tags() + statement.references() +
                                             continue_at(t_, p_.begin_of(select)));
    p_.edits.replace(begin, end, ";" + line_breaks(t_, begin, end));
    p_.edits.insert(p_.end_of(block_end), " }");
  }

  void at_file_scope(SharedStatement& statement, const VariableDeclaration& variable) {
    statement.declare_types(p_.edits);
    p_.edits.insert(p_.end_of(statement.end()), statement.tags());
    p_.keep_columns(p_.end_of(statement.end()));
    for (const Declarator& declarator : statement.declarators()) {
      names_.add({statement.name_of(declarator), statement.reference(declarator)}, visibility_.of(variable));
    }
  }

  void refer(const Function& function) {
    if (!function.qualifiers.on_device() || function.body.empty()) return;
    if (!names_.empty()) refer_in_body(p_, function, names_, function.begin);
  }

  TranslationUnit& p_;
  const Tokens& t_;
  Visibility visibility_;
  std::vector<TokenRange> declarations_;
  References names_;
};

}  // namespace

void rewrite_shared_variables(TranslationUnit& program) {
  SharedVariables(program).rewrite();
}

}  // namespace warpfiber::translate
