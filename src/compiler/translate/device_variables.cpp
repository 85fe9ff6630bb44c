// SPDX-License-Identifier: Apache-2.0
//
// Variables of the device: __device__, __constant__, __managed__ at namespace scope. They stay the ordinary variables
// they are without the qualifier, the instance of device 0, and are registered; functions of the device refer to the
// instance of the device that runs them.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "translate/passes.hpp"
#include "translate/text/parameters.hpp"

namespace warpfiber::translate {
namespace {

bool is_device_variable(const TranslationUnit& program, const VariableDeclaration& variable) {
  const Qualifiers& has = variable.qualifiers;
  return (has.has(Keyword::device) || has.has(Keyword::constant) || has.has(Keyword::managed)) &&
         !has.has(Keyword::shared) && !program.outline.in_class(variable);
}

/// A template of its own right: neither a specialisation nor an explicit instantiation, which are uses of it.
bool is_template(const VariableDeclaration& variable) {
  return variable.templates.size() == 1 && !variable.templates.front().empty();
}

bool is_constant(const VariableDeclaration& variable, const Declarator& declarator) {
  return declarator.is_constant_pointer || (variable.is_constant && !declarator.is_pointer);
}

const char* kind_of(const VariableDeclaration& variable) {
  if (variable.qualifiers.has(Keyword::managed)) return "managed";
  return variable.qualifiers.has(Keyword::constant) ? "constant" : "device";
}

class DeviceVariables {
 public:
  explicit DeviceVariables(TranslationUnit& program) : p_(program), t_(program.tokens), visibility_(program) {
    std::vector<TokenRange> ranges;
    for (const VariableDeclaration& variable : p_.outline.variables) ranges.push_back({variable.begin, variable.end});
    declarations_ = merged(std::move(ranges));
  }

  void rewrite() {
    for (const VariableDeclaration& variable : p_.outline.variables) {
      if (!is_device_variable(p_, variable) || !variable.templates.empty() || !variable.is_extern) continue;
      for (const Declarator& declarator : declarators(variable)) extern_.insert(t_.text(declarator.name));
    }
    const bool for_regions = p_.is_for_regions();
    for (const VariableDeclaration& variable : p_.outline.variables) {
      if (!is_device_variable(p_, variable)) continue;
      if (for_regions && variable.qualifiers.has(Keyword::constant)) mark_constant(variable);
      if (variable.templates.empty()) rewrite(variable);
      if (is_template(variable)) rewrite_template(variable);
    }
    if (names_.empty()) return;
    for (const Function& function : p_.outline.functions) refer(function);
    for (const std::size_t word : t_.keywords()) refer_in_lambda(word);
  }

  void name() {
    for (const VariableDeclaration& variable : p_.outline.variables) {
      for (const Declarator& declarator : declarators(variable)) {
        p_.variables.push_back(p_.lines_of(t_.text(declarator.name), {variable.begin, variable.end}));
      }
    }
  }

 private:
  std::vector<Declarator> declarators(const VariableDeclaration& variable) const {
    std::vector<Declarator> all = read_declarators(t_, {variable.specifiers, variable.end - 1});
    all.erase(std::remove_if(all.begin(), all.end(), [](const Declarator& each) { return each.name == kNone; }),
              all.end());
    return all;
  }

  /// For the compiler's plugin (src/compiler/regions): no thread writes it while a kernel runs.
  void mark_constant(const VariableDeclaration& variable) {
    if (!variable.templates.empty() && !is_template(variable)) return;
    p_.edits.insert(p_.begin_of(behind_attributes(variable)), "__attribute__((annotate(\"warpfiber_constant\"))) ");
  }

  void rewrite(const VariableDeclaration& variable) {
    bool own =
        !p_.options.relocatable_device_code && !variable.is_static && !variable.is_extern && !variable.is_constant;
    for (std::size_t i = variable.specifiers; i < variable.end; i = after_item(t_, i)) own = own && !t_.is(i, "inline");
    const std::vector<Declarator> all = declarators(variable);
    for (const Declarator& declarator : all) own = own && !extern_.contains(t_.text(declarator.name));
    if (all.empty()) return;
    const bool zoned = has_red_zone(variable, all);
    const std::string before =
        std::string(own ? "static " : "") + (zoned ? std::string(p_.options.in_order) + " " : "");
    const std::string again = zoned && all.size() > 1 ? specifiers(variable, all.front(), before) : "";
    std::string registered;
    for (const Declarator& declarator : all) {
      registered += registered_as(variable, declarator);
      const bool last = &declarator == &all.back();
      if (!last && again.empty()) continue;
      if (zoned) registered = with_red_zone(t_.text(declarator.name), registered);
      if (!last) {
        const std::size_t comma = declarator.range.end;
        p_.edits.replace(p_.begin_of(comma), p_.end_of(comma), ";" + std::exchange(registered, {}) + " " + again);
      }
    }
    if (!before.empty()) p_.edits.insert(p_.begin_of(behind_attributes(variable)), before);
    if (!registered.empty()) p_.edits.insert(p_.end_of(variable.end - 1), registered);
  }

