// SPDX-License-Identifier: Apache-2.0
//
// Collects the names first, from scopes outside inwards, then the expressions that begin with one. A hash of names
// skips most tokens.
#include "translate/lock_step/accesses.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "translate/text/parameters.hpp"
#include "translate/text/statements.hpp"

namespace warpfiber::translate {
namespace {

bool is_volatile(const Tokens& tokens, std::size_t i) {
  return tokens.is_identifier(i) && (tokens.is(i, "volatile") || tokens.is(i, "__volatile__"));
}

/// The first word `volatile` in [begin, end), or `end`.
std::size_t find_volatile(const Tokens& tokens, std::size_t begin, std::size_t end) {
  const std::vector<std::uint32_t>& all = tokens.rereads();
  const auto found = std::find_if(std::ranges::lower_bound(all, begin), all.end(),
                                  [&](std::size_t i) { return i >= end || is_volatile(tokens, i); });
  return found == all.end() ? end : std::min<std::size_t>(*found, end);
}

/// One of 64 kinds of names: a name of another kind is another name.
std::uint64_t kind_of(std::string_view name) {
  return std::uint64_t{1} << (static_cast<unsigned char>(name.front()) + 7 * name.size()) % 64;
}

/// The bracket that opens the group in which token `i` stands; kNone before `from`.
std::size_t opener_of(const Tokens& tokens, std::size_t i, std::size_t from) {
  const std::size_t open = tokens.opener(i);
  return open != kNone && open >= from ? open : kNone;
}

/// The first token of the statement that token `i` is a part of.
std::size_t statement_of(const Tokens& tokens, std::size_t i, std::size_t from) {
  while (i > from && !tokens.is(i - 1, ';') && !tokens.is(i - 1, '{') && !tokens.is(i - 1, '}')) {
    --i;
    if ((tokens.is(i, ')') || tokens.is(i, ']')) && tokens.match(i) != kNone) i = tokens.match(i);
  }
  return i;
}

/// Whether `T volatile* x`, not `T* volatile x`.
bool points_to_volatile(const Tokens& tokens, TokenRange declaration) {
  const std::size_t star = find_mark(tokens, declaration.begin, declaration.end, '*');
  return find_volatile(tokens, declaration.begin, star) != star;
}

/// Whether a __shared__, __device__ or __managed__ variable is declared, which is no thread's own.
bool is_of_many(const Tokens& tokens, TokenRange declaration) {
  for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
    const Keyword word = tokens[i].keyword;
    if (word == Keyword::shared || word == Keyword::device || word == Keyword::managed) return true;
  }
  return false;
}

/// The names that `declaration` declares and that lead to volatile memory. An array of a parameter is a pointer.
void add_names(const Tokens& tokens, TokenRange declaration, bool is_parameter, VolatileName model, VolatileNames& to) {
  const bool of_many = is_of_many(tokens, declaration);
  const std::vector<Declarator> declarators = read_declarators(tokens, declaration);
  for (const Declarator& each : declarators) {
    if (each.name == kNone || each.is_function || !points_to_volatile(tokens, declarators.front().range)) continue;
    const bool elsewhere = each.is_pointer || each.is_reference || (each.is_array && is_parameter) || of_many;
    if (!elsewhere && !(model.is_member && each.is_array)) continue;
    model.name = tokens.text(each.name);
    model.is_address = each.is_pointer || each.is_array;
    if (model.is_address || !model.is_member) to.add(model);
  }
}

/// Members of the class whose body `scope` is.
void add_members(const Tokens& tokens, const EnclosingScope& scope, VolatileNames& to) {
  const std::size_t end = std::min(tokens.match(scope.open), tokens.size());
  for (std::size_t i = scope.open + 1; i < end; i = after_group(tokens, i)) {
    if (!is_volatile(tokens, i)) continue;
    std::size_t begin = i;
    const auto ends = [&](std::size_t at) {
      return tokens.is(at, ';') || tokens.is(at, '{') || tokens.is(at, '}') || tokens.is(at, ':');
    };
    while (!ends(begin - 1)) --begin;
    const std::size_t last = find_mark(tokens, i, end, ';');
    if (find_mark(tokens, i, last, '{') == last && find_mark(tokens, i, last, '(') == last) {
      add_names(tokens, {begin, last}, false, {.name = {}, .scope = {scope.open, tokens.size()}, .is_member = true},
                to);
    }
    i = last;
  }
}

class Accesses {
 public:
  Accesses(const TranslationUnit& program, const Function& function, const VolatileNames& outer)
      : t_(program.tokens), f_(function), outer_(outer) {
    bare_members_ = program.outline.in_class(function);
    for (std::size_t i = f_.name.begin; i < f_.name.end; ++i) bare_members_ = bare_members_ || t_.is(i, "::");
  }

