// SPDX-License-Identifier: Apache-2.0
//
// Demangles with the C++ library, and matches names and numbers of parameters with the declarations of the program.
#include "tools/nvcc/rules/symbols.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "report/short_name.hpp"
#include "translate/rules/library.hpp"
#include "translate/text/lines.hpp"

namespace warpfiber::tools::nvcc {
namespace {

using translate::ExecutionSpace;
using translate::SpacedFunction;

/// Without what stands in angles; `operator<` and its like stay.
std::string without_template_arguments(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_operator =
        depth == 0 && (plain.ends_with("operator") || plain.ends_with("operator<") || plain.ends_with("operator-"));
    if (name[i] == '<' && !is_operator) ++depth;
    if (depth == 0) plain += name[i];
    if (name[i] == '>' && depth > 0) --depth;
  }
  return plain;
}

/// Where the list of parameters opens: the first parenthesis outside of all others behind the name.
std::size_t parameters_of(std::string_view text, std::string_view name) {
  const std::size_t at = name.empty() ? std::string_view::npos : text.find(name);
  return at == std::string_view::npos ? at : text.find('(', at + name.size());
}

std::size_t count_parameters(std::string_view text, std::size_t open) {
  if (open >= text.size() || text.substr(open).starts_with("()")) return 0;
  std::size_t count = 1;
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '<' || text[i] == '[') ++depth;
    if ((text[i] == ')' || text[i] == '>' || text[i] == ']') && --depth == 0) break;
    count += text[i] == ',' && depth == 1 ? 1 : 0;
  }
  return count;
}

bool is_in(const std::vector<std::string>& folders, const std::string& file) {
  return std::ranges::any_of(folders, [&](const std::string& folder) { return file.starts_with(folder + "/"); });
}

/// The functions of the user's with that name, those with as many parameters where there are any.
std::vector<const SpacedFunction*> named(const SymbolName& name, const translate::Spaces& spaces) {
  std::vector<const SpacedFunction*> all;
  std::vector<const SpacedFunction*> exact;
  for (const SpacedFunction& function : spaces.functions) {
    if (function.name != name.path) continue;
    all.push_back(&function);
    if (function.parameters == name.parameters) exact.push_back(&function);
  }
  return exact.empty() ? all : exact;
}

/// Nothing where the functions differ: a declaration may leave out the qualifiers that another one has.
std::optional<Target> of_user(const SymbolName& name, const std::vector<const SpacedFunction*>& functions) {
  const auto has = [&](auto&& test) { return std::ranges::any_of(functions, test); };
  if (has([](const SpacedFunction* f) { return f->is_defaulted; })) return std::nullopt;
  Target target{name};
  target.is_users = true;
  target.declared = functions.front()->name_at;
  target.is_constexpr = has([](const SpacedFunction* f) { return f->is_constexpr; });
  // Functions of two sides by one name may be two functions.
  if (has([](const SpacedFunction* f) { return f->space == ExecutionSpace::both; })) return std::nullopt;
  const ExecutionSpace first = functions.front()->space;
  if (has([first](const SpacedFunction* f) { return f->space != first; })) return std::nullopt;
  target.space = first;
  return target;
}

std::optional<Target> of_lambda(const SymbolName& name, const translate::SourcePlace& begin,
                                const translate::Spaces& spaces) {
  const SpacedFunction* innermost = spaces.at(begin);
  // A lambda of a function of the device is the device's.
  const bool is_lambda = innermost != nullptr && innermost->name.empty();
  if (!is_lambda || innermost->space == ExecutionSpace::both || innermost->is_constexpr) return std::nullopt;
  Target target{name};
  target.space = innermost->space;
  target.is_users = true;
  target.declared = innermost->name_at;
  return target;
}

/// The function of a library that is defined at that place: whether it is constexpr, or nothing where there is none.
std::optional<bool> constexpr_in_library(const Judged& program, const SymbolName& name,
                                         const translate::SourcePlace& begin) {
  const translate::Tokens& tokens = program.tokens;
  const std::string_view simple = last_part(name.path);
  for (const translate::Function& function : program.everything.functions) {
    const bool is_operator = tokens.is(function.name.begin, "operator");
    const bool is_named = is_operator ? simple.starts_with("operator") : tokens.is(function.name.end - 1, simple);
    if (function.body.empty() || !is_named) continue;
    const translate::Position first = locate(tokens, tokens[function.begin].begin);
    if (translate::unescaped(first.file) != begin.file || first.line > begin.line) continue;
    if (begin.line <= locate(tokens, tokens[function.body.begin].begin).line) return function.is_constexpr;
  }
  return std::nullopt;
}

/// Functions that the compiler calls for itself, or that exist on both sides.
bool is_for_all(const SymbolName& name, const std::string& symbol) {
  if (!name.is_mangled) return symbol.starts_with('_') || translate::is_c_function_of_device(symbol);
  if (!name.is_std || name.path == "std::terminate" || name.path.starts_with("std::initializer_list")) return true;
  const std::string_view simple = last_part(name.path);
  return simple.starts_with("__") || translate::is_std_name_of_device(simple);
}

std::optional<Target> of_library(const SymbolName& name, const std::string& symbol, const Judged& program,
                                 const Assembly& assembly) {
  const auto defined = assembly.functions.find(symbol);
  const bool is_here = defined != assembly.functions.end();
  Target target{name};
  if (name.path.starts_with("cuda") && name.path.find("::") == std::string::npos) {
    target.name.signature = name.path;
    if (translate::is_runtime_function_of_device(name.path)) return std::nullopt;
    return target;
  }
  // cuda::std is the host's library here.
  if (name.is_std && program.uses_cuda_std) return std::nullopt;
  if (is_for_all(name, symbol) || (is_here && is_in(program.folders, defined->second.file))) return std::nullopt;
  if (is_here) {
    const auto is_constexpr = constexpr_in_library(program, name, defined->second);
    // What the compiler has made, or what may be constexpr by itself, is allowed with the option.
    if (!is_constexpr || program.relaxed_constexpr) return std::nullopt;
    target.is_constexpr = *is_constexpr;
  }
  if (name.is_std) target.name.signature = name.path;
  return target;
}

}  // namespace

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind(':') + 1);
}

SymbolName::SymbolName(const std::string& symbol) {
  const std::string plain = base::demangled(symbol.c_str()).value_or("");
  is_mangled = symbol.starts_with("_Z") && !plain.empty();
  if (!is_mangled) {
    path = signature = symbol;
    return;
  }
  is_lambda = plain.find("{lambda") != std::string::npos || plain.find("$_") != std::string::npos;
  const std::string name = report::short_name(plain);
  path = without_template_arguments(name);
  is_std = path.starts_with("std::") || symbol.starts_with("_ZNS") || symbol.starts_with("_ZNKS") ||
           symbol.starts_with("_ZS");
  const std::size_t open = parameters_of(plain, name);
  const std::size_t begin = open == std::string::npos ? 0 : plain.rfind(name, open);
  signature = plain.substr(begin);
  parameters = open == std::string::npos ? 0 : count_parameters(plain, open);
}

std::optional<Target> find_target(const std::string& symbol, const Judged& program, const Assembly& assembly) {
  const SymbolName name(symbol);
  const auto defined = assembly.functions.find(symbol);
  const bool is_here = defined != assembly.functions.end();
  if (name.is_lambda) return is_here ? of_lambda(name, defined->second, program.spaces) : std::nullopt;
  if (const auto functions = named(name, program.spaces); !functions.empty()) return of_user(name, functions);
  return of_library(name, symbol, program, assembly);
}

}  // namespace warpfiber::tools::nvcc
