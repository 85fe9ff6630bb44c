// SPDX-License-Identifier: Apache-2.0
// Static shared variables: each has an offset in the shared memory of every block, fixed before main().
#pragma once

#include <warpfiber/detail/regions.hpp>

#include <cstddef>
#include <type_traits>
#include <typeinfo>

namespace warpfiber::detail {

struct SharedVariable {
  unsigned index;  // from 1
  std::size_t offset;
  std::size_t bytes;
  const char* description;  // names the type and the tag
};

/// What names a type to the library: text in which `[T = ...]` does, and a variable that points to the type, by whose
/// address debug information is asked of what the type is made.
struct TypeName {
  const char* text = nullptr;
  const void* pointer = nullptr;
};

/// What the source says of a variable; what is not known is null or 0.
struct SharedDeclaration {
  const char* name = nullptr;
  TypeName type{};  // as type_text<T>() gives it
  const char* file = nullptr;
  unsigned line = 0;
};

template <class T>
inline std::remove_reference_t<T>* type_pointer = nullptr;

template <class T>
TypeName type_text() {
  return {__PRETTY_FUNCTION__, &type_pointer<T>};
}

/// Finds a place for a variable of `bytes`. `tag` is std::type_info's name of a pointer to the tag, null without RTTI:
/// a tag that is local to a function says which. Called once a variable, while the program is initialised.
SharedVariable register_shared(std::size_t bytes, std::size_t alignment, const char* description, const char* tag,
                               const SharedDeclaration& declaration = {});

/// A block touches the variable for the first time: fills it with poison and counts its bytes.
void first_touch(const SharedVariable& variable);

/// Ends the process with a message: shared memory was named outside a kernel.
[[noreturn]] void shared_outside_kernel(const SharedVariable& variable);

template <class T, class Tag>
struct SharedSlot {
  static const char* description() { return __PRETTY_FUNCTION__; }
  static const char* tag() {
#ifdef __cpp_rtti
    return typeid(Tag*).name();
#else
    return nullptr;
#endif
  }
  /// A tag may say more of the variable, as those of translated source do.
  static SharedDeclaration declaration() {
    if constexpr (requires { Tag::declaration(); }) {
      return Tag::declaration();
    } else {
      return {nullptr, type_text<T>(), nullptr, 0};
    }
  }
  // A type without members needs no room: nothing is ever stored there, and nvcc keeps no such variable.
  static constexpr std::size_t kBytes = std::is_empty_v<T> ? 0 : sizeof(T);
  static const SharedVariable variable;  // lanes/shared_slots.hpp; regions use that of the file's other compilation
};

}  // namespace warpfiber::detail