  std::vector<VolatileAccess> find() {
    if (mentions_reread(t_, f_.begin, f_.body.end)) find_names();
    if (names_.empty() && outer_.empty()) return std::move(found_);
    for (std::size_t i = f_.body.begin; i < f_.body.end; ++i) {
      const std::string_view name = t_.text(i);
      if (t_.is_identifier(i) && (names_.may_contain(name) || outer_.may_contain(name))) access(i);
    }
    std::ranges::sort(found_, {}, [](const VolatileAccess& each) { return each.element.begin; });
    return std::move(found_);
  }

 private:
  void find_names() {
    for (const TokenRange& parameter : split_commas(t_, f_.open + 1, f_.close)) {
      add_names(t_, parameter, true, {.name = {}, .scope = f_.body}, names_);
    }
    for (std::size_t i = find_volatile(t_, f_.body.begin, f_.body.end); i < f_.body.end;
         i = find_volatile(t_, i + 1, f_.body.end)) {
      const std::size_t open = opener_of(t_, i, f_.body.begin);
      if (open == kNone) continue;
      if (!t_.is(open, '{')) {
        in_parentheses(i, open);
      } else if (t_.is(i - 1, '<')) {
        in_angles(i);
      } else {
        declared(statement_of(t_, i, open + 1), open);
      }
    }
  }

  /// The statement at `begin`, in the block that `open` opens, declares names.
  void declared(std::size_t begin, std::size_t open) {
    const std::size_t end = find_mark(t_, begin, f_.body.end, ';');
    add_names(t_, {begin, end}, false, {.name = {}, .scope = {end, t_.match(open)}}, names_);
  }

  /// A parameter of a lambda, or a cast.
  void in_parentheses(std::size_t i, std::size_t open) {
    const std::size_t close = t_.match(open);
    if (close == kNone) return;
    if (t_.is(open - 1, ']') && t_.match(open - 1) != kNone) {
      const Lambda lambda = read_lambda(t_, t_.match(open - 1));
      for (const TokenRange& parameter : split_commas(t_, open + 1, close)) {
        if (parameter.begin <= i && i < parameter.end && !lambda.body.empty())
          add_names(t_, parameter, true, {.name = {}, .scope = lambda.body}, names_);
      }
      return;
    }
    if (find_mark(t_, i, close, '*') == close) {
      if (t_.is(i - 1, '<')) in_angles(i);
      return;
    }
    automatic(open);
    const std::size_t outer = open - 1;
    if (t_.is(outer, '(') && t_.match(outer) != kNone) add_cast({outer, t_.match(outer) + 1});
  }

  /// `static_cast<volatile T*>(s)`.
  void in_angles(std::size_t i) {
    const std::size_t close = angle_close(t_, i - 1);
    const bool casts = t_.is(i - 2, "static_cast") || t_.is(i - 2, "reinterpret_cast") || t_.is(i - 2, "const_cast");
    if (!casts || close == kNone || !t_.is(close + 1, '(') || t_.match(close + 1) == kNone) return;
    automatic(i - 2);
    add_cast({i - 2, t_.match(close + 1) + 1});
  }

  /// `auto s = (volatile T*)...` around the cast at `i`.
  void automatic(std::size_t i) {
    const std::size_t open = opener_of(t_, i, f_.body.begin);
    if (open == kNone || !t_.is(open, '{')) return;
    const std::size_t begin = statement_of(t_, i, open + 1);
    const std::size_t end = find_mark(t_, begin, f_.body.end, ';');
    const bool is_auto = t_.is(begin, "auto") || (t_.is(begin, "const") && t_.is(begin + 1, "auto"));
    const std::vector<Declarator> declarators =
        is_auto ? read_declarators(t_, {begin, end}) : std::vector<Declarator>{};
    if (declarators.size() != 1 || declarators[0].name == kNone || declarators[0].name + 2 != i) return;
    names_.add({t_.text(declarators[0].name), {end, t_.match(open)}, true, false});
  }

  void add_cast(TokenRange base) {
    if (!t_.is(base.end, '[')) return;
    const std::size_t first = t_[base.begin].begin;
    add(base, {.base = base, .is_address = true, .name = t_.source().substr(first, t_[base.end - 1].end - first)});
  }

  const VolatileName* name_at(std::size_t i, bool behind_dot) const {
    const VolatileName* own = names_.at(t_, i, behind_dot, bare_members_);
    return own != nullptr ? own : outer_.at(t_, i, behind_dot, bare_members_);
  }

