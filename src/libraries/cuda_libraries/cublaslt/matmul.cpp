// SPDX-License-Identifier: Apache-2.0
// cublasLtMatmul and handles. A handle of cuBLAS is one of cuBLASLt too.
#include "dense/matmul.hpp"

#include <algorithm>
#include <vector>

#include "cuda_libraries/cublaslt/matmul_call.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using dense::Activation;
using dense::AnyMatrix;
using dense::BiasUse;
using dense::MatrixSize;
using dense::StoredType;

cublasHandle_t handle_of(cublasLtHandle_t handle) {
  return reinterpret_cast<cublasHandle_t>(handle);
}

constexpr std::uint32_t kWithInputs = 128;  // a bit of the numbers above

/// A factor of any type, by value or in device memory.
class AnyFactor {
 public:
  AnyFactor() = default;
  AnyFactor(const void* at, StoredType type, bool on_device) : at_(at), type_(type) {
    if (!on_device) keep();
  }

  std::complex<double> value() const {
    return at_ == nullptr ? value_ : dense::elements<std::complex<double>>({const_cast<void*>(at_), type_}, {1, 1})[0];
  }
  bool counts() const { return at_ != nullptr || value_ != 0.0; }

 private:
  void keep() {
    value_ = value();
    at_ = nullptr;
  }

  const void* at_ = nullptr;
  StoredType type_ = StoredType::float32;
  std::complex<double> value_{};
};

/// What a product works on, once it is known to be one.
struct MatmulWork {
  dense::Matmul product;  // of the first of a batch
  AnyFactor alpha, beta;
  const float* scales[4] = {};  // of A, B, C, D, in device memory if not null
  std::ptrdiff_t count = 1;
  std::ptrdiff_t distances[4] = {};  // of A, B, C, D, in bytes
  std::ptrdiff_t bias_distance = 0;
  std::ptrdiff_t inputs_distance = 0;  // of relu in bits
};

AnyMatrix matrix_of(const LayoutFields& layout, const void* at, std::int32_t operation) {
  const bool by_rows = layout.order == CUBLASLT_ORDER_ROW;
  AnyMatrix matrix{const_cast<void*>(at), *element_type(layout.type), by_rows ? layout.leading : 1,
                   by_rows ? 1 : layout.leading};
  if (transposes(operation_of(operation))) matrix = matrix.transposed();
  matrix.conjugated = operation == CUBLAS_OP_C || operation == CUBLAS_OP_CONJG;
  return matrix;
}

AnyMatrix moved(AnyMatrix matrix, std::ptrdiff_t bytes) {
  if (matrix.at != nullptr) matrix.at = static_cast<std::byte*>(matrix.at) + bytes;
  return matrix;
}

std::ptrdiff_t bytes_of(std::ptrdiff_t elements, StoredType type) {
  return elements * static_cast<std::ptrdiff_t>(dense::size_of(type));
}

void add_epilogue(const MatmulCall& call, MatmulWork& work) {
  const MatmulFields& desc = *call.desc;
  const KnownEpilogue& known = *epilogue_of(desc.epilogue);
  dense::Epilogue& epilogue = work.product.epilogue;
  epilogue.activation = known.activation;
  epilogue.bias_use = known.bias;
  const std::int32_t bias_type = desc.bias_type < 0 ? bias_type_of(call.types()) : desc.bias_type;
  epilogue.bias = {desc.bias, element_type(bias_type).value_or(StoredType::float32)};
  work.bias_distance = bytes_of(desc.bias_distance, epilogue.bias.type);
  if ((desc.epilogue & kWithInputs) == 0) return;
  const std::int32_t type = desc.inputs_type < 0 ? call.d->type : desc.inputs_type;
  epilogue.inputs = {desc.inputs, element_type(type).value_or(StoredType::float32), 1, desc.inputs_leading};
  const bool bits = known.activation == Activation::relu || known.activation == Activation::relu_gradient;
  work.inputs_distance = bits ? desc.inputs_distance / 8 : bytes_of(desc.inputs_distance, epilogue.inputs.type);
}

