// SPDX-License-Identifier: Apache-2.0
// Looks at each word of the program's functions once, and asks whether the name could be one that this side does not
// have.
#include "translate/rules/suspects.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translate/passes.hpp"
#include "translate/rules/library.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate {
namespace {

constexpr std::string_view kStreams[] = {"cerr", "cin", "clog", "cout", "stderr", "stdin", "stdout"};

std::string_view last_part(std::string_view name) {
  const std::size_t at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

class SuspectSearch {
 public:
  SuspectSearch(const Tokens& tokens, const Outline& everything, const Spaces& spaces) : t_(tokens), s_(spaces) {
    for (const SpacedFunction& function : s_.functions) {
      const std::string_view name = last_part(function.name);
      if (function.space == ExecutionSpace::host && !function.is_defaulted && name != "main") host_.insert(name);
      if (is_only_device(function.space)) device_.insert(name);
    }
    for (const SpacedVariable& variable : s_.variables) {
      (variable.on_device ? device_variables_ : host_variables_).insert(last_part(variable.name));
    }
    for (const Function& function : everything.functions) {
      const bool is_in_library = !everything.in_class(function) && is_in_system_header(function.name.begin);
      if (is_in_library) library_.insert(t_.text(function.name.end - 1));
    }
  }

  bool suspects() const {
    for (const auto* list : {&s_.functions, &s_.lambdas}) {
      for (const SpacedFunction& function : *list) {
        if (function.body == kNone) continue;
        if (function.space == ExecutionSpace::host ? host_breaks(function) : device_breaks(function)) return true;
      }
    }
    return false;
  }

 private:
  /// Our headers are none of the system's.
  bool is_in_system_header(std::size_t token) const {
    const auto& markers = t_.markers();
    const auto after = std::ranges::upper_bound(markers, t_[token].begin, {}, &LineMarker::next_line);
    return after != markers.begin() && (after - 1)->system;
  }

  bool follows_member(std::size_t i) const { return i > 0 && (t_.is(i - 1, '.') || t_.is(i - 1, "->")); }
  bool is_called(std::size_t i) const { return t_.is(i + 1, '(') || (t_.is(i + 1, '<') && !t_.is(i + 2, '<')); }

  bool device_breaks(const SpacedFunction& function) const {
    // What a template is made for may have operators of the host.
    if (function.is_template && !s_.classes_with_operators.empty()) return true;
    if (function.space == ExecutionSpace::both && calls(function, device_)) return true;
    for (std::size_t i = function.tokens.begin; i < function.tokens.end; ++i) {
      if (t_.is_identifier(i) && word_breaks(i)) return true;
    }
    return false;
  }

  bool word_breaks(std::size_t i) const {
    const std::string_view word = t_.text(i);
    if (host_.contains(word) || std::ranges::find(kStreams, word) != std::end(kStreams)) return true;
    if (follows_member(i)) return false;
    const auto is_class = [word](const std::string& name) { return last_part(name) == word; };
    if (host_variables_.contains(word) || std::ranges::any_of(s_.classes_with_operators, is_class)) return true;
    if (word == "std" && t_.is(i + 1, "::") && !(i > 0 && t_.is(i - 1, "::")))
      return !is_std_name_of_device(t_.text(i + 2));
    if (!is_called(i)) return false;
    if (word.starts_with("cuda")) return !is_runtime_function_of_device(word);
    return library_.contains(word) && t_.is(i + 1, '(') && !is_c_function_of_device(word) && !device_.contains(word);
  }

  bool calls(const SpacedFunction& function, const std::set<std::string_view>& names) const {
    for (std::size_t i = function.body; i < function.tokens.end; ++i) {
      if (t_.is_identifier(i) && is_called(i) && names.contains(t_.text(i))) return true;
    }
    return false;
  }

  bool host_breaks(const SpacedFunction& function) const {
    for (std::size_t i = function.tokens.begin; i < function.tokens.end; ++i) {
      if (!t_.is_identifier(i)) continue;
      if (const std::size_t end = end_of_device_lambda(i); end != i) {
        i = end;
      } else if (is_called(i) && device_.contains(t_.text(i))) {
        return true;
      } else if (!follows_member(i) && device_variables_.contains(t_.text(i)) && use_of(t_, i) != VariableUse::none) {
        return true;
      }
    }
    return names_class_of_device(function);
  }

  /// Whether a class with constructors of the device only is named.
  bool names_class_of_device(const SpacedFunction& function) const {
    for (const SpacedFunction& other : s_.functions) {
      if (!is_only_device(other.space) || !other.is_special_member) continue;
      const std::string_view name = last_part(other.name);
      for (std::size_t i = function.body; i < function.tokens.end; ++i) {
        if (t_.is(i, name.substr(name.starts_with('~') ? 1 : 0))) return true;
      }
    }
    return false;
  }

  std::size_t end_of_device_lambda(std::size_t i) const {
    for (const SpacedFunction& lambda : s_.lambdas) {
      if (lambda.space != ExecutionSpace::host && lambda.tokens.begin <= i && i < lambda.tokens.end)
        return lambda.tokens.end;
    }
    return i;
  }

  const Tokens& t_;
  const Spaces& s_;
  std::set<std::string_view> host_;
  std::set<std::string_view> device_;
  std::set<std::string_view> device_variables_;
  std::set<std::string_view> host_variables_;
  std::set<std::string_view> library_;
};

/// The function in whose arguments token `i` is, and nothing else: `f(i)`, `f(a, i)`.
std::string_view called_with(const Tokens& tokens, std::size_t i) {
  for (std::size_t at = i; at-- > 0;) {
    if (tokens.is(at, ')') || tokens.is(at, ']') || tokens.is(at, '}')) {
      const std::size_t open = tokens.match(at);
      if (open == kNone) return {};
      at = open;
    } else if (tokens.is(at, '(')) {
      return at > 0 && tokens.is_identifier(at - 1) ? tokens.text(at - 1) : std::string_view();
    } else if (tokens.is(at, ';') || tokens.is(at, '{')) {
      return {};
    }
  }
  return {};
}

/// Behind the elements and members of the object at `i`.
std::size_t behind_parts(const Tokens& tokens, std::size_t i) {
  std::size_t at = i + 1;
  while (tokens.is(at, '[') || tokens.is(at, '.')) at = tokens.is(at, '[') ? after_group(tokens, at) : at + 2;
  return at;
}

}  // namespace

VariableUse use_of(const Tokens& tokens, std::size_t i) {
  const std::string_view function = called_with(tokens, i);
  if (function.starts_with("cuda") || function == "sizeof" || function == "decltype") return VariableUse::none;
  if (i == 0 || tokens.is(i - 1, '&') || tokens.is(i - 1, "::")) return VariableUse::none;
  const std::size_t next = behind_parts(tokens, i);
  const bool stores = tokens.is(next, '=') && !tokens.is(next + 1, '=');
  constexpr std::string_view kStores[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"};
  const auto is_store = [&](std::size_t at) {
    return std::ranges::find(kStores, tokens.text(at)) != std::end(kStores);
  };
  if (stores || is_store(next) || tokens.is(i - 1, "++") || tokens.is(i - 1, "--")) return VariableUse::written;
  const bool is_bound = tokens.is(i - 1, '=') && i > 2 && tokens.is(i - 3, '&');
  return is_bound ? VariableUse::none : VariableUse::read;
}

bool may_break_rules(const Tokens& tokens, const Outline& everything, const Spaces& spaces) {
  return SuspectSearch(tokens, everything, spaces).suspects();
}

// Follows the names of the arrays through the text. A checked program says at the read what has been overwritten.

namespace {

/// As its function declares it.
struct DynamicArray {
  std::string_view name;
  std::size_t declared = kNone;
  std::size_t written = kNone;  // where it was last written, in the order of the text
};

std::vector<DynamicArray> dynamic_arrays(const Tokens& t, TokenRange body) {
  std::vector<DynamicArray> arrays;
  for (std::size_t i = body.begin; i < body.end; ++i) {
    if (t[i].keyword != Keyword::shared) continue;
    std::size_t begin = i;
    while (!t.is(begin - 1, ';') && !t.is(begin - 1, '{') && !t.is(begin - 1, '}')) --begin;
    bool is_extern = false;
    for (std::size_t at = begin; !t.ends(at) && !t.is(at, ';'); ++at) {
      is_extern |= t.is(at, "extern");
      const bool is_name = is_extern && t.is_identifier(at) && t.is(at + 1, '[') && t.is(at + 2, ']');
      if (is_name) arrays.push_back({t.text(at), at});
    }
  }
  return arrays;
}

const DynamicArray* written_over(const std::vector<DynamicArray>& arrays, const DynamicArray& used) {
  for (const DynamicArray& other : arrays) {
    const bool both = used.written != kNone && other.written != kNone;
    if (other.name != used.name && both && other.written > used.written) return &other;
  }
  return nullptr;
}

}  // namespace

std::optional<OneMemory> find_one_memory(const Tokens& tokens, TokenRange body) {
  std::vector<DynamicArray> arrays = dynamic_arrays(tokens, body);
  if (arrays.size() < 2) return {};
  for (std::size_t i = body.begin; i < body.end; ++i) {
    const auto used = std::ranges::find(arrays, tokens.text(i), &DynamicArray::name);
    if (used == arrays.end() || used->declared == i || !tokens.is(i + 1, '[')) continue;
    if (use_of(tokens, i) == VariableUse::written) {
      used->written = i;
    } else if (const DynamicArray* over = written_over(arrays, *used); over != nullptr) {
      return OneMemory{used->name, i, used->written, over->name, over->written};
    }
  }
  return {};
}

void mark_one_memory(TranslationUnit& program) {
  if (!program.options.checked) return;
  const Tokens& tokens = program.tokens;
  const auto line = [&](std::size_t i) { return std::to_string(locate(tokens, program.begin_of(i)).line); };
  for (const Function& function : program.outline.functions) {
    if (!function.qualifiers.on_device() || function.body.empty()) continue;
    const auto found = find_one_memory(tokens, function.body);
    if (!found.has_value()) continue;
    const std::string arguments = "\"" + std::string(found->name) + "\", \"" + std::string(found->other) + "\", " +
                                  line(found->stored) + ", " + line(found->overwritten);
    program.edits.insert(program.begin_of(found->read), "(::warpfiber::cuda::one_memory(" + arguments + "), ");
    program.keep_columns(program.begin_of(found->read));
    program.edits.insert(program.end_of(found->read), ")");
    program.keep_columns(program.end_of(found->read));
  }
}

}  // namespace warpfiber::translate
