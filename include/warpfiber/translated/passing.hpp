// SPDX-License-Identifier: Apache-2.0
// How launches of translated kernels keep arguments and hand them to threads: a thread gets a copy of its own, as the
// bytes of an object with constructors or a destructor; a reference names what it named; and a __grid_constant__
// parameter is one object for all threads of the grid. Used by translated.hpp only.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace warpfiber::cuda {

/// The type of a __grid_constant__ parameter, which is a reference to its kernel's body.
template <class T>
using Referred = std::remove_reference_t<T>;

}  // namespace warpfiber::cuda

namespace warpfiber::cuda::detail {

/// Whether C++'s ABI passes a parameter of this type as the address of an object that the caller makes.
template <class T>
inline constexpr bool kPassedByAddress =
    !std::is_trivially_destructible_v<T> ||
    (std::is_copy_constructible_v<T> && !std::is_trivially_copy_constructible_v<T>) ||
    (std::is_move_constructible_v<T> && !std::is_trivially_move_constructible_v<T>) ||
    (!std::is_copy_constructible_v<T> && !std::is_move_constructible_v<T>);

/// Where the argument of a launch lies.
struct Place {
  // Not a cast: clang++ lets few take __restrict away, and with -Wcast-qual g++ none.
  template <class Argument>
  Place(Argument& argument) : place(__builtin_bit_cast(void*, __builtin_addressof(argument))) {}
  void* where() { return place; }

  void* place;
};

/// How a launch keeps an argument for a parameter of this type, and hands it to a thread: a copy.
template <class T, class = void>
struct Passing : Place {
  using Place::Place;
  using Kept = std::remove_cv_t<T>;
  using Handed = T;

  static const Kept& hand(const Kept& kept) { return kept; }
};

/// Of an object with constructors or a destructor, the bytes: none of them runs for what a thread is handed (CUDA C++
/// Programming Guide, "__global__ Function Argument Processing").
template <class T>
struct Passing<T, std::enable_if_t<std::is_class_v<T> && kPassedByAddress<T>>> : Place {
  using Place::Place;
  struct alignas(T) Kept {
    unsigned char bytes[sizeof(T)];
  };
  using Handed = T&;

  static T& hand(Kept&& copy) { return *reinterpret_cast<T*>(copy.bytes); }
};

/// Of a reference, the address of what it names.
template <class T>
struct Passing<T&> {
  using Kept = T*;
  using Handed = T&;

  Passing(T& argument) : address(__builtin_addressof(argument)) {}
  void* where() { return &address; }
  static T& hand(Kept kept) { return *kept; }

  Kept address;
};

/// How a launch hands its argument for `Parameter` to a body that takes it as `Taken`: as a copy of its own.
template <class Parameter, class Taken>
struct Handing : Passing<Parameter> {
  static constexpr bool kGridConstant = false;
  using Copy = typename Passing<Parameter>::Kept;
};

/// A body that takes a reference to what is none is the body of a kernel with a __grid_constant__ parameter: all
/// threads see the object that the launch keeps.
template <class T>
struct Handing<T, const T&> {
  static constexpr bool kGridConstant = true;
  using Kept = typename Passing<T>::Kept;
  using Copy = const Kept&;
  using Handed = const T&;

  static const T& hand(const Kept& kept) { return reinterpret_cast<const T&>(kept); }
};

/// One of several values, which its number finds again. A std::tuple would do the same, but its
/// header adds to the time that every program takes to compile.
template <std::size_t kIndex, class T>
struct NumberedValue {
  T value;
};
template <class Numbers, class... T>
struct NumberedValues;
template <std::size_t... kIndex, class... T>
struct NumberedValues<std::index_sequence<kIndex...>, T...> : NumberedValue<kIndex, T>... {};

template <std::size_t kIndex, class T>
const T& value_of(const NumberedValue<kIndex, T>& numbered) {
  return numbered.value;
}

/// The call of a body that takes parameters by reference which are none of the kernel's.
template <class Body, class Taken, class Signature>
struct GridConstantCall;

template <class Body, class... Taken, class... Parameters>
struct GridConstantCall<Body, void(Taken...), void(Parameters...)> {
  using OneForAll = void;

  explicit GridConstantCall(void* const* arguments)
      : GridConstantCall(arguments, std::index_sequence_for<Parameters...>{}) {}

  void operator()() const { call(std::index_sequence_for<Parameters...>{}); }
  bool is_grid_constant(const void* address) const {
    return lies_within(static_cast<const char*>(address), std::index_sequence_for<Parameters...>{});
  }

 private:
  template <class T>
  using Kept = typename Passing<T>::Kept;
  using Values = NumberedValues<std::index_sequence_for<Parameters...>, Kept<Parameters>...>;

  template <std::size_t... kIndex>
  GridConstantCall(void* const* arguments, std::index_sequence<kIndex...>)
      : values_{{*static_cast<const Kept<Parameters>*>(arguments[kIndex])}...} {}

  template <std::size_t... kIndex>
  void call(std::index_sequence<kIndex...>) const {
    // As the ABI has it, so that no copy is made of what is passed by address.
    const auto body = static_cast<void (*)(Taken...)>(Body{});
    reinterpret_cast<void (*)(typename Handing<Parameters, Taken>::Handed...)>(reinterpret_cast<void (*)()>(body))(
        Handing<Parameters, Taken>::hand(typename Handing<Parameters, Taken>::Copy(value_of<kIndex>(values_)))...);
  }

  template <std::size_t... kIndex>
  bool lies_within(const char* address, std::index_sequence<kIndex...>) const {
    const auto in = [address](const auto& value) {
      const auto* first = reinterpret_cast<const char*>(&value);
      return address >= first && address < first + sizeof value;
    };
    return ((Handing<Parameters, Taken>::kGridConstant && in(value_of<kIndex>(values_))) || ...);
  }

  Values values_;
};

}  // namespace warpfiber::cuda::detail
