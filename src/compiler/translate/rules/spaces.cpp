// SPDX-License-Identifier: Apache-2.0
//
// Takes the declarations of declarations.hpp and keeps those of the user's files, with their full names and places.
#include "translate/rules/spaces.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "translate/passes.hpp"
#include "translate/text/lines.hpp"
#include "translate/text/parameters.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

bool is_class_key(const Tokens& tokens, std::size_t i) {
  return tokens.is(i, "struct") || tokens.is(i, "class") || tokens.is(i, "union");
}

/// The words of a qualified name without template arguments: "S::operator+" for `S<T>::operator +`.
std::string plain_name(const Tokens& tokens, TokenRange range) {
  std::string name;
  bool is_operator = false;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t close = !is_operator && tokens.is(i, '<') ? angle_close(tokens, i) : kNone;
    if (close != kNone && close < range.end) {
      i = close;
      continue;
    }
    is_operator |= tokens.is(i, "operator");
    const bool parts = !name.empty() && tokens.is_identifier(i) && tokens.is_identifier(i - 1);
    name += (parts ? " " : "") + std::string(tokens.text(i));
  }
  return name;
}

class SpaceReader {
 public:
  SpaceReader(const Tokens& tokens, const Outline& outline, const std::vector<std::string>& folders)
      : t_(tokens), o_(outline), folders_(folders) {}

  Spaces read() {
    name_scopes();
    for (const Function& function : o_.functions) add(function);
    for (const VariableDeclaration& variable : o_.variables) add(variable);
    add_lambdas();
    add_launches();
    return std::move(out_);
  }

 private:
  /// locate() would count the lines before each function of the system's headers.
  bool is_users(std::size_t token) const {
    const auto& markers = t_.markers();
    const auto after = std::ranges::upper_bound(markers, t_[token].begin, {}, &LineMarker::next_line);
    if (after == markers.begin()) return false;
    return !is_foreign({(after - 1)->file, 1, 1, (after - 1)->system}, folders_);
  }

  SourcePlace place(std::size_t offset) const {
    const Position at = locate(t_, offset);
    return {unescaped(at.file), at.line, at.column};
  }
  SourcePlace begin_of(std::size_t i) const { return place(t_[i].begin); }
  SourcePlace end_of(std::size_t i) const { return place(t_[i].end); }

  /// What scopes add to the names within, and whether they are templates.
  void name_scopes() {
    for (const EnclosingScope& scope : o_.scopes) {
      std::string name = scope.kind == ScopeKind::type ? class_name(scope) : plain_name(t_, scope.name);
      bool is_template = scope.begin != kNone && scope.kind == ScopeKind::type && t_.is(scope.begin, "template");
      if (scope.begin != kNone) {
        const std::size_t parent = scope.parent;
        if (!paths_[parent].empty()) name.insert(0, paths_[parent] + (name.empty() ? "" : "::"));
        is_template |= in_template_[parent];
      }
      paths_.push_back(std::move(name));
      in_template_.push_back(is_template);
    }
  }

  std::string class_name(const EnclosingScope& scope) const {
    std::size_t i = scope.begin;
    while (i < scope.open && !is_class_key(t_, i)) i = t_.is(i, "template") ? i + 1 : after_item(t_, i);
    if (i >= scope.open) return {};
    std::size_t begin = i + 1;
    for (std::size_t next = skip_attributes(t_, begin); next != begin; next = skip_attributes(t_, begin)) begin = next;
    std::size_t end = begin;
    while (end < scope.open && !t_.is(end, ':') && !t_.is(end, "final")) end = after_item(t_, end);
    return plain_name(t_, {begin, std::min(end, scope.open)});
  }

  std::string path(std::size_t scope, const std::string& name) const {
    return paths_[scope].empty() ? name : paths_[scope] + "::" + name;
  }

  std::size_t outside_of_classes(std::size_t scope) const {
    while (o_.scopes[scope].kind == ScopeKind::type) scope = o_.scopes[scope].parent;
    return scope;
  }

