// SPDX-License-Identifier: Apache-2.0
// The translator makes a reference of an extern declaration (src/compiler/translate/shared_variables.cpp).
#include "check/objects/dynamic_names.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "symbols/symboliser.hpp"

namespace warpfiber::check {
namespace {

using record::PartName;
using symbols::LocalScope;
using symbols::LocalVariable;

/// Of declarations in one function no more are named.
constexpr std::size_t kMostNames = 3;

/// Of the type of a declaration, as the translator names it.
constexpr std::string_view kEnding = "_dynamic_shared_type";

std::vector<LocalVariable> declared_at(std::uintptr_t address, LocalScope scope) {
  std::vector<LocalVariable> found = symbols::Symboliser::of_process().local_variables(address, scope, kEnding);
  std::erase_if(found, [](const LocalVariable& variable) {
    return variable.type == nullptr || variable.alias != variable.name + std::string(kEnding);
  });
  return found;
}

/// Those of the innermost function that declares any.
std::vector<LocalVariable> innermost(std::vector<LocalVariable> found) {
  if (found.empty()) return found;
  const unsigned depth = found.front().depth;
  std::erase_if(found, [depth](const LocalVariable& variable) { return variable.depth != depth; });
  return found;
}

/// In a function around the access; else in one that it has inlined, as the conversion to a pointer of a class that
/// declares the memory; else in the only one of the file.
std::vector<LocalVariable> declarations_for(std::span<const std::uintptr_t> code) {
  for (const LocalScope scope : {LocalScope::seen_there, LocalScope::of_function}) {
    for (const std::uintptr_t address : code) {
      std::vector<LocalVariable> found = innermost(declared_at(address, scope));
      if (!found.empty()) return found;
    }
  }
  if (code.empty()) return {};
  std::vector<LocalVariable> all = declared_at(code.front(), LocalScope::of_unit);
  const bool is_one = std::ranges::all_of(all, [&all](const LocalVariable& one) {
    return one.name == all.front().name && one.type_text == all.front().type_text;
  });
  return is_one ? all : std::vector<LocalVariable>{};
}

DynamicPart named(const LocalVariable& variable, const DynamicAccess& access) {
  DynamicPart made;
  made.part = record::part_at(*variable.type, access.offset, access.size);
  made.part.text.insert(0, variable.name);
  made.object = variable.name;
  const record::TypeLayout* element = variable.type->element;
  made.element = element == nullptr ? 0 : element->bytes;
  made.type = variable.type_text;
  made.declared = variable.place;
  return made;
}

/// All of them begin at one address: those are meant of which the access is a whole number, if there are any.
DynamicPart joined(const std::vector<DynamicPart>& parts) {
  DynamicPart all = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    all.part.text += "|" + parts[i].part.text;
    all.part.number = nullptr;
    all.object += "|" + parts[i].object;
    if (all.element != parts[i].element) all.element = 0;
    if (all.type != parts[i].type) all.type.clear();
  }
  return all;
}

}  // namespace

const record::TypeLayout* dynamic_type(const void* kernel, std::string_view name) {
  const auto address = reinterpret_cast<std::uintptr_t>(kernel);
  for (const LocalScope scope : {LocalScope::of_function, LocalScope::of_unit}) {
    const std::vector<LocalVariable> all = declared_at(address, scope);
    const auto found = std::ranges::find(all, name, &LocalVariable::name);
    if (found != all.end()) return found->type;
  }
  return nullptr;
}

DynamicPart dynamic_part(const DynamicAccess& access) {
  std::vector<DynamicPart> parts;
  std::vector<DynamicPart> numbers;
  for (const LocalVariable& variable : declarations_for(access.code)) {
    DynamicPart one = named(variable, access);
    const bool known =
        std::ranges::any_of(parts, [&one](const DynamicPart& other) { return other.part.text == one.part.text; });
    if (known) continue;
    if (one.part.is_all) numbers.push_back(one);
    parts.push_back(std::move(one));
  }
  const std::vector<DynamicPart>& meant = numbers.empty() ? parts : numbers;
  if (meant.empty() || meant.size() > kMostNames) return {};
  return joined(meant);
}

}  // namespace warpfiber::check
