// SPDX-License-Identifier: Apache-2.0
//
// Code addresses of this process to functions and source lines, from the debug information of the program and its
// shared objects (libdw), with the frames that the compiler inlined.
// What is missing is left empty: without -g there is a function and no line, without symbols only the module, and for
// an address that is no code nothing. Slow on the first address of a module; answers are kept. Any thread may ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/finding.hpp"

namespace warpfiber::report {

/// A function that was active at an address.
struct Frame {
  std::string function{};  // demangled
  record::Place place{};
  unsigned column = 0;   // of the place; 0: not known
  std::string folder{};  // which the compiler was started in: files may be named from there
  std::string module{};  // the file the code was loaded from
  bool inlined = false;  // into the next frame
};

/// A variable with static storage, as debug information describes it.
struct DebugVariable {
  std::string name{};
  record::Place place{};  // of its declaration
  std::string folder{};   // which the compiler was started in
  const char* base = nullptr;
  std::size_t bytes = 0;
  bool in_function = false;  // declared inside one
};

class Symboliser {
 public:
  Symboliser();
  ~Symboliser();
  Symboliser(const Symboliser&) = delete;
  Symboliser& operator=(const Symboliser&) = delete;

  /// The functions at `address`, innermost first. For a return address ask about one byte less: it names the
  /// instruction after the call.
  std::vector<Frame> frames(std::uintptr_t address);

  /// The variable that contains the address.
  std::optional<DebugVariable> variable(std::uintptr_t address);

  /// The symbol that the address belongs to, as the linker knows it; empty where there is none.
  std::string symbol(std::uintptr_t address);

 private:
  class Modules;

  std::unique_ptr<Modules> modules_;
};

/// "scale(float*) at scale.cu:7", "scale(float*) in ./app (no line: built without -g)", "unknown code in ./app".
std::string frame_text(const Frame& frame);

}  // namespace warpfiber::report
