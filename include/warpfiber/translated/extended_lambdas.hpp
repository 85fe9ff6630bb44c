// SPDX-License-Identifier: Apache-2.0
//
// Traits of lambdas with qualifiers (CUDA C++ Programming Guide, "Extended Lambdas"). The translator makes objects of
// these types of such lambdas in programs that ask; a type says of which kind its lambda is, and is that lambda
// otherwise.
#pragma once

#include <type_traits>
#include <utility>

namespace warpfiber::cuda {

enum class LambdaKind { none, device, device_with_result, host_device };

template <LambdaKind kKind, class Lambda>
struct ExtendedLambda : Lambda {
  constexpr explicit ExtendedLambda(Lambda&& lambda) : Lambda(std::move(lambda)) {}
  ExtendedLambda() requires std::is_default_constructible_v<Lambda>
  = default;
};

template <LambdaKind kKind, class Lambda>
constexpr ExtendedLambda<kKind, Lambda> extended_lambda(Lambda&& lambda) {
  return ExtendedLambda<kKind, Lambda>(std::move(lambda));
}

template <class T>
inline constexpr LambdaKind kLambdaKind = LambdaKind::none;
template <LambdaKind kKind, class Lambda>
inline constexpr LambdaKind kLambdaKind<ExtendedLambda<kKind, Lambda>> = kKind;

/// Whether T, whatever its cv-qualifiers, is of one of the kinds.
template <class T, LambdaKind... kKinds>
constexpr bool asks_for_extended_lambda() {
  return ((kLambdaKind<std::remove_cv_t<T>> == kKinds) || ...);
}

}  // namespace warpfiber::cuda

#define __nv_is_extended_device_lambda_closure_type(...)                                           \
  (::warpfiber::cuda::asks_for_extended_lambda<__VA_ARGS__, ::warpfiber::cuda::LambdaKind::device, \
                                               ::warpfiber::cuda::LambdaKind::device_with_result>())
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) \
  (::warpfiber::cuda::asks_for_extended_lambda<__VA_ARGS__, ::warpfiber::cuda::LambdaKind::device_with_result>())
#define __nv_is_extended_host_device_lambda_closure_type(...) \
  (::warpfiber::cuda::asks_for_extended_lambda<__VA_ARGS__, ::warpfiber::cuda::LambdaKind::host_device>())