MatmulWork work_of(const MatmulCall& call, const void* a, const void* b, const void* c, void* d) {
  const MatmulFields& desc = *call.desc;
  const MatmulArithmetic arithmetic = *arithmetic_of(call.types());
  MatmulWork work;
  work.product = {taken_size(*call.d, CUBLAS_OP_N),
                  taken_size(*call.a, desc.operation_of_a).columns,
                  arithmetic.sum,
                  arithmetic.scale,
                  {},
                  {},
                  matrix_of(*call.a, a, desc.operation_of_a),
                  matrix_of(*call.b, b, desc.operation_of_b),
                  matrix_of(*call.c, c, CUBLAS_OP_N),
                  matrix_of(*call.d, d, CUBLAS_OP_N)};
  work.product.largest = desc.largest_of_d;
  const float* const scales[] = {desc.scale_of_a, desc.scale_of_b, desc.scale_of_c, desc.scale_of_d};
  std::ranges::copy(scales, work.scales);
  const LayoutFields* const layouts[] = {call.a, call.b, call.c, call.d};
  for (int i = 0; i < 4; ++i) work.distances[i] = bytes_of(layouts[i]->distance, *element_type(layouts[i]->type));
  work.count = call.d->count;
  add_epilogue(call, work);
  return work;
}

float scale_at(const float* at) {
  return at == nullptr ? 1.0F : *at;
}

void compute(const MatmulWork& work) {
  dense::Matmul now = work.product;
  now.alpha = work.alpha.value() * static_cast<double>(scale_at(work.scales[0]) * scale_at(work.scales[1]));
  now.beta = work.beta.value() * static_cast<double>(scale_at(work.scales[2]));
  now.stored_scale = scale_at(work.scales[3]);
  if (now.largest != nullptr) *now.largest = 0;
  for (std::ptrdiff_t i = 0; i < work.count; ++i) {
    now.a = moved(work.product.a, i * work.distances[0]);
    now.b = moved(work.product.b, i * work.distances[1]);
    now.c = moved(work.product.c, i * work.distances[2]);
    now.d = moved(work.product.d, i * work.distances[3]);
    now.epilogue.bias = moved(work.product.epilogue.bias, i * work.bias_distance);
    now.epilogue.inputs = moved(work.product.epilogue.inputs, i * work.inputs_distance);
    dense::multiply(now);
  }
}

/// Adds the memory of a matrix; its lines are its columns, or its rows if those are what lies together.
void add_matrix(CublasOperation& operation, const char* name, bool writes, const AnyMatrix& matrix, MatrixSize size) {
  const bool by_rows = matrix.row_step != 1;
  const MatrixSize lines = by_rows ? MatrixSize{size.columns, size.rows} : size;
  operation.matrix(name, writes, matrix.at, dense::size_of(matrix.type), lines,
                   by_rows ? matrix.row_step : matrix.column_step);
}

void add_inputs(CublasOperation& operation, const AnyMatrix& inputs, Activation activation, MatrixSize size) {
  if (inputs.at == nullptr) return;
  const bool reads = activation == Activation::relu_gradient || activation == Activation::gelu_gradient;
  if (activation == Activation::gelu || activation == Activation::gelu_gradient) {
    return add_matrix(operation, "auxiliary matrix", !reads, inputs, size);
  }
  operation.matrix("auxiliary matrix", !reads, inputs.at, 1, {(size.rows + 7) / 8, size.columns},
                   inputs.column_step / 8);
}

void add_accesses(CublasOperation& operation, const MatmulWork& work) {
  const dense::Matmul& product = work.product;
  const MatrixSize size = product.size;
  const bool multiplies = work.alpha.counts() && product.k != 0;
  const BiasUse use = product.epilogue.bias_use;
  for (std::ptrdiff_t i = 0; i < work.count; ++i) {
    if (multiplies) {
      add_matrix(operation, "A", false, moved(product.a, i * work.distances[0]), {size.rows, product.k});
      add_matrix(operation, "B", false, moved(product.b, i * work.distances[1]), {product.k, size.columns});
    }
    if (work.beta.counts()) add_matrix(operation, "C", false, moved(product.c, i * work.distances[2]), size);
    if (use != BiasUse::none) {
      const std::ptrdiff_t length = use == BiasUse::gradient_of_b ? size.columns : size.rows;
      add_matrix(operation, "bias", use != BiasUse::add, moved(product.epilogue.bias, i * work.bias_distance),
                 {length, 1});
    }
    add_inputs(operation, moved(product.epilogue.inputs, i * work.inputs_distance), product.epilogue.activation, size);
    add_matrix(operation, "D", true, moved(product.d, i * work.distances[3]), size);
  }
  for (const float* const scale : work.scales) {
    if (scale != nullptr) operation.add("scale", false, device_memory::line(scale, sizeof(float)), {sizeof(float)});
  }
  if (product.largest != nullptr) {
    operation.add("amax", true, device_memory::line(product.largest, sizeof(float)), {sizeof(float)});
  }
}

