// SPDX-License-Identifier: Apache-2.0
// Attributes of descriptors of cuBLASLt: each is a field, which calls set and get by its number and its size.
#pragma once

#include <cstring>
#include <span>

#include "cuda_libraries/cublas/operation.hpp"
#include "cuda_libraries/cublaslt/descriptors.hpp"

namespace warpfiber::cuda_libraries {

struct LtAttribute {
  int number;
  std::size_t offset;
  std::size_t size;
};

#define WARPFIBER_ATTRIBUTE(number, Fields, field) \
  { number, offsetof(Fields, field), sizeof(Fields::field) }

inline CublasResult null_descriptor() {
  return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "descriptor"}};
}

/// Calls `use` with the attribute and where it lies.
template <class Fields, class Opaque, class Use>
cublasStatus_t with_attribute(const char* function, std::span<const LtAttribute> known, Opaque* opaque, int number,
                              Use use, const void* returns_to = __builtin_return_address(0)) {
  return library_call<cublasStatus_t>(
      function,
      [&]() -> CublasResult {
        if (opaque == nullptr) return null_descriptor();
        auto* const fields = fields_in<Fields>(opaque);
        for (const LtAttribute& attribute : known) {
          if (attribute.number == number) {
            return use(attribute, reinterpret_cast<std::byte*>(fields) + attribute.offset);
          }
        }
        return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_choice_unknown, "attribute", number}};
      },
      returns_to);
}

inline CublasResult other_size(const LtAttribute& attribute, std::size_t size) {
  return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_attribute_size, attribute.number, attribute.size, size}};
}

template <class Fields, class Opaque>
cublasStatus_t set_attribute(const char* function, std::span<const LtAttribute> known, Opaque* opaque, int number,
                             const void* from, std::size_t size, const void* returns_to = __builtin_return_address(0)) {
  return with_attribute<Fields>(
      function, known, opaque, number,
      [=](const LtAttribute& attribute, std::byte* at) -> CublasResult {
        if (from == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "buffer"}};
        if (size != attribute.size) return other_size(attribute, size);
        std::memcpy(at, from, size);
        return {};
      },
      returns_to);
}

/// Of a size of 0 the caller gets the size that there is.
template <class Fields, class Opaque>
cublasStatus_t get_attribute(const char* function, std::span<const LtAttribute> known, Opaque* opaque, int number,
                             void* to, std::size_t size, std::size_t* written,
                             const void* returns_to = __builtin_return_address(0)) {
  return with_attribute<Fields>(
      function, known, opaque, number,
      [=](const LtAttribute& attribute, const std::byte* at) -> CublasResult {
        if (size == 0 && written == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null};
        if (size != 0 && to == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "buffer"}};
        if (size != 0 && size != attribute.size) return other_size(attribute, size);
        if (size != 0) std::memcpy(to, at, size);
        if (written != nullptr) *written = attribute.size;
        return {};
      },
      returns_to);
}

}  // namespace warpfiber::cuda_libraries
