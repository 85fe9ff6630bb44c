// SPDX-License-Identifier: Apache-2.0
// Objects that a library of CUDA's gives to programs and takes back: handles, descriptors, what methods are set to. And
// values that programs ask for. library_statuses() of such a library has `invalid_value` besides.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "cuda_libraries/library_call.hpp"

namespace warpfiber::cuda_libraries {

/// Writes `value` where the program asks for it.
template <class Status, class Value>
LibraryResult<Status> put_result(Value* place, std::type_identity_t<Value> value) {
  if (place == nullptr) return {StatusesOf<Status>::invalid_value, ReasonKind::result_pointer_null};
  *place = std::move(value);
  return {};
}

/// A new object that begins as `made`.
template <class Status, class Object>
LibraryResult<Status> create_object(Object** place, Object made = {}) {
  if (place == nullptr) return {StatusesOf<Status>::invalid_value, ReasonKind::result_pointer_null};
  *place = std::make_unique<Object>(std::move(made)).release();
  return {};
}

/// Null: there is nothing to end.
template <class Status, class Object>
LibraryResult<Status> destroy_object(const Object* object) {
  const std::unique_ptr<const Object> ended(object);
  return {};
}

}  // namespace warpfiber::cuda_libraries
