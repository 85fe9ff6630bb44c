// SPDX-License-Identifier: Apache-2.0
// What debug information says of an address. What is missing is empty: without -g there is a function and no line,
// without symbols only the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/finding.hpp"
#include "record/type_layout.hpp"

namespace warpfiber::symbols {

/// A function that was active at an address.
struct Frame {
  std::string function{};  // demangled
  record::Place place{};
  unsigned column = 0;   // of the place; 0: not known
  std::string folder{};  // which the compiler was started in: files may be named from there
  std::string module{};  // the file the code was loaded from
  bool inlined = false;  // into the next frame
  bool users = false;    // neither this library's nor the system's
};

/// The functions at one address, innermost first. They stay for as long as this lives.
class Frames {
 public:
  Frames() = default;
  explicit Frames(std::shared_ptr<const std::vector<Frame>> frames) : frames_(std::move(frames)) {}

  const Frame* begin() const { return frames_ == nullptr ? nullptr : frames_->data(); }
  const Frame* end() const { return begin() + size(); }
  std::size_t size() const { return frames_ == nullptr ? 0 : frames_->size(); }
  bool empty() const { return size() == 0; }
  const Frame& front() const { return *begin(); }
  const Frame& operator[](std::size_t index) const { return begin()[index]; }

 private:
  std::shared_ptr<const std::vector<Frame>> frames_;
};

/// A variable with static storage, as debug information describes it.
struct DebugVariable {
  std::string name{};
  record::Place place{};  // of its declaration
  std::string folder{};   // which the compiler was started in
  const char* base = nullptr;
  std::size_t bytes = 0;
  bool in_function = false;  // declared inside one
  bool users = false;        // declared neither by this library nor by the system
};

/// Which variables that functions declare are asked for, of an address.
enum class LocalScope {
  seen_there,   // of the functions there, as far as the address is in their scope, innermost first
  of_function,  // all of the outermost function there, and of what is inlined into it
  of_unit,      // all of what was compiled with it
};

/// A variable that a function declares. Of a reference, types are those of what it refers to.
struct LocalVariable {
  std::string name{};
  const record::TypeLayout* type = nullptr;    // null: not known
  std::string type_text{};                     // "float [][8]", without other names of types; empty: not known
  std::string alias{};                         // the typedef that the declaration names
  record::Place place{};                       // of the declaration
  std::optional<std::int64_t> frame_offset{};  // where it is on the stack at the address, as in record::StackFrame
  unsigned depth = 0;                          // 0: of the innermost function asked for, 1: of what it is inlined into
};

}  // namespace warpfiber::symbols