  /// Each instance is registered by being used somewhere.
  void rewrite_template(const VariableDeclaration& variable) {
    const std::vector<Declarator> all = declarators(variable);
    if (all.size() != 1 || all[0].is_reference || is_constant(variable, all[0])) return;
    const std::string arguments = own_arguments(variable.templates.front());
    if (arguments.empty()) return;
    const std::string name(t_.text(all[0].name));
    p_.edits.insert(p_.end_of(variable.end - 1),
                    " template <" + flat_text(t_, variable.templates.front().begin, variable.templates.front().end) +
                        "> inline const " + variable_object(name, name + arguments, name, kind_of(variable)));
    const std::vector<std::size_t>& places = template_ids()[t_.text(all[0].name)];
    for (auto i = std::ranges::lower_bound(places, variable.end); i != places.end(); ++i) use_instance(*i, name);
  }

  /// Where names stand before a `<`.
  std::map<std::string_view, std::vector<std::size_t>>& template_ids() {
    if (template_ids_.has_value()) return *template_ids_;
    template_ids_.emplace();
    for (std::size_t i = 0; i < t_.size(); ++i) {
      if (t_.is_identifier(i) && t_.is(i + 1, '<')) (*template_ids_)[t_.text(i)].push_back(i);
    }
    return *template_ids_;
  }

  /// `<T, N, Rest...>` of `class T, int N, class... Rest`; empty where one of them has no name.
  std::string own_arguments(TokenRange list) const {
    std::string arguments;
    for (const Parameter& parameter : read_template_parameters(t_, list)) {
      if (parameter.name == kNone) return "";
      arguments += (arguments.empty() ? "<" : ", ") + std::string(t_.text(parameter.name));
      if (parameter.is_pack) arguments += "...";
    }
    return arguments + ">";
  }

  /// The instance that the template-id at `i` names, unless it is declared there.
  void use_instance(std::size_t i, const std::string& name) {
    const std::size_t close = angle_close(t_, i + 1);
    if (close == kNone || t_.is(i - 1, '.') || t_.is(i - 1, "->") || is_declared_at(i)) return;
    std::size_t first = i;
    while (t_.is(first - 1, "::")) first -= t_.is_identifier(first - 2) ? 2 : 1;
    const bool on_device = is_on_device(p_, i);
    p_.edits.insert(p_.begin_of(first),
                    std::string(on_device ? "::warpfiber::cuda::here(" : "") + "::warpfiber::cuda::known(");
    p_.edits.insert(p_.end_of(close), ", " + flat_text(t_, first, i) + "warpfiber_variable_" + name +
                                          flat_text(t_, i + 1, close + 1) + (on_device ? "))" : ")"));
  }

  bool is_declared_at(std::size_t i) const { return cover(declarations_, i); }

  /// What registers it with the runtime. Notes the names that functions of the device refer to.
  std::string registered_as(const VariableDeclaration& variable, const Declarator& declarator) {
    const std::string name(t_.text(declarator.name));
    if (declarator.is_reference) return {};
    // A constant is the same on every device.
    if (!is_constant(variable, declarator) && !variable.qualifiers.has(Keyword::managed))
      names_.add(reference(name), visibility_.of(variable));
    return variable.is_extern ? std::string() : registration(name, kind_of(variable));
  }

  /// Attributes, `before` and specifiers once more, for a declarator that becomes a declaration of its own. Empty where
  /// they define a type, which can be said but once.
  std::string specifiers(const VariableDeclaration& variable, const Declarator& first,
                         const std::string& before) const {
    const std::size_t behind = behind_attributes(variable);
    std::string text;
    for (std::size_t i = variable.specifiers; i < first.name; i = after_item(t_, i)) {
      const bool of_specifier = i > behind && (is_attribute_word(t_, i - 1) || t_.is(i - 1, "alignas") ||
                                               t_.is(i - 1, "decltype") || t_.is(i - 1, "__typeof__"));
      const bool is_group = t_.is(i, '(') && i > behind && !of_specifier;
      if (t_.is(i, '*') || t_.is(i, '&') || is_group) break;
      if (t_.is(i, '{')) return {};
      if (i == behind) text += before;
      if (!is_qualifier(t_[i].keyword)) text += flat_text(t_, i, std::min(after_item(t_, i), first.name)) + " ";
    }
    return text;
  }

