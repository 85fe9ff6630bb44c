// SPDX-License-Identifier: Apache-2.0
// Which products of cuBLASLt there are: sizes that fit, orders, epilogues and types, with the statuses of an H200.
#include "cuda_libraries/cublaslt/matmul_call.hpp"

#include <algorithm>
#include <iterator>

namespace warpfiber::cuda_libraries {
namespace {

using dense::Activation;
using dense::BiasUse;
using dense::MatrixSize;

constexpr KnownEpilogue kEpilogues[] = {
    {CUBLASLT_EPILOGUE_DEFAULT, Activation::none, BiasUse::none},
    {CUBLASLT_EPILOGUE_RELU, Activation::relu, BiasUse::none},
    {CUBLASLT_EPILOGUE_RELU_AUX, Activation::relu, BiasUse::none},
    {CUBLASLT_EPILOGUE_BIAS, Activation::none, BiasUse::add},
    {CUBLASLT_EPILOGUE_RELU_BIAS, Activation::relu, BiasUse::add},
    {CUBLASLT_EPILOGUE_RELU_AUX_BIAS, Activation::relu, BiasUse::add},
    {CUBLASLT_EPILOGUE_DRELU, Activation::relu_gradient, BiasUse::none},
    {CUBLASLT_EPILOGUE_DRELU_BGRAD, Activation::relu_gradient, BiasUse::gradient},
    {CUBLASLT_EPILOGUE_GELU, Activation::gelu, BiasUse::none},
    {CUBLASLT_EPILOGUE_GELU_AUX, Activation::gelu, BiasUse::none},
    {CUBLASLT_EPILOGUE_GELU_BIAS, Activation::gelu, BiasUse::add},
    {CUBLASLT_EPILOGUE_GELU_AUX_BIAS, Activation::gelu, BiasUse::add},
    {CUBLASLT_EPILOGUE_DGELU, Activation::gelu_gradient, BiasUse::none},
    {CUBLASLT_EPILOGUE_DGELU_BGRAD, Activation::gelu_gradient, BiasUse::gradient},
    {CUBLASLT_EPILOGUE_BGRADA, Activation::none, BiasUse::gradient_of_a},
    {CUBLASLT_EPILOGUE_BGRADB, Activation::none, BiasUse::gradient_of_b},
};

CublasResult not_modelled(const char* what, long long value) {
  return {CUBLAS_STATUS_NOT_SUPPORTED, {ReasonKind::blas_value_not_modelled, what, value}};
}

CublasResult differ(const char* one, long long value, const char* other, long long its_value) {
  return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_values_differ, one, value, other, its_value}};
}

CublasResult check_layout(const char* order_of, const char* leading_of, const LayoutFields& layout) {
  const bool by_rows = layout.order == CUBLASLT_ORDER_ROW;
  if (!by_rows && layout.order != CUBLASLT_ORDER_COL) return not_modelled(order_of, layout.order);
  const auto least = static_cast<std::int64_t>(by_rows ? layout.columns : layout.rows);
  if (layout.leading < least) {
    return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_value_too_small, leading_of, layout.leading, least}};
  }
  return {};
}

CublasResult check_layouts(const MatmulCall& call) {
  if (CublasResult result = check_layout("the order of A", "A's leading dimension", *call.a); result.failed())
    return result;
  if (CublasResult result = check_layout("the order of B", "B's leading dimension", *call.b); result.failed())
    return result;
  if (CublasResult result = check_layout("the order of C", "C's leading dimension", *call.c); result.failed())
    return result;
  return check_layout("the order of D", "D's leading dimension", *call.d);
}

CublasResult check_sizes(const MatmulCall& call) {
  const MatrixSize a = taken_size(*call.a, call.desc->operation_of_a);
  const MatrixSize b = taken_size(*call.b, call.desc->operation_of_b);
  const MatrixSize c = taken_size(*call.c, CUBLAS_OP_N);
  const MatrixSize d = taken_size(*call.d, CUBLAS_OP_N);
  if (a.columns != b.rows) return differ("the columns of A", a.columns, "the rows of B", b.rows);
  if (a.rows != d.rows) return differ("the rows of A", a.rows, "the rows of D", d.rows);
  if (b.columns != d.columns) return differ("the columns of B", b.columns, "the columns of D", d.columns);
  if (c.rows != d.rows) return differ("the rows of C", c.rows, "the rows of D", d.rows);
  if (c.columns != d.columns) return differ("the columns of C", c.columns, "the columns of D", d.columns);
  if (call.a->count != call.d->count) return differ("the batch of A", call.a->count, "the batch of D", call.d->count);
  if (call.b->count != call.d->count) return differ("the batch of B", call.b->count, "the batch of D", call.d->count);
  if (call.c->count != call.d->count) return differ("the batch of C", call.c->count, "the batch of D", call.d->count);
  return {};
}

CublasResult check_description(const MatmulFields& desc) {
  if (desc.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE) return not_modelled("the pointer mode", desc.pointer_mode);
  if (desc.operation_of_c != CUBLAS_OP_N) return not_modelled("the operation of C", desc.operation_of_c);
  if (desc.fill_mode != CUBLAS_FILL_MODE_FULL) return not_modelled("the fill mode", desc.fill_mode);
  const KnownEpilogue* const epilogue = epilogue_of(desc.epilogue);
  if (epilogue == nullptr) return not_modelled("the epilogue", desc.epilogue);
  if (epilogue->bias == BiasUse::gradient_of_a && desc.operation_of_a != CUBLAS_OP_N) {
    return not_modelled("BGRADA's operation of A", desc.operation_of_a);
  }
  if (epilogue->bias == BiasUse::gradient_of_b && desc.operation_of_b != CUBLAS_OP_T) {
    return not_modelled("BGRADB's operation of B", desc.operation_of_b);
  }
  if (desc.scales_stored != nullptr) return not_modelled("the mode of D", desc.stored_scale_mode);
  for (const std::int32_t mode : desc.scale_modes) {
    if (mode != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F) return not_modelled("a mode of scales", mode);
  }
  return {};
}

}  // namespace

const KnownEpilogue* epilogue_of(std::uint32_t number) {
  const auto* const known = std::find_if(std::begin(kEpilogues), std::end(kEpilogues),
                                         [number](const KnownEpilogue& one) { return one.number == number; });
  return known == std::end(kEpilogues) ? nullptr : known;
}

CublasResult check(const MatmulCall& call) {
  if (!call.complete()) return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "descriptor"}};
  if (CublasResult result = check_sizes(call); result.failed()) return result;
  if (CublasResult result = check_layouts(call); result.failed()) return result;
  if (CublasResult result = check_description(*call.desc); result.failed()) return result;
  const MatmulTypes types = call.types();
  if (!is_eight_bit_float(types.d) && (call.desc->scale_of_d != nullptr || call.desc->largest_of_d != nullptr)) {
    return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_scale_of_wide, types.d}};
  }
  if (arithmetic_of(types)) return {};
  const bool wrong = types.c != types.d || !fits_compute_type(types);
  return {wrong ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_SUPPORTED,
          {ReasonKind::blas_types_not_modelled, types.a, types.b, types.c, types.compute}};
}

}  // namespace warpfiber::cuda_libraries
