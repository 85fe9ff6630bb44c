// SPDX-License-Identifier: Apache-2.0
// Passes to the runtime what the elements of a copy are, as the compiler knows it, so that `warpfiber crosscheck` can
// compare floats as floats (docs/crosscheck.md). Other builds have none of it: WARPFIBER_TYPED_COPIES is defined in the
// command's builds only.
#pragma once

#ifdef WARPFIBER_TYPED_COPIES

#include <warpfiber/detail/element_word.hpp>

#include <type_traits>

namespace warpfiber::cuda::detail {

/// What the elements of the copies are that this OS thread asks for from now on; returns what was said before.
const char* exchange_elements(const char* word);

template <class T>
inline constexpr bool kIsByte =
    std::is_same_v<std::remove_cv_t<T>, char> || std::is_same_v<std::remove_cv_t<T>, signed char> ||
    std::is_same_v<std::remove_cv_t<T>, unsigned char>;

constexpr bool is_same_word(const char* first, const char* second) {
  for (; *first != 0 && *first == *second; ++first) ++second;
  return *first == *second;
}

/// The elements that lie between the two pointers of a copy: void says nothing, and bytes may be a view of the
/// other's.
template <class To, class From>
constexpr const char* elements_between() {
  using warpfiber::detail::element_word;
  constexpr bool kSame = is_same_word(element_word<To>(), element_word<From>());
  if constexpr (kSame || std::is_void_v<From> || (kIsByte<From> && !std::is_void_v<To>))
    return element_word<To>();
  else if constexpr (std::is_void_v<To> || kIsByte<To>)
    return element_word<From>();
  else
    return warpfiber::detail::kUnknownElements;
}

/// While it lives, copies that this OS thread asks for are of such elements.
template <class To, class From = To>
class Elements {
 public:
  Elements() : before_(exchange_elements(elements_between<To, From>())) {}
  ~Elements() { exchange_elements(before_); }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

 private:
  const char* const before_;
};

/// Pointers of which at least one says to what.
template <class To, class From>
concept Typed = std::is_convertible_v<To*, void*> && std::is_convertible_v<From*, const void*> &&
    !(std::is_void_v<To> && std::is_void_v<From>);

}  // namespace warpfiber::cuda::detail

// Inlined: a copy is identified by what its call returns to, which is in the user's function.
#define WARPFIBER_COPIES                            \
  template <class To, class From>                   \
  requires warpfiber::cuda::detail::Typed<To, From> \
  inline __attribute__((always_inline)) cudaError_t

WARPFIBER_COPIES cudaMemcpy(To* to, const From* from, size_t bytes, cudaMemcpyKind kind) {
  const warpfiber::cuda::detail::Elements<To, From> elements;
  return ::cudaMemcpy(static_cast<void*>(to), static_cast<const void*>(from), bytes, kind);
}
WARPFIBER_COPIES cudaMemcpyAsync(To* to, const From* from, size_t bytes, cudaMemcpyKind kind,
                                 cudaStream_t stream = nullptr) {
  const warpfiber::cuda::detail::Elements<To, From> elements;
  return ::cudaMemcpyAsync(static_cast<void*>(to), static_cast<const void*>(from), bytes, kind, stream);
}
WARPFIBER_COPIES cudaMemcpy2D(To* to, size_t to_pitch, const From* from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind) {
  const warpfiber::cuda::detail::Elements<To, From> elements;
  return ::cudaMemcpy2D(static_cast<void*>(to), to_pitch, static_cast<const void*>(from), from_pitch, width, height,
                        kind);
}
WARPFIBER_COPIES cudaMemcpy2DAsync(To* to, size_t to_pitch, const From* from, size_t from_pitch, size_t width,
                                   size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  const warpfiber::cuda::detail::Elements<To, From> elements;
  return ::cudaMemcpy2DAsync(static_cast<void*>(to), to_pitch, static_cast<const void*>(from), from_pitch, width,
                             height, kind, stream);
}

#undef WARPFIBER_COPIES

#else

namespace warpfiber::cuda::detail {
template <class To, class From = To>
struct Elements {};
}  // namespace warpfiber::cuda::detail

#endif
