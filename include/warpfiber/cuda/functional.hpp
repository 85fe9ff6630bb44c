// SPDX-License-Identifier: Apache-2.0
//
// libcu++'s function objects. Source: CCCL, "libcu++ extensions, functional".
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include <warpfiber/cuda/std_namespace.hpp>

namespace cuda {

template <class T = void>
struct maximum {
  constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};

template <>
struct maximum<void> {
  template <class First, class Second>
  constexpr std::common_type_t<First, Second> operator()(const First& a, const Second& b) const {
    return a < b ? b : a;
  }
};

template <class T = void>
struct minimum {
  constexpr T operator()(const T& a, const T& b) const { return a < b ? a : b; }
};

template <>
struct minimum<void> {
  template <class First, class Second>
  constexpr std::common_type_t<First, Second> operator()(const First& a, const Second& b) const {
    return a < b ? a : b;
  }
};

namespace detail {

template <class Result, class Callable>
class ReturnType {
 public:
  constexpr explicit ReturnType(Callable callable) : callable_(std::move(callable)) {}

  template <class... Arguments>
  constexpr Result operator()(Arguments&&... arguments) {
    check<Callable&, Arguments...>();
    return std::invoke(callable_, std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  constexpr Result operator()(Arguments&&... arguments) const {
    check<const Callable&, Arguments...>();
    return std::invoke(callable_, std::forward<Arguments>(arguments)...);
  }

 private:
  template <class Function, class... Arguments>
  static constexpr void check() {
    static_assert(std::is_same_v<Result, std::invoke_result_t<Function, Arguments...>>,
                  "Return type shall match the proclaimed one exactly");
  }

  Callable callable_;
};

template <class Callable>
struct CopyableArguments : Callable {
  using Callable::operator();
};

}  // namespace detail

/// `callable`, which returns a Result: the host cannot ask a lambda of the device.
template <class Result, class Callable>
constexpr auto proclaim_return_type(Callable&& callable) {
  return detail::ReturnType<Result, std::decay_t<Callable>>(std::forward<Callable>(callable));
}

template <class Callable, class... Arguments>
struct proclaims_copyable_arguments : std::false_type {};
template <class Callable, class... Arguments>
struct proclaims_copyable_arguments<detail::CopyableArguments<Callable>, Arguments...> : std::true_type {};
template <class Callable, class... Arguments>
inline constexpr bool proclaims_copyable_arguments_v = proclaims_copyable_arguments<Callable, Arguments...>::value;

/// `callable`, which does not care where its arguments lie.
template <class Callable>
constexpr auto proclaim_copyable_arguments(Callable&& callable) {
  return detail::CopyableArguments<std::decay_t<Callable>>{std::forward<Callable>(callable)};
}

}  // namespace cuda
