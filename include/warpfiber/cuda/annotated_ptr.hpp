// SPDX-License-Identifier: Apache-2.0
// libcu++'s hints to the caches (libcu++ reference, "cuda::annotated_ptr"): access properties, pointers that carry one,
// and memory whose contents or place in the cache no longer matter. The simulator has no caches, so hints are kept and
// mean nothing; a pointer behaves as the pointer in it. Callable by kernels and by the host.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/cuda/memcpy_async.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cuda {

/// How the caches should treat an access.
class access_property {
 public:
  struct shared {};
  struct global {};
  struct persisting {
    constexpr operator cudaAccessProperty() const noexcept { return cudaAccessPropertyPersisting; }
  };
  struct streaming {
    constexpr operator cudaAccessProperty() const noexcept { return cudaAccessPropertyStreaming; }
  };
  struct normal {
    constexpr operator cudaAccessProperty() const noexcept { return cudaAccessPropertyNormal; }
  };

  constexpr access_property() noexcept = default;
  constexpr access_property(global) noexcept {}
  constexpr access_property(normal) noexcept : kind_(1) {}
  constexpr access_property(streaming) noexcept : kind_(2) {}
  constexpr access_property(persisting) noexcept : kind_(3) {}
  constexpr access_property(normal, float) : kind_(1) {}
  constexpr access_property(streaming, float) : kind_(2) {}
  constexpr access_property(persisting, float) : kind_(3) {}
  constexpr access_property(normal, float, streaming) : kind_(1) {}
  constexpr access_property(persisting, float, streaming) : kind_(3) {}
  constexpr access_property(void*, std::size_t, std::size_t, normal) : kind_(1) {}
  constexpr access_property(void*, std::size_t, std::size_t, streaming) : kind_(2) {}
  constexpr access_property(void*, std::size_t, std::size_t, persisting) : kind_(3) {}
  constexpr access_property(void*, std::size_t, std::size_t, normal, streaming) : kind_(1) {}
  constexpr access_property(void*, std::size_t, std::size_t, persisting, streaming) : kind_(3) {}

  constexpr explicit operator ::std::uint64_t() const noexcept { return kind_; }

 private:
  ::std::uint64_t kind_ = 0;
};

/// A pointer whose accesses have a property.
template <class T, class Property>
class annotated_ptr {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using reference = T&;
  using pointer = T*;
  using const_pointer = const T*;
  using difference_type = std::ptrdiff_t;

  constexpr annotated_ptr() noexcept = default;
  explicit annotated_ptr(pointer to) : to_(to) {}
  template <class RuntimeProperty>
  annotated_ptr(pointer to, RuntimeProperty property) : to_(to), property_(property) {
    static_assert(::std::is_same_v<Property, access_property>,
                  "only annotated_ptr<T, cuda::access_property> takes its property at run time");
    static_assert(::std::is_convertible_v<RuntimeProperty, access_property>,
                  "the property is global, normal, streaming, persisting or an access_property");
  }
  template <class Other, class OtherProperty>
  annotated_ptr(const annotated_ptr<Other, OtherProperty>& other) : to_(other.get()), property_(other.__property()) {
    static_assert(::std::is_assignable_v<pointer&, Other*>, "pointer must be assignable from other pointer");
    static_assert(
        ::std::is_same_v<Property, OtherProperty> ||
            (::std::is_same_v<Property, access_property> && !::std::is_same_v<OtherProperty, access_property::shared>),
        "both properties must be of the same address space");
  }

  pointer operator->() const { return to_; }
  reference operator*() const { return *to_; }
  reference operator[](difference_type index) const { return to_[index]; }
  constexpr difference_type operator-(annotated_ptr other) const { return to_ - other.to_; }
  constexpr explicit operator bool() const noexcept { return to_ != nullptr; }
  pointer get() const noexcept { return to_; }
  Property __property() const noexcept { return property_; }

 private:
  pointer to_ = nullptr;
  [[no_unique_address]] Property property_{};
};

template <class T, class Property>
inline T* associate_access_property(T* to, Property) {
  static_assert(
      ::std::is_convertible_v<Property, access_property> || ::std::is_same_v<Property, access_property::shared>,
      "property is not convertible to cuda::access_property");
  return to;
}

template <class Shape>
inline void apply_access_property(const volatile void*, Shape, access_property::persisting) noexcept {}
template <class Shape>
inline void apply_access_property(const volatile void*, Shape, access_property::normal) noexcept {}

/// Says that the contents of `bytes` of memory are of no use any more. They stay as they are.
inline void discard_memory(volatile void*, std::size_t /*bytes*/) noexcept {}

template <class To, class From, class Property, class Shape, class End>
inline void memcpy_async(To* destination, annotated_ptr<From, Property> source, Shape shape, End& end,
                         warpfiber::Site site = warpfiber::Site::here()) {
  memcpy_async(destination, source.get(), shape, end, site);
}
template <class To, class ToProperty, class From, class Property, class Shape, class End>
inline void memcpy_async(annotated_ptr<To, ToProperty> destination, annotated_ptr<From, Property> source, Shape shape,
                         End& end, warpfiber::Site site = warpfiber::Site::here()) {
  memcpy_async(destination.get(), source.get(), shape, end, site);
}
template <class Group, class To, class From, class Property, class Shape, class End>
inline void memcpy_async(const Group& group, To* destination, annotated_ptr<From, Property> source, Shape shape,
                         End& end, warpfiber::Site site = warpfiber::Site::here()) {
  memcpy_async(group, destination, source.get(), shape, end, site);
}
template <class Group, class To, class ToProperty, class From, class Property, class Shape, class End>
inline void memcpy_async(const Group& group, annotated_ptr<To, ToProperty> destination,
                         annotated_ptr<From, Property> source, Shape shape, End& end,
                         warpfiber::Site site = warpfiber::Site::here()) {
  memcpy_async(group, destination.get(), source.get(), shape, end, site);
}

}  // namespace cuda
