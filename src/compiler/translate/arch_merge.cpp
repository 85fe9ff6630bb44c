// SPDX-License-Identifier: Apache-2.0
//
// Reads both texts (declarations.hpp) and pairs declarations by file, line and name. A function whose bodies differ
// gets both, with a test of where it runs; what only the device's text has is added.
#include "translate/arch_merge.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "translate/text/declarations.hpp"
#include "translate/text/edits.hpp"
#include "translate/text/lines.hpp"
#include "translate/text/parameters.hpp"
#include "translate/text/tokens.hpp"

namespace warpfiber::translate {
namespace {

struct MergeInput {
  explicit MergeInput(std::string_view text) : tokens(text), outline(translate::outline(tokens)) {}
  std::string_view text(TokenRange range) const {
    const std::size_t begin = tokens[range.begin].begin;
    return tokens.source().substr(begin, tokens[range.end - 1].end - begin);
  }
  Tokens tokens;
  Outline outline;
};

bool is_same(const MergeInput& a, TokenRange in_a, const MergeInput& b, TokenRange in_b) {
  if (in_a.end - in_a.begin != in_b.end - in_b.begin) return false;
  for (std::size_t i = 0; i < in_a.end - in_a.begin; ++i) {
    if (a.tokens.text(in_a.begin + i) != b.tokens.text(in_b.begin + i)) return false;
  }
  return true;
}

TokenRange whole(const Declaration& declaration) {
  return {declaration.begin, declaration.end};
}
TokenRange head(const Function& function) {
  return {function.begin, function.body.empty() ? function.end : function.body.begin};
}
TokenRange parameters(const Function& function) {
  return {function.open, function.close + 1};
}
bool is_of_both(const Function& function) {
  return function.qualifiers.has(Keyword::host) && function.qualifiers.has(Keyword::device);
}

/// The name of the last thing that a statement declares; empty for none.
std::string declared_name(const Tokens& tokens, TokenRange statement) {
  const std::vector<Declarator> declarators = read_declarators(tokens, statement);
  const bool named = !declarators.empty() && declarators.back().name != kNone;
  return named ? std::string(tokens.text(declarators.back().name)) : std::string();
}

/// What a declaration makes a type or constant of; empty for any other. A specialisation's name has its arguments; an
/// enumeration without a name has that of its first enumerator.
std::string type_or_constant(const Tokens& tokens, const VariableDeclaration& declaration) {
  const std::size_t i = skip_attributes(tokens, declaration.specifiers);
  if (tokens.is(i, "using")) return tokens.is(i + 2, '=') ? std::string(tokens.text(i + 1)) : std::string();
  if (tokens.is(i, "typedef")) return declared_name(tokens, {i + 1, declaration.end - 1});
  if (tokens.is(i, "struct") || tokens.is(i, "class") || tokens.is(i, "union") || tokens.is(i, "enum")) {
    const std::size_t name = skip_attributes(tokens, i + 1);
    const std::size_t open = find_mark(tokens, i, declaration.end, '{');
    const std::size_t name_end = std::min(open, find_mark(tokens, i, declaration.end, ':'));
    if (open == declaration.end && declaration.templates.empty()) return {};
    if (open == declaration.end) return "declared " + flat_text(tokens, name, declaration.end - 1);
    return flat_text(tokens, name, name_end == name ? open + 2 : name_end);
  }
  return declaration.is_constant ? declared_name(tokens, {i, declaration.end - 1}) : std::string();
}

/// As much of a type or constant as declares nothing else: of a class what stands before its members.
TokenRange own_part(const Tokens& tokens, const VariableDeclaration& declaration) {
  const std::size_t i = skip_attributes(tokens, declaration.specifiers);
  const bool is_class = tokens.is(i, "struct") || tokens.is(i, "class") || tokens.is(i, "union");
  return {declaration.begin, is_class ? find_mark(tokens, i, declaration.end, '{') : declaration.end};
}

/// A name for every scope that is the same in both texts: namespaces have theirs, since they are opened many times,
/// classes have their place.
std::vector<std::string> scope_names(const MergeInput& side, const Outline& outline) {
  std::vector<std::string> names(outline.scopes.size());
  LineCursor cursor(side.tokens);
  for (std::size_t id = 1; id < names.size(); ++id) {
    const EnclosingScope& scope = outline.scopes[id];
    names[id] = names[scope.parent] + "::";
    if (!scope.name.empty()) names[id] += flat_text(side.tokens, scope.name.begin, scope.name.end);
    if (scope.kind != ScopeKind::type) continue;
    const Position at = cursor.at(side.tokens[scope.open].begin);
    names[id].append(at.file).append(":").append(std::to_string(at.line));
  }
  return names;
}

/// A parameter without its name and its default.
std::string unnamed(const Tokens& tokens, const Parameter& parameter) {
  const TokenRange all = parameter.declaration;
  const std::size_t name = parameter.name == kNone ? all.end : parameter.name;
  std::string text = flat_text(tokens, all.begin, name);
  if (name < all.end) text += ' ' + flat_text(tokens, name + 1, all.end);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// What distinguishes a function from others of its scope and name, which is the same in both texts although one of
/// them may leave out names of parameters.
std::string shape(const MergeInput& side, const std::vector<std::string>& scopes, const Function& function) {
  std::string text = scopes[function.scope] + flat_text(side.tokens, function.name.begin, function.name.end);
  for (const TokenRange& list : function.templates) {
    text += '<';
    for (const Parameter& parameter : read_template_parameters(side.tokens, list)) {
      text += unnamed(side.tokens, parameter) + ',';
    }
  }
  text += '(';
  for (const Parameter& parameter : read_parameters(side.tokens, {function.open + 1, function.close})) {
    text += unnamed(side.tokens, parameter) + ',';
  }
  return text;
}

/// Where a declaration stands: by it the declarations of the two texts are paired.
using DeclarationKey = std::tuple<std::string_view, unsigned, std::string_view>;  // file, line, name

using FileLine = std::pair<std::string_view, unsigned>;  // file, line

class Merge {
 public:
  Merge(const MergeInput& host, const MergeInput& device) : h_(host), d_(device) {}

  std::string run() {
    use_types_and_constants();
    pair_functions();
    pair_variables();
    return edits_.apply(h_.tokens.source());
  }

 private:
  /// Declarations of one text by where they stand, in order where one place has several.
  template <class T, class NameOf>
  std::multimap<DeclarationKey, const T*> by_place(const MergeInput& side, const std::vector<T>& all,
                                                   NameOf name_of) const {
    std::multimap<DeclarationKey, const T*> places;
    LineCursor cursor(side.tokens);
    for (const T& each : all) {
      const std::size_t name = name_of(each);
      const Position at = cursor.at(side.tokens[name].begin);
      places.emplace(DeclarationKey{at.file, at.line, side.tokens.text(name)}, &each);
    }
    return places;
  }

  /// Calls `both(host's, device's)` for pairs and returns those of the host and of the device that have no partner.
  template <class T, class NameOf, class Both>
  std::pair<std::vector<const T*>, std::vector<const T*>> pair_up(const std::vector<T>& host,
                                                                  const std::vector<T>& device, NameOf name_of,
                                                                  Both both) const {
    auto places = by_place(h_, host, [&](const T& each) { return name_of(h_, each); });
    std::vector<const T*> host_only;
    std::vector<const T*> device_only;
    LineCursor cursor(d_.tokens);
    for (const T& each : device) {
      const std::size_t name = name_of(d_, each);
      const Position at = cursor.at(d_.tokens[name].begin);
      const auto found = places.find(DeclarationKey{at.file, at.line, d_.tokens.text(name)});
      if (found == places.end()) {
        device_only.push_back(&each);
      } else {
        both(*found->second, each);
        places.erase(found);
      }
    }
    for (const auto& place : places) host_only.push_back(place.second);
    return {host_only, device_only};
  }

  void pair_functions() {
    const auto name_of = [](const MergeInput&, const Function& function) { return function.name.begin; };
    std::vector<std::pair<const Function*, const Function*>> pairs;
    const auto [host_only, device_only] =
        pair_up(h_.outline.functions, d_.outline.functions, name_of,
                [&](const Function& host, const Function& device) { pairs.emplace_back(&host, &device); });
    std::map<std::string, const Function*> others;  // of the host's text alone
    const std::vector<std::string> host_scopes = scope_names(h_, h_.outline);
    for (const Function* function : host_only) {
      const bool is_of_host = function->qualifiers.has(Keyword::global) || is_of_both(*function);
      if (is_of_host) others.emplace(shape(h_, host_scopes, *function), function);
      if (function->qualifiers.has(Keyword::device) && !is_of_both(*function)) remove(whole(*function));
    }
    const std::vector<std::string> device_scopes = scope_names(d_, d_.outline);
    const auto other_of = [&](const Function& device) -> const Function* {
      if (others.empty()) return nullptr;
      const auto found = others.find(shape(d_, device_scopes, device));
      return found == others.end() ? nullptr : found->second;
    };
    for (const auto& [host, device] : pairs) merge_or_join(*host, *device, other_of(*device));
    for (const Function* function : device_only) {
      if (function->qualifiers.on_device()) add_or_join(*function, other_of(*function));
    }
  }

  /// A function of both sides, or one of both texts that stands in `other` once more in the host's: #if has chosen
  /// another file for each.
  void merge_or_join(const Function& host, const Function& device, const Function* other) {
    const bool twice = other != nullptr && is_of_both(device) && !other->body.empty() && !host.body.empty();
    if (!twice) return merge(host, device);
    join_bodies(*other, device);
    const std::size_t begin = h_.tokens[host.body.begin].begin;
    const std::size_t end = h_.tokens[host.body.end - 1].end;
    edits_.replace(begin, end, ";" + line_breaks(h_.tokens, begin, end));
  }

  /// A function of the device's text alone, which stands elsewhere in the host's: a kernel is the device's, another one
  /// has both bodies.
  void add_or_join(const Function& device, const Function* other) {
    if (other != nullptr && is_of_both(*other) && is_same(h_, parameters(*other), d_, parameters(device))) {
      return may_move_down(*other, device) ? join_further_down(*other, device) : join_bodies(*other, device);
    }
    if (other != nullptr) remove(whole(*other));
    add(device);
  }

  /// Whether the host's function may stand where the device's does, whose body may need what stands before it there.
  bool may_move_down(const Function& host, const Function& device) {
    const EnclosingScope& scope = h_.outline.scopes[host.scope];
    if (scope.kind == ScopeKind::type || host.body.empty() || device.body.empty()) return false;
    const std::size_t to = next_of_host(whole(device));
    const std::size_t scope_end = host.scope == 0 ? h_.tokens.size() - 1 : h_.tokens.match(scope.open);
    if (to < host.end || to > scope_end) return false;
    for (std::size_t i = host.end; i < to; ++i) {
      if (h_.tokens.is(i, h_.tokens.text(host.name.begin))) return false;
    }
    return true;
  }

  void join_further_down(const Function& host, const Function& device) {
    const std::size_t offset = h_.tokens[next_of_host(whole(device))].begin;
    edits_.insert(offset, moved(head(device)) + "{" + where_it_runs(host, device) + moved(device.body) + " else " +
                              continue_at(h_.tokens, h_.tokens[host.body.begin].begin) +
                              std::string(h_.text(host.body)) + "}" + continue_at(h_.tokens, offset));
    remove(whole(host));
  }

  void pair_variables() {
    const auto name_of = [](const MergeInput& side, const VariableDeclaration& variable) {
      const auto declarators = read_declarators(side.tokens, {variable.specifiers, variable.end - 1});
      return declarators.empty() || declarators[0].name == kNone ? variable.begin : declarators[0].name;
    };
    const auto device_only = pair_up(h_.outline.variables, d_.outline.variables, name_of,
                                     [&](const VariableDeclaration& host, const VariableDeclaration& device) {
                                       if (!is_same(h_, whole(host), d_, whole(device)))
                                         replace(whole(host), whole(device));
                                     })
                                 .second;
    for (const VariableDeclaration* variable : device_only) {
      if (!host_declares(d_.tokens.text(name_of(d_, *variable)))) add_declaration(*variable);
    }
  }

  /// What functions of the device may use and that stands in the device's text only, so before they are added. What
  /// the host has by the same name becomes the device's, since one type serves both, and kernels are made of it.
  void use_types_and_constants() {
    const Outline all = outline(d_.tokens, true);
    const TypesAndConstants of_host = types_and_constants(h_, all_of_host());
    std::vector<const VariableDeclaration*> missing;
    for (const auto& [key, of_device] : types_and_constants(d_, all)) {
      const auto found = of_host.find(key);
      if (found == of_host.end()) {
        missing.insert(missing.end(), of_device.begin(), of_device.end());
      } else if (found->second.size() == of_device.size()) {
        for (std::size_t i = 0; i < of_device.size(); ++i) {
          const VariableDeclaration& host = *found->second[i];
          if (!is_class_elsewhere(host, *of_device[i])) {
            use_own_part(host, *of_device[i]);
          } else if (stands_before(*of_device[i], host)) {
            remove(whole(host));
            missing.push_back(of_device[i]);
          } else {
            replace(whole(host), whole(*of_device[i]));
            added_.insert(of_device[i]->begin);
          }
        }
      }
    }
    std::ranges::sort(missing, {}, &VariableDeclaration::begin);
    for (const VariableDeclaration* declaration : missing) {
      if (is_plain(*declaration)) add_type_or_constant(*declaration, all.scopes);
    }
  }

  void add_type_or_constant(const VariableDeclaration& device, const std::vector<EnclosingScope>& scopes) {
    const EnclosingScope& scope = scopes[device.scope];
    if (scope.kind == ScopeKind::type && !host_scopes().contains(place(d_.tokens, scope.open))) return;
    add_declaration(device, scopes);
  }

  /// By scope and name.
  using TypesAndConstants = std::map<std::pair<std::string, std::string>, std::vector<const VariableDeclaration*>>;

  static TypesAndConstants types_and_constants(const MergeInput& side, const Outline& all) {
    TypesAndConstants found;
    const std::vector<std::string> scopes = scope_names(side, all);
    for (const VariableDeclaration& variable : all.variables) {
      const std::string name = type_or_constant(side.tokens, variable);
      if (!name.empty()) found[{scopes[variable.scope], name}].push_back(&variable);
    }
    return found;
  }

  static bool is_plain(const VariableDeclaration& declaration) {
    return declaration.qualifiers.none() && !declaration.is_extern;
  }

  void use_own_part(const VariableDeclaration& host, const VariableDeclaration& device) {
    if (!is_plain(host) || !is_plain(device)) return;
    const TokenRange in_host = own_part(h_.tokens, host);
    const TokenRange in_device = own_part(d_.tokens, device);
    if (!is_same(h_, in_host, d_, in_device)) replace(in_host, in_device);
  }

  /// Whether the texts have different classes of one name, in one file: `#if` has chosen another one for each. A class
  /// that does something for the host, as one that logs, stays the host's.
  bool is_class_elsewhere(const VariableDeclaration& host, const VariableDeclaration& device) {
    const TokenRange in_host = own_part(h_.tokens, host);
    const TokenRange in_device = own_part(d_.tokens, device);
    const bool have_members = in_host.end != host.end && in_device.end != device.end;
    if (!have_members || !is_plain(host) || !is_plain(device)) return false;
    const FileLine at_host = place(h_.tokens, in_host.end);
    const FileLine at_device = place(d_.tokens, in_device.end);
    if (at_host.first != at_device.first || at_host.second == at_device.second) return false;
    return std::ranges::none_of(all_of_host().functions, [&](const Function& function) {
      const bool is_member = function.begin >= host.begin && function.end <= host.end;
      return is_member && function.qualifiers.none() && !function.is_constexpr;
    });
  }

  bool stands_before(const VariableDeclaration& device, const VariableDeclaration& host) const {
    return place(d_.tokens, device.begin).second < place(h_.tokens, host.begin).second;
  }

  void merge(const Function& host, const Function& device) {
    if (is_same(h_, whole(host), d_, whole(device))) return;
    if (is_of_both(host)) {
      if (is_same(h_, head(host), d_, head(device))) join_bodies(host, device);
    } else if (host.qualifiers.on_device()) {
      replace(whole(host), whole(device));
    }
  }

  static std::string where_it_runs(const Function& host, const Function& device) {
    return host.is_constexpr || device.is_constexpr
               ? " if (!__builtin_is_constant_evaluated() && ::warpfiber::cuda::on_device()) "
               : " if (::warpfiber::cuda::on_device()) ";
  }

  /// `{ if (on_device()) { DEVICE } else { HOST } }`.
  void join_bodies(const Function& host, const Function& device) {
    if (host.body.empty() || device.body.empty()) return;
    const std::size_t begin = h_.tokens[host.body.begin].end;
    edits_.insert(begin, where_it_runs(host, device) + moved(device.body) + " else {" + continue_at(h_.tokens, begin));
    edits_.insert(h_.tokens[host.body.end - 1].begin, "} ");
  }

  /// A function of the device that stands in the device's text only. The host may have one of the same name and
  /// parameters without a qualifier: then each has its own body.
  void add(const Function& device) {
    for (const Function& host : all_of_host().functions) {
      const bool same = host.qualifiers.none() && is_same(h_, host.name, d_, device.name) &&
                        is_same(h_, parameters(host), d_, parameters(device)) && !host.body.empty();
      if (same && !device.body.empty() && host.templates.size() == device.templates.size() &&
          scope_names_of_host()[host.scope] == scope_names_of_device()[device.scope])
        return join_bodies(host, device);
    }
    const VariableDeclaration* behind = later_variable(device);
    behind == nullptr ? add_declaration(device) : define_behind(*behind, device);
  }

  /// The last variable that the function mentions and the host's text declares further down than the function stands.
  const VariableDeclaration* later_variable(const Function& device) const {
    if (device.scope != 0 || device.body.empty()) return nullptr;
    const Position at = locate(d_.tokens, d_.tokens[device.begin].begin);
    const VariableDeclaration* last = nullptr;
    for (const VariableDeclaration& variable : h_.outline.variables) {
      if (variable.scope != 0) continue;
      const Position place = locate(h_.tokens, h_.tokens[variable.begin].begin);
      if (place.file == at.file && place.line > at.line && mentions(device.body, variable)) last = &variable;
    }
    return last;
  }

  bool mentions(TokenRange body, const VariableDeclaration& variable) const {
    for (const Declarator& declarator : read_declarators(h_.tokens, {variable.specifiers, variable.end - 1})) {
      if (declarator.name == kNone) continue;
      for (std::size_t i = body.begin; i < body.end; ++i) {
        if (d_.tokens.is(i, h_.tokens.text(declarator.name))) return true;
      }
    }
    return false;
  }

  /// A declaration where the function stands, and the function behind the variable.
  void define_behind(const VariableDeclaration& variable, const Function& device) {
    insert(head(device), ";");
    const std::size_t offset = h_.tokens[variable.end - 1].end;
    edits_.insert(offset, moved(whole(device)) + continue_at(h_.tokens, offset));
  }

  /// A declaration of the device, with all of the namespace or class around it that the host does not have.
  void add_declaration(const Declaration& device) { add_declaration(device, d_.outline.scopes); }
  void add_declaration(const Declaration& device, const std::vector<EnclosingScope>& scopes) {
    TokenRange range = whole(device);
    for (std::size_t id = device.scope; id != 0; id = scopes[id].parent) {
      const EnclosingScope& scope = scopes[id];
      if (host_scopes().contains(place(d_.tokens, scope.open))) continue;
      range = {scope.begin, std::min(d_.tokens.match(scope.open), d_.tokens.size() - 1) + 1};
      if (scope.kind == ScopeKind::type) range.end = find_mark(d_.tokens, range.end, d_.tokens.size(), ';') + 1;
    }
    if (added_.insert(range.begin).second) insert(range);
  }

  static FileLine place(const Tokens& tokens, std::size_t i) {
    const Position at = locate(tokens, tokens[i].begin);
    return {at.file, at.line};
  }

  /// Where the host opens namespaces and classes.
  const std::set<FileLine>& host_scopes() {
    if (host_scopes_) return *host_scopes_;
    host_scopes_.emplace();
    LineCursor cursor(h_.tokens);
    for (const EnclosingScope& scope : all_of_host().scopes) {
      if (scope.open == kNone) continue;
      const Position at = cursor.at(h_.tokens[scope.open].begin);
      host_scopes_->insert({at.file, at.line});
    }
    return *host_scopes_;
  }

  bool host_declares(std::string_view name) {
    for (const VariableDeclaration& variable : all_of_host().variables) {
      for (const Declarator& declarator : read_declarators(h_.tokens, {variable.specifiers, variable.end - 1})) {
        if (declarator.name != kNone && h_.tokens.text(declarator.name) == name) return true;
      }
    }
    return false;
  }

  const Outline& all_of_host() {
    if (!all_of_host_) all_of_host_ = outline(h_.tokens, true);
    return *all_of_host_;
  }

  const std::vector<std::string>& scope_names_of_host() {
    if (scope_names_of_host_.empty()) scope_names_of_host_ = scope_names(h_, all_of_host());
    return scope_names_of_host_;
  }

  const std::vector<std::string>& scope_names_of_device() {
    if (scope_names_of_device_.empty()) scope_names_of_device_ = scope_names(d_, d_.outline);
    return scope_names_of_device_;
  }

  /// A part of the device's text with a marker that keeps its lines.
  std::string moved(TokenRange range) const {
    return continue_at(d_.tokens, d_.tokens[range.begin].begin) + std::string(d_.text(range));
  }

  void replace(TokenRange in_host, TokenRange in_device) {
    const std::size_t begin = h_.tokens[in_host.begin].begin;
    const std::size_t end = h_.tokens[in_host.end - 1].end;
    edits_.replace(begin, end, moved(in_device) + continue_at(h_.tokens, end));
  }

  void remove(TokenRange in_host) {
    const std::size_t begin = h_.tokens[in_host.begin].begin;
    const std::size_t end = h_.tokens[in_host.end - 1].end;
    edits_.replace(begin, end, ";" + line_breaks(h_.tokens, begin, end));
  }

  /// The host's first token that stands at the same line of the file or later.
  std::size_t next_of_host(TokenRange in_device) {
    const Position at = locate(d_.tokens, d_.tokens[in_device.begin].begin);
    if (!cursor_ || at.file != last_file_ || at.line < last_line_) {
      cursor_.emplace(h_.tokens);
      next_ = 0;
    }
    last_file_ = at.file;
    last_line_ = at.line;
    for (; next_ < h_.tokens.size(); ++next_) {
      position_ = cursor_->at(h_.tokens[next_].begin);
      if (position_.file == at.file && position_.line >= at.line) break;
    }
    return next_;
  }

  void insert(TokenRange in_device, const char* end = "") {
    const std::size_t offset = h_.tokens[next_of_host(in_device)].begin;
    edits_.insert(offset, moved(in_device) + end + continue_at(h_.tokens, offset));
  }

  const MergeInput& h_;
  const MergeInput& d_;
  Edits edits_;
  std::optional<Outline> all_of_host_;
  std::optional<std::set<FileLine>> host_scopes_;
  std::vector<std::string> scope_names_of_host_;    // of all_of_host()
  std::vector<std::string> scope_names_of_device_;  // of its outline
  std::set<std::size_t> added_;  // first tokens of the device's declarations that were put into the host's text
  // What next_of_host() has found last.
  std::optional<LineCursor> cursor_;
  std::size_t next_ = 0;
  Position position_;
  std::string_view last_file_;
  unsigned last_line_ = 0;
};

}  // namespace

std::string merge_for_arch(std::string_view host, std::string_view device) {
  const MergeInput of_host(host);
  const MergeInput of_device(device);
  const std::string with_includes = with_includes_of_device(of_host.tokens, of_device.tokens);
  if (with_includes.empty()) return Merge(of_host, of_device).run();
  return Merge(MergeInput(with_includes), of_device).run();
}

}  // namespace warpfiber::translate