  static ExecutionSpace space_of(const Qualifiers& qualifiers) {
    if (qualifiers.has(Keyword::global)) return ExecutionSpace::kernel;
    if (!qualifiers.has(Keyword::device)) return ExecutionSpace::host;
    return qualifiers.has(Keyword::host) ? ExecutionSpace::both : ExecutionSpace::device;
  }

  /// Whether `= default` or `= delete` stands behind the parameters.
  bool is_defaulted(const Function& function) const {
    for (std::size_t i = function.close + 1; i < function.end; i = after_group(t_, i)) {
      if (t_.is(i, '=')) return t_.is(i + 1, "default") || t_.is(i + 1, "delete");
    }
    return false;
  }

  void add(const Function& function) {
    if (!is_users(function.name.begin)) return;
    SpacedFunction to;
    const std::string name = plain_name(t_, function.name);
    to.name = path(function.is_friend ? outside_of_classes(function.scope) : function.scope, name);
    to.space = space_of(function.qualifiers);
    to.parameters = read_parameters(t_, {function.open + 1, function.close}).size();
    to.is_constexpr = function.is_constexpr;
    to.is_template = !function.templates.empty() || in_template_[function.scope];
    to.is_defaulted = is_defaulted(function);
    to.is_special_member = function.is_special_member;
    to.is_member = o_.in_class(function) || name.find("::") != std::string::npos;
    const std::size_t last = function.body.empty() ? function.end : function.body.end;
    to.tokens = {function.name.begin, last};
    to.body = function.body.empty() ? kNone : function.body.begin;
    to.name_at = begin_of(function.name.begin);
    to.end = end_of(last - 1);
    note_operators(function, to);
    out_.functions.push_back(std::move(to));
  }

  /// These are called without their class being named.
  void note_operators(const Function& function, const SpacedFunction& to) {
    const bool is_operator = t_.is(function.name.begin, "operator") || function.is_special_member;
    if (to.space != ExecutionSpace::host || to.is_defaulted || !is_operator || !o_.in_class(function)) return;
    out_.classes_with_operators.push_back(paths_[function.scope]);
  }

  void add(const VariableDeclaration& variable) {
    const bool is_alias = t_.is(variable.specifiers, "using") || t_.is(variable.specifiers, "typedef");
    if (is_alias || !is_users(variable.specifiers)) return;
    const Qualifiers& words = variable.qualifiers;
    const bool on_device = words.has(Keyword::device) || words.has(Keyword::constant);
    // Managed memory is for both sides, and constants have their values everywhere.
    if (words.has(Keyword::managed) || words.has(Keyword::shared) || (!on_device && variable.is_constant)) return;
    std::size_t end = variable.end;
    while (end > variable.specifiers && t_.is(end - 1, ';')) --end;
    for (const Declarator& declarator : read_declarators(t_, {variable.specifiers, end})) {
      if (declarator.name == kNone || declarator.is_function) continue;
      if (o_.in_class(variable) && !variable.is_static) continue;
      out_.variables.push_back({path(variable.scope, std::string(t_.text(declarator.name))), on_device,
                                words.has(Keyword::constant), begin_of(declarator.name)});
    }
  }

  void add_lambdas() {
    for (const std::size_t count = out_.functions.size(); at_ < count; ++at_) {
      const TokenRange tokens = out_.functions[at_].tokens;
      for (std::size_t i = tokens.begin; i < tokens.end; ++i) {
        if (t_.is(i, '[')) add_lambda(i, out_.functions[at_].space);
      }
    }
  }