  void access(std::size_t i) {
    if (t_.is(i - 1, "::")) return;
    const bool behind_dot = t_.is(i - 1, '.') || t_.is(i - 1, "->");
    const VolatileName* name = name_at(i, behind_dot);
    if (name == nullptr) return;
    std::size_t begin = i;
    while (t_.is(begin - 1, '.') || t_.is(begin - 1, "->")) begin -= 2;
    for (std::size_t at = begin; at < i; at += 2) {
      if (!t_.is_identifier(at)) return;
    }
    const VolatileAccess known{.element = {},
                               .base = {begin, i + 1},
                               .is_address = name->is_address,
                               .declared = name->scope.begin,
                               .name = name->name};
    if (!name->is_address || t_.is(i + 1, '[') || t_.is(i + 1, "->")) {
      add(known.base, known);
    } else if (t_.is(begin - 1, '*')) {
      add({begin - 1, i + 1}, known);
    } else if (t_.is(begin - 1, '(') && t_.is(begin - 2, '*') && t_.match(begin - 1) != kNone) {
      add({begin - 2, t_.match(begin - 1) + 1}, known);
    }
  }

  /// Past the subscripts and members behind an operand.
  std::size_t past_suffixes(std::size_t i) const {
    for (;;) {
      if (t_.is(i, '[') && t_.match(i) != kNone) {
        i = t_.match(i) + 1;
      } else if ((t_.is(i, '.') || t_.is(i, "->")) && t_.is_identifier(i + 1)) {
        i += 2;
      } else {
        return i;
      }
    }
  }

  bool is_operand_end(std::size_t i) const {
    const bool names = t_.is_identifier(i) && !is_keyword(t_, i);
    return names || t_[i].kind == TokenKind::number || t_.is(i, ')') || t_.is(i, ']') || t_.is(i, '>');
  }

  void add(TokenRange element, VolatileAccess access) {
    element.end = past_suffixes(element.end);
    // Of `(*s)[i]` and `(s[i]) = x` the parentheses are a part.
    while (t_.is(element.begin - 1, '(') && t_.match(element.begin - 1) == element.end) {
      const std::size_t behind = past_suffixes(element.end + 1);
      if (is_operand_end(element.begin - 2) || (behind == element.end + 1 && !is_assignment(t_, behind))) break;
      element = {element.begin - 1, behind};
    }
    access.element = element;
    const std::size_t before = element.begin - 1;
    const bool is_cast = t_.is(before - 1, ')') && t_.is(before - 2, '*');
    if (t_.is(before, '&') && (!is_operand_end(before - 1) || is_cast)) return;  // its address is taken
    if (is_assignment(t_, element.end)) access.store = element.end;
    access.is_read = !t_.is(element.end, '=');
    found_.push_back(access);
  }

  const Tokens& t_;
  const Function& f_;
  bool bare_members_ = false;
  const VolatileNames& outer_;
  VolatileNames names_;
  std::vector<VolatileAccess> found_;
};

}  // namespace

void VolatileNames::add(const VolatileName& name) {
  by_name_[name.name].push_back(name);
  kinds_ |= kind_of(name.name);
}

const VolatileName* VolatileNames::at(const Tokens& tokens, std::size_t i, bool behind_dot, bool bare_members) const {
  const auto named = by_name_.find(tokens.text(i));
  if (named == by_name_.end()) return nullptr;
  const auto fits = [&](const VolatileName& name) {
    if (i < name.scope.begin || i >= name.scope.end) return false;
    return name.is_member ? behind_dot || bare_members : !behind_dot;
  };
  const auto last = std::find_if(named->second.rbegin(), named->second.rend(), fits);
  return last == named->second.rend() ? nullptr : &*last;
}

bool VolatileNames::may_contain(std::string_view name) const {
  return (kinds_ & kind_of(name)) != 0;
}

VolatileNames outer_volatile_names(const TranslationUnit& program) {
  VolatileNames names;
  const Tokens& tokens = program.tokens;
  for (const VariableDeclaration& variable : program.outline.variables) {
    if (!mentions_reread(tokens, variable.begin, variable.end)) continue;
    add_names(tokens, {variable.specifiers, variable.end - 1}, false,
              {.name = {}, .scope = {variable.end, tokens.size()}}, names);
  }
  for (const EnclosingScope& scope : program.outline.scopes) {
    if (scope.kind != ScopeKind::type || tokens.match(scope.open) == kNone) continue;
    if (mentions_reread(tokens, scope.open, tokens.match(scope.open))) add_members(tokens, scope, names);
  }
  return names;
}

std::vector<VolatileAccess> volatile_accesses(const TranslationUnit& program, const Function& function,
                                              const VolatileNames& outer) {
  return Accesses(program, function, outer).find();
}

}  // namespace warpfiber::translate