  /// Whether the variable lies where the order of the program can put something behind it, and is looked at by hooks,
  /// as constants are not.
  bool has_red_zone(const VariableDeclaration& variable, const std::vector<Declarator>& all) const {
    if (!p_.options.checked || variable.is_extern) return false;
    for (std::size_t i = variable.specifiers; i < variable.end; i = after_item(t_, i)) {
      if (t_.is(i, "inline") || t_.is(i, "constexpr")) return false;
    }
    return std::ranges::none_of(all, [&](const Declarator& each) {
      return each.is_reference || is_constant(variable, each) || t_.is(each.name - 1, "::");
    });
  }

  /// Memory behind a variable that nobody may touch. Zeros and values lie in sections of their own, and the variable
  /// may be in either. Around what registers it: of objects like that only some compilers keep the order. What comes
  /// last ends where the next variable begins, whatever its alignment.
  std::string with_red_zone(std::string_view name, const std::string& registered) {
    const std::string number = std::to_string(++red_zones_);
    const std::string bytes = "[::warpfiber::cuda::kRedZone<decltype(" + std::string(name) + ")>]";
    const std::string order = " static " + std::string(p_.options.in_order) + " ";
    const std::string zeros = "warpfiber_red_zeros_" + number;
    const std::string values = "warpfiber_red_values_" + number;
    const std::string first = "__attribute__((aligned(1))) char ";
    const std::string last = "__attribute__((aligned(64))) char ";
    return order + first + zeros + bytes + ";" + order + first + values + bytes + " = {1};" + order + last + values +
           "_end[64] = {1};" + registered + order + "::warpfiber::cuda::RedZone warpfiber_red_zone_" + number + "{" +
           zeros + ", " + values + ", " + values + "_end};";
  }

  /// The first specifier behind `alignas(16)` and `[[...]]`, which have to come before all others.
  std::size_t behind_attributes(const VariableDeclaration& variable) const {
    std::size_t behind = variable.specifiers;
    for (std::size_t i = behind;;) {
      if (is_qualifier(t_[i].keyword)) {
        ++i;
      } else if (t_.is(i, "alignas") || t_.is(i, '[')) {
        behind = i = after_item(t_, t_.is(i, '[') ? i : i + 1);
      } else {
        return behind;
      }
    }
  }

  std::string registration(const std::string& name, const std::string& kind) {
    return " [[maybe_unused]] static const " + variable_object(name + "_" + std::to_string(++count_), name, name, kind);
  }

  /// What registers `variable`, called `name`.
  static std::string variable_object(const std::string& suffix, const std::string& variable, const std::string& name,
                                     const std::string& kind) {
    return "::warpfiber::cuda::Variable warpfiber_variable_" + suffix + "{" + variable + ", \"" + name +
           "\", ::warpfiber::cuda::VariableKind::" + kind + "};";
  }

  static Reference reference(const std::string& name) {
    const std::string here = "warpfiber_here_" + name;
    return {name, "auto& " + here + " = ::warpfiber::cuda::here(" + name + "); [[maybe_unused]] auto& " + name + " = " +
                      here + ";"};
  }

  void refer(const Function& function) {
    if (!function.qualifiers.on_device() || function.body.empty() || function.is_constexpr) return;
    refer_in_body(p_, function, names_, function.begin);
  }

  /// `[...] __device__ (...) { }` in a function of the host, or outside of functions.
  void refer_in_lambda(std::size_t word) {
    if (t_[word].keyword != Keyword::device || is_in_device_function(p_, word)) return;
    const Lambda lambda = device_lambda(t_, word);
    if (lambda.body.empty()) return;
    Function function;
    function.open = lambda.parameters.begin == kNone ? lambda.close : lambda.parameters.begin - 1;
    function.close = lambda.parameters.begin == kNone ? lambda.close : lambda.parameters.end;
    function.body = lambda.body;
    refer_in_body(p_, function, names_, word);
  }

  TranslationUnit& p_;
  const Tokens& t_;
  Visibility visibility_;
  std::set<std::string_view> extern_;  // declared extern somewhere, so not this translation unit's own
  References names_;                   // that functions of the device refer to
  std::vector<TokenRange> declarations_;
  std::optional<std::map<std::string_view, std::vector<std::size_t>>> template_ids_;
  int count_ = 0;
  int red_zones_ = 0;
};

}  // namespace

void rewrite_device_variables(TranslationUnit& program) {
  DeviceVariables(program).rewrite();
}

void name_device_variables(TranslationUnit& program) {
  DeviceVariables(program).name();
}

}  // namespace warpfiber::translate