  void add_lambda(std::size_t open, ExecutionSpace around) {
    const Lambda lambda = read_lambda(t_, open);
    if (lambda.body.empty()) return;
    Qualifiers words;
    for (std::size_t i = lambda.close + 1; i < lambda.body.begin; i = after_group(t_, i)) {
      if (is_qualifier(t_[i].keyword)) words.add(t_[i].keyword);
    }
    for (const SpacedFunction& outer : out_.lambdas) {
      if (outer.tokens.begin < open && open < outer.tokens.end) around = outer.space;
    }
    SpacedFunction to;
    if (around == ExecutionSpace::kernel) around = ExecutionSpace::device;
    to.space = words.none() ? around : space_of(words);
    to.is_template = t_.is(lambda.close + 1, '<');
    for (std::size_t i = lambda.parameters.begin; i < lambda.parameters.end && lambda.parameters.begin != kNone; ++i) {
      to.is_template |= t_.is(i, "auto");
    }
    to.name_at = begin_of(open);
    to.end = end_of(lambda.body.end - 1);
    to.tokens = {open, lambda.body.end};
    to.body = lambda.body.begin;
    out_.lambdas.push_back(std::move(to));
  }

  void add_launches() {
    for (const std::size_t open : t_.keywords()) {
      if (t_[open].keyword != Keyword::launch || open == 0) continue;
      std::size_t close = open + 3;
      while (!t_.ends(close) && !t_.is(close, ';')) {
        if (t_.is(close, '>') && t_.is(close + 1, '>') && t_.is(close + 2, '>') && t_.is(close + 3, '(')) break;
        close = after_group(t_, close);
      }
      const std::size_t last = t_.is(close + 3, '(') ? t_.match(close + 3) : kNone;
      if (last == kNone) continue;
      // g++ places a call at the end of its callee, clang++ at the first word of it.
      const std::size_t first = callee_begin(t_, open);
      out_.launches.push_back({begin_of(first == kNone ? open - 1 : first), end_of(last), open, callee_of(open)});
    }
  }

  std::size_t callee_of(std::size_t open) const {
    std::size_t name = open - 1;
    if (t_.is(name, '>')) name = angle_open(t_, name);
    if (name == kNone || name < 2) return kNone;
    if (name != open - 1) --name;
    const bool is_member = t_.is(name - 1, '.') || t_.is(name - 1, "->");
    return t_.is_identifier(name) && !is_member ? name : kNone;
  }

  const Tokens& t_;
  const Outline& o_;
  const std::vector<std::string>& folders_;
  std::vector<std::string> paths_;
  std::vector<bool> in_template_;
  std::size_t at_ = 0;
  Spaces out_;
};

bool is_before(const SourcePlace& a, const SourcePlace& b) {
  return std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

}  // namespace

std::string_view name_of(ExecutionSpace space) {
  switch (space) {
    case ExecutionSpace::device: return "__device__";
    case ExecutionSpace::both: return "__host__ __device__";
    case ExecutionSpace::kernel: return "__global__";
    default: return "__host__";
  }
}

bool SpacedFunction::contains(const SourcePlace& place) const {
  if (body == kNone || place.file != name_at.file || place.file != end.file) return false;
  // Without a column only whole lines are certain.
  if (place.column == 0) return name_at.line < place.line && place.line < end.line;
  return !is_before(place, name_at) && !is_before(end, place);
}

const SpacedFunction* Spaces::at(const SourcePlace& place) const {
  const SpacedFunction* innermost = nullptr;
  for (const auto* list : {&functions, &lambdas}) {
    for (const SpacedFunction& function : *list) {
      if (!function.contains(place)) continue;
      if (innermost == nullptr || !is_before(function.name_at, innermost->name_at)) innermost = &function;
    }
  }
  return innermost;
}

bool is_foreign(const Position& position, const std::vector<std::string>& folders) {
  if (position.system || position.file.empty() || position.file.front() == '<') return true;
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    return position.file.starts_with(folder) && position.file.substr(folder.size()).starts_with('/');
  });
}

Spaces read_spaces(const Tokens& tokens, const Outline& everything, const std::vector<std::string>& folders) {
  return SpaceReader(tokens, everything, folders).read();
}

}  // namespace warpfiber::translate
