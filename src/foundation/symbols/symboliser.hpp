// SPDX-License-Identifier: Apache-2.0
//
// Code addresses of this process to functions and source lines, from the debug information of the program and its
// shared objects (libdw), with the frames that the compiler inlined. One for the process, which is asked for each
// address once: what it has read is kept until the dynamic linker loads or unloads anything.
// Slow on the first address of a module. Any thread may ask, on a stack with room (fiber/large_stack.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/service.hpp"
#include "record/type_layout.hpp"
#include "symbols/frame.hpp"

namespace warpfiber::symbols {

/// A parameter of a function; its type is null where debug information does not say.
struct FunctionParameter {
  std::string name{};
  const record::TypeLayout* type = nullptr;
};

/// Why debug information cannot be read: libdw could not be loaded, in the dynamic linker's words. Empty where it was
/// loaded or has not been needed yet.
std::string why_without_libdw();

class Symboliser {
 public:
  Symboliser();
  ~Symboliser();
  Symboliser(const Symboliser&) = delete;
  Symboliser& operator=(const Symboliser&) = delete;

  static Symboliser& of_process();

  /// The functions at `address`, innermost first; none if it is no code. For a return address ask about one byte less:
  /// it names the instruction after the call.
  Frames frames(std::uintptr_t address);

  /// The variable that contains the address.
  std::optional<DebugVariable> variable(std::uintptr_t address);

  /// The type of the variable that begins there; null where debug information does not say. It stays for as long as
  /// this lives.
  const record::TypeLayout* type_of_variable(const void* start);
  /// What a pointer of such a type, or a member of it, points to; null where that is not known.
  const record::TypeLayout* pointee(const record::TypeLayout& pointer);

  /// The parameters of the function whose code begins there; none where debug information does not know it.
  std::vector<FunctionParameter> parameters_of(const void* function);

  /// Variables of functions; with an `alias_ending`, those whose declarations name a typedef that ends so. `address`:
  /// of code, of a call its last byte.
  std::vector<LocalVariable> local_variables(std::uintptr_t address, LocalScope scope,
                                             std::string_view alias_ending = {});

  /// The symbol that the address belongs to, as the linker knows it; empty where there is none.
  std::string symbol(std::uintptr_t address);

 private:
  class Modules;

  static base::Service<Symboliser> the_process_;

  std::unique_ptr<Modules> modules_;
};

inline Symboliser& Symboliser::of_process() {
  return the_process_.get();
}

}  // namespace warpfiber::symbols