/// What the program's pointers have to be.
CublasResult check_pointers(const MatmulCall& call, const MatmulWork& work) {
  const dense::Epilogue& epilogue = work.product.epilogue;
  if (call.d->columns == 0) {
    return {CUBLAS_STATUS_EXECUTION_FAILED, {ReasonKind::blas_value_too_small, "the columns of D", 0, 1}};
  }
  if (work.beta.counts() && work.product.c.at == nullptr) {
    return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "matrix C"}};
  }
  if (work.product.d.at == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "matrix D"}};
  if (epilogue.bias_use != BiasUse::none && epilogue.bias.at == nullptr) {
    return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "bias"}};
  }
  if ((call.desc->epilogue & kWithInputs) != 0 && epilogue.inputs.at == nullptr) {
    return {CUBLAS_STATUS_NOT_SUPPORTED, {ReasonKind::end_null, "auxiliary matrix"}};
  }
  return {};
}

/// An operation of a stream that a call names.
template <class Work>
cublasStatus_t in_stream_of(const char* function, cublasLtHandle_t handle, cudaStream_t stream, Work&& work,
                            const void* returns_to = __builtin_return_address(0)) {
  return library_call<cublasStatus_t>(
      function,
      [&] {
        cublasContext context;
        context.stream = stream;
        CublasOperation operation(handle == nullptr ? nullptr : &context, ReasonKind::blas_lt_handle_null);
        return operation.failed() ? operation.result() : CublasResult(work(operation));
      },
      returns_to);
}

CublasResult matmul(CublasOperation& operation, const MatmulCall& call, MatmulWork work, const void* alpha,
                    const void* beta) {
  const bool on_device = call.desc->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  if (alpha == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "factor alpha"}};
  if (beta == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "factor beta"}};
  const StoredType type = *element_type(call.desc->scale);
  work.alpha = {alpha, type, on_device};
  work.beta = {beta, type, on_device};
  if (CublasResult result = check_pointers(call, work); result.failed()) return result;
  static constexpr PointerModeNames kModes{"CUBLASLT_POINTER_MODE_HOST", "CUBLASLT_POINTER_MODE_DEVICE"};
  for (const auto& [name, at] : {std::pair{"alpha", alpha}, {"beta", beta}}) {
    const WrongPlace wrong = wrong_place(name, at, on_device, kModes);
    if (!wrong.why.empty()) return {CUBLAS_STATUS_EXECUTION_FAILED, wrong.why, wrong.fix};
    if (on_device) operation.add(name, false, device_memory::line(at, dense::size_of(type)), {dense::size_of(type)});
  }
  add_accesses(operation, work);
  return operation.submit([work = std::move(work)] { compute(work); });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber;
using namespace warpfiber::cuda_libraries;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return library_call<cublasStatus_t>(__func__, [&]() -> CublasResult {
    if (handle == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null};
    *handle = reinterpret_cast<cublasLtHandle_t>(new cublasContext);
    return {};
  });
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return library_call<cublasStatus_t>(__func__, [&]() -> CublasResult {
    if (handle == nullptr) return {CUBLAS_STATUS_NOT_INITIALIZED, ReasonKind::blas_lt_handle_null};
    delete handle_of(handle);
    return {};
  });
}
const char* cublasLtGetStatusName(cublasStatus_t status) {
  return cublasGetStatusName(status);
}
const char* cublasLtGetStatusString(cublasStatus_t status) {
  return cublasGetStatusString(status);
}
size_t cublasLtGetVersion(void) {
  return CUBLAS_VERSION;
}
size_t cublasLtGetCudartVersion(void) {
  return cublasGetCudartVersion();
}
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned) {
  return 0;
}
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return cublasGetProperty(type, value);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha, const void* A,
                              cublasLtMatrixLayout_t Adesc, const void* B, cublasLtMatrixLayout_t Bdesc,
                              const void* beta, const void* C, cublasLtMatrixLayout_t Cdesc, void* D,
                              cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t*, void*, size_t,
                              cudaStream_t stream) {
  return in_stream_of(__func__, handle, stream, [&](CublasOperation& operation) -> CublasResult {
    const MatmulCall call{fields_of(desc), fields_of(Adesc), fields_of(Bdesc), fields_of(Cdesc), fields_of(Ddesc)};
    if (CublasResult result = check(call); result.failed()) return result;
    return matmul(operation, call, work_of(call, A, B, C, D), alpha, beta);
  });
}

}  // extern "C"
