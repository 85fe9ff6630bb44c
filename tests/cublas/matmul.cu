// SPDX-License-Identifier: Apache-2.0
// Prints what cuBLASLt makes of given matrices, and what calls with mistakes return (README.md).
#include <cublasLt.h>

#include <initializer_list>
#include <utility>
#include <vector>

#include "recorded.h"

namespace {

cublasLtHandle_t handle;
constexpr std::size_t kWorkspace = 4 << 20;
void* workspace;

/// A product of matrices that are stored by columns unless `order` says otherwise. A is transposed: fp8 has to be.
struct Matmul {
  cublasLtMatmulDesc_t desc = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr, d = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  cublasStatus_t last = CUBLAS_STATUS_SUCCESS;

  Matmul(cublasComputeType_t compute, cudaDataType scale, cudaDataType in_a, cudaDataType in_b, cudaDataType add,
         cudaDataType out, int m, int n, int k) {
    const cublasOperation_t transposed = CUBLAS_OP_T;
    cublasLtMatmulDescCreate(&desc, compute, scale);
    set(CUBLASLT_MATMUL_DESC_TRANSA, transposed);
    cublasLtMatrixLayoutCreate(&a, in_a, k, m, k);
    cublasLtMatrixLayoutCreate(&b, in_b, k, n, k);
    cublasLtMatrixLayoutCreate(&c, add, m, n, m);
    cublasLtMatrixLayoutCreate(&d, out, m, n, m);
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspace,
                                         sizeof kWorkspace);
  }
  ~Matmul() {
    for (const cublasLtMatrixLayout_t layout : {a, b, c, d}) cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatmulDescDestroy(desc);
  }
  template <class T>
  cublasStatus_t set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
    return cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof value);
  }
  template <class T>
  void set_all(cublasLtMatrixLayoutAttribute_t attribute, std::initializer_list<T> values) {
    const cublasLtMatrixLayout_t layouts[] = {a, b, c, d};
    int i = 0;
    for (const T& value : values) cublasLtMatrixLayoutSetAttribute(layouts[i++], attribute, &value, sizeof value);
  }
  /// The status of the heuristics, and then that of the product.
  template <class Scale>
  void run(const char* what, Scale alpha, const void* at_a, const void* at_b, Scale beta, const void* at_c,
           void* at_d) {
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    const cublasStatus_t searched =
        cublasLtMatmulAlgoGetHeuristic(handle, desc, a, b, c, d, preference, 1, &found, &count);
    std::printf("%s found -> %d %d\n", what, int(searched), count);
    last = cublasLtMatmul(handle, desc, &alpha, at_a, a, at_b, b, &beta, at_c, c, at_d, d,
                          count == 1 ? &found.algo : nullptr, workspace, kWorkspace, nullptr);
  }
};

template <class T>
cudaDataType type_of() {
  if (std::is_same_v<T, float>) return CUDA_R_32F;
  if (std::is_same_v<T, double>) return CUDA_R_64F;
  if (std::is_same_v<T, __half>) return CUDA_R_16F;
  if (std::is_same_v<T, __nv_bfloat16>) return CUDA_R_16BF;
  if (std::is_same_v<T, std::int8_t>) return CUDA_R_8I;
  if (std::is_same_v<T, int>) return CUDA_R_32I;
  if (std::is_same_v<T, float2>) return CUDA_C_32F;
  if (std::is_same_v<T, double2>) return CUDA_C_64F;
  if (std::is_same_v<T, __nv_fp8_e4m3>) return CUDA_R_8F_E4M3;
  return CUDA_R_8F_E5M2;
}

template <class InA, class InB, class Add, class Out, class Scale>
void typed(const char* what, cublasComputeType_t compute, double by = 2) {
  const int m = 16, n = 16, k = 32;
  Matmul product(compute, type_of<Scale>(), type_of<InA>(), type_of<InB>(), type_of<Add>(), type_of<Out>(), m, n, k);
  DeviceArray<InA> a(k * m);
  DeviceArray<InB> b(k * n, 700);
  DeviceArray<Add> c(m * n, 900);
  DeviceArray<Out> d(m * n, 1100);
  const double unit = std::is_integral_v<Scale> ? 1.0 / 200 : 1;
  product.run(what, number<Scale>(by * unit, 0.5), a, b, number<Scale>(unit, 0), c, d);
  show(what, product.last, d);
}

void types() {
  typed<float, float, float, float, float>("32F", CUBLAS_COMPUTE_32F);
  typed<float, float, float, float, float>("TF32", CUBLAS_COMPUTE_32F_FAST_TF32);
  typed<double, double, double, double, double>("64F", CUBLAS_COMPUTE_64F);
  typed<float2, float2, float2, float2, float2>("C32F", CUBLAS_COMPUTE_32F);
  typed<double2, double2, double2, double2, double2>("C64F", CUBLAS_COMPUTE_64F);
  typed<__half, __half, __half, __half, float>("16F", CUBLAS_COMPUTE_32F);
  typed<__half, __half, float, float, float>("16F to 32F", CUBLAS_COMPUTE_32F);
  typed<__half, __half, __half, __half, __half>("16F 16F", CUBLAS_COMPUTE_16F);
  typed<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float>("16BF", CUBLAS_COMPUTE_32F);
  typed<__nv_bfloat16, __nv_bfloat16, float, float, float>("16BF to 32F", CUBLAS_COMPUTE_32F);
  typed<std::int8_t, std::int8_t, int, int, int>("8I", CUBLAS_COMPUTE_32I);
  typed<std::int8_t, std::int8_t, std::int8_t, std::int8_t, float>("8I to 8I", CUBLAS_COMPUTE_32I, 0.005);
  typed<__nv_fp8_e4m3, __nv_fp8_e4m3, __nv_bfloat16, __nv_bfloat16, float>("E4M3 to 16BF", CUBLAS_COMPUTE_32F);
  typed<__nv_fp8_e4m3, __nv_fp8_e5m2, __half, __half, float>("E4M3 E5M2 to 16F", CUBLAS_COMPUTE_32F);
  typed<__nv_fp8_e5m2, __nv_fp8_e4m3, float, float, float>("E5M2 E4M3 to 32F", CUBLAS_COMPUTE_32F);
  typed<__nv_fp8_e4m3, __nv_fp8_e4m3, __nv_bfloat16, __nv_fp8_e4m3, float>("E4M3 to E4M3", CUBLAS_COMPUTE_32F);
  typed<__nv_fp8_e5m2, __nv_fp8_e5m2, __nv_bfloat16, __nv_bfloat16, float>("E5M2", CUBLAS_COMPUTE_32F);
  typed<float, float, __half, float, float>("C and D of two types", CUBLAS_COMPUTE_32F);
  typed<__half, __half, __half, float, float>("16F C, 32F D", CUBLAS_COMPUTE_32F);
  typed<float, float, float, float, double>("32F by doubles", CUBLAS_COMPUTE_32F);
}

template <class Out>
void scales(const char* what, bool scales_d, bool largest) {
  const int m = 16, n = 16, k = 32;
  Matmul product(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF, type_of<Out>(), m, n, k);
  DeviceArray<__nv_fp8_e4m3> a(k * m), b(k * n, 700);
  DeviceArray<Out> d(m * n, 1100);
  DeviceArray<__nv_bfloat16> c(m * n, 900);
  DeviceArray<float> of_a(1, 1, 8), of_b(1, 2, 8), of_d(1, 3, 8), amax(1);
  float* const at[] = {of_a, of_b, of_d, amax};
  product.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, at[0]);
  product.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, at[1]);
  if (scales_d) product.set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, at[2]);
  if (largest) product.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, at[3]);
  product.run(what, 1.5f, a, b, 1.0f, c, d);
  show(what, product.last, d);
  show("its amax", product.last, amax);
}

template <class Out>
void epilogue(const char* what, cublasLtEpilogue_t kind, bool bias, bool aux) {
  const int m = 16, n = 8, k = 16;
  const cudaDataType out = type_of<Out>();
  Matmul product(CUBLAS_COMPUTE_32F, CUDA_R_32F, out, out, out, out, m, n, k);
  DeviceArray<Out> a(k * m, 0, 4), b(k * n, 700, 4), d(m * n, 900), biases(32, 1300, 3), auxes(m * n, 1500, 3);
  product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, kind);
  void* const at = biases;
  void* const aux_at = auxes;
  const std::int64_t leading = (kind & (CUBLASLT_EPILOGUE_RELU | 8)) != 0 ? 128 : m;
  if (bias) tell("bias pointer", product.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, at));
  if (aux) tell("aux pointer", product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux_at));
  if (aux) tell("aux leading", product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, leading));
  product.run(what, 1.0f, a, b, 0.0f, d, d);
  show(what, product.last, d);
  if (aux) show("its aux", product.last, auxes);
}

void gradients() {
  const int n = 16;
  for (const cublasLtEpilogue_t kind : {CUBLASLT_EPILOGUE_BGRADA, CUBLASLT_EPILOGUE_BGRADB,
                                        CUBLASLT_EPILOGUE_DRELU_BGRAD, CUBLASLT_EPILOGUE_DGELU_BGRAD}) {
    for (const cublasOperation_t ta : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      for (const cublasOperation_t tb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        Matmul product(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, n, n, n);
        DeviceArray<__half> a(n * n, 0, 4), b(n * n, 700, 4), d(n * n, 900), biases(n, 1300, 3), auxes(n * n, 1500, 3);
        void* const at = biases;
        void* const aux_at = auxes;
        const std::int64_t leading = kind == CUBLASLT_EPILOGUE_DRELU_BGRAD ? 128 : n;
        product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, kind);
        product.set(CUBLASLT_MATMUL_DESC_TRANSA, ta);
        product.set(CUBLASLT_MATMUL_DESC_TRANSB, tb);
        product.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, at);
        if (kind & 128) product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux_at);
        if (kind & 128) product.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, leading);
        char what[40];
        std::snprintf(what, sizeof what, "gradient %d %d%d", int(kind), int(ta), int(tb));
        product.run(what, 1.0f, a, b, 0.0f, d, d);
        show(what, product.last, d);
        show("its biases", product.last, biases);
      }
    }
  }
}

template <class Out>
void epilogues() {
  epilogue<Out>("DEFAULT", CUBLASLT_EPILOGUE_DEFAULT, false, false);
  epilogue<Out>("RELU", CUBLASLT_EPILOGUE_RELU, false, false);
  epilogue<Out>("BIAS", CUBLASLT_EPILOGUE_BIAS, true, false);
  epilogue<Out>("RELU_BIAS", CUBLASLT_EPILOGUE_RELU_BIAS, true, false);
  epilogue<Out>("GELU", CUBLASLT_EPILOGUE_GELU, false, false);
  epilogue<Out>("GELU_BIAS", CUBLASLT_EPILOGUE_GELU_BIAS, true, false);
  epilogue<Out>("RELU_AUX", CUBLASLT_EPILOGUE_RELU_AUX, false, true);
  epilogue<Out>("RELU_AUX_BIAS", CUBLASLT_EPILOGUE_RELU_AUX_BIAS, true, true);
  epilogue<Out>("GELU_AUX", CUBLASLT_EPILOGUE_GELU_AUX, false, true);
  epilogue<Out>("GELU_AUX_BIAS", CUBLASLT_EPILOGUE_GELU_AUX_BIAS, true, true);
  epilogue<Out>("DRELU", CUBLASLT_EPILOGUE_DRELU, false, true);
  epilogue<Out>("DGELU", CUBLASLT_EPILOGUE_DGELU, false, true);
  epilogue<Out>("BIAS without pointer", CUBLASLT_EPILOGUE_BIAS, false, false);
  epilogue<Out>("GELU_AUX without pointer", CUBLASLT_EPILOGUE_GELU_AUX, false, false);
}

void layouts() {
  DeviceArray<float> a(1024), b(1024, 700), c(1024, 900), d(1024, 1100);
  for (const cublasLtOrder_t order : {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW}) {
    Matmul product(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 5, 4, 7);
    product.set_all<int>(CUBLASLT_MATRIX_LAYOUT_ORDER, {int(order), int(order), int(order), int(order)});
    product.set_all<std::int64_t>(CUBLASLT_MATRIX_LAYOUT_LD, {9, 8, 7, 6});
    product.set_all<int>(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, {3, 3, 3, 3});
    product.set_all<std::int64_t>(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, {100, 0, 50, 40});
    product.run(order == CUBLASLT_ORDER_COL ? "columns" : "rows", 1.5f, a, b, -0.5f, c, d);
    show(order == CUBLASLT_ORDER_COL ? "columns" : "rows", product.last, d);
  }
  for (int mixed = 1; mixed < 8; ++mixed) {
    Matmul product(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 8, 8, 8);
    product.set_all<int>(CUBLASLT_MATRIX_LAYOUT_ORDER, {mixed & 1, mixed >> 1 & 1, mixed >> 2, mixed >> 2});
    product.run("mixed orders", 1.0f, a, b, 1.0f, c, d);
    show("mixed orders", product.last, d);
  }
  Matmul product(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 4, 4, 4);
  const cublasLtPointerMode_t mode = CUBLASLT_POINTER_MODE_DEVICE;
  tell("pointer mode", product.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, mode));
  float* const at = c;
  const cublasStatus_t status = cublasLtMatmul(handle, product.desc, at, a, product.a, b, product.b, at + 1, at + 64,
                                               product.c, d, product.d, nullptr, nullptr, 0, nullptr);
  show("factors on the device", status, d);
}

void wrong_products() {
  DeviceArray<float> x(1024);
  const float one = 1;
  const auto run = [&](const char* what, const std::vector<std::pair<int, std::int64_t>>& changes) {
    Matmul product(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 4, 5, 6);
    const cublasLtMatrixLayout_t layouts[] = {product.a, product.b, product.c, product.d};
    for (const auto& [which, value] : changes) {
      const auto attribute = cublasLtMatrixLayoutAttribute_t(which % 10);
      const bool narrow = attribute == CUBLASLT_MATRIX_LAYOUT_TYPE || attribute == CUBLASLT_MATRIX_LAYOUT_ORDER ||
                          attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT;
      std::printf("%s set -> %d\n", what,
                  int(cublasLtMatrixLayoutSetAttribute(layouts[which / 10], attribute, &value, narrow ? 4 : 8)));
    }
    product.run(what, 1.0f, x, x, 0.0f, x, x);
    tell(what, product.last);
  };
  run("right", {});
  run("A's ld small", {{CUBLASLT_MATRIX_LAYOUT_LD, 5}});
  run("A's ld zero", {{CUBLASLT_MATRIX_LAYOUT_LD, 0}});
  run("A's ld negative", {{CUBLASLT_MATRIX_LAYOUT_LD, -6}});
  run("A's rows", {{CUBLASLT_MATRIX_LAYOUT_ROWS, 5}});
  run("A's columns", {{CUBLASLT_MATRIX_LAYOUT_COLS, 3}});
  run("A's rows zero", {{CUBLASLT_MATRIX_LAYOUT_ROWS, 0}, {10 + CUBLASLT_MATRIX_LAYOUT_ROWS, 0}});
  run("D's columns zero", {{10 + CUBLASLT_MATRIX_LAYOUT_COLS, 0},
                           {20 + CUBLASLT_MATRIX_LAYOUT_COLS, 0},
                           {30 + CUBLASLT_MATRIX_LAYOUT_COLS, 0}});
  run("D's columns", {{30 + CUBLASLT_MATRIX_LAYOUT_COLS, 4}});
  run("C's rows", {{20 + CUBLASLT_MATRIX_LAYOUT_ROWS, 3}});
  run("A's type", {{CUBLASLT_MATRIX_LAYOUT_TYPE, CUDA_R_64F}});
  run("A's type unknown", {{CUBLASLT_MATRIX_LAYOUT_TYPE, 99}});
  run("A's order unknown", {{CUBLASLT_MATRIX_LAYOUT_ORDER, 99}});
  run("A's batch", {{CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 2}});
  run("A's batch negative", {{CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, -2}});
  Matmul product(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 4, 4, 4);
  const auto matmul = [&](const char* what, cublasLtHandle_t with, cublasLtMatmulDesc_t desc, const float* alpha,
                          const float* a, cublasLtMatrixLayout_t layout, float* d, cublasLtMatrixLayout_t last) {
    tell(what, cublasLtMatmul(with, desc, alpha, a, layout, x, product.b, &one, x, product.c, d, last, nullptr, nullptr,
                              0, nullptr));
  };
  product.run("C null", 1.0f, x, x, 0.0f, nullptr, x);
  tell("C null", product.last);
  product.run("C null, beta", 1.0f, x, x, 1.0f, nullptr, x);
  tell("C null, beta", product.last);
  matmul("matmul", handle, product.desc, &one, x, product.a, x, product.d);
  matmul("matmul handle", nullptr, product.desc, &one, x, product.a, x, product.d);
}

void attributes() {
  Matmul product(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 4, 4, 4);
  std::int64_t value = -99;
  const auto get = [&](const char* what, int attribute, std::size_t size) {
    std::size_t written = 77;
    value = 0;
    const cublasStatus_t status =
        cublasLtMatmulDescGetAttribute(product.desc, cublasLtMatmulDescAttributes_t(attribute), &value, size, &written);
    std::printf("get %s %zu -> %d %zu %lld\n", what, size, int(status), written, static_cast<long long>(value));
    std::printf(
        "set %s %zu -> %d\n", what, size,
        int(cublasLtMatmulDescSetAttribute(product.desc, cublasLtMatmulDescAttributes_t(attribute), &value, size)));
  };
  for (const std::size_t size : {0, 1, 4, 8, 16}) {
    get("compute type", CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, size);
    get("scale type", CUBLASLT_MATMUL_DESC_SCALE_TYPE, size);
    get("pointer mode", CUBLASLT_MATMUL_DESC_POINTER_MODE, size);
    get("operation of A", CUBLASLT_MATMUL_DESC_TRANSA, size);
    get("operation of C", CUBLASLT_MATMUL_DESC_TRANSC, size);
    get("fill mode", CUBLASLT_MATMUL_DESC_FILL_MODE, size);
    get("epilogue", CUBLASLT_MATMUL_DESC_EPILOGUE, size);
    get("bias", CUBLASLT_MATMUL_DESC_BIAS_POINTER, size);
    get("bias stride", CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, size);
    get("aux ld", CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, size);
    get("A scale", CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, size);
    get("fast accumulation", CUBLASLT_MATMUL_DESC_FAST_ACCUM, size);
    get("bias type", CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, size);
    get("aux type", CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, size);
    get("SM count", CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, size);
    get("unknown", 250, size);
  }
  const auto layout = [&](int attribute, std::size_t size) {
    std::size_t written = 77;
    value = 0;
    const cublasStatus_t status =
        cublasLtMatrixLayoutGetAttribute(product.a, cublasLtMatrixLayoutAttribute_t(attribute), &value, size, &written);
    std::printf("layout %d %zu -> %d %zu %lld\n", attribute, size, int(status), written, static_cast<long long>(value));
  };
  for (int attribute = 0; attribute < 8; ++attribute)
    for (const std::size_t size : {0, 4, 8}) layout(attribute, size);
  for (int attribute = 0; attribute < 13; ++attribute) {
    std::size_t written = 77;
    value = 0;
    for (const std::size_t size : {4, 8}) {
      const cublasStatus_t status = cublasLtMatmulPreferenceGetAttribute(
          product.preference, cublasLtMatmulPreferenceAttributes_t(attribute), &value, size, &written);
      std::printf("preference %d %zu -> %d %zu %lld\n", attribute, size, int(status), written,
                  static_cast<long long>(value));
    }
  }
}

}  // namespace

int main() {
  tell("create", cublasLtCreate(&handle));
  cudaMalloc(&workspace, kWorkspace);
  types();
  scales<__nv_bfloat16>("scales of A and B", false, false);
  scales<__nv_bfloat16>("scales of A, B and D", true, false);
  scales<__nv_fp8_e4m3>("scales, D of 8 bits", true, false);
  scales<__nv_fp8_e4m3>("amax, D of 8 bits", true, true);
  scales<__nv_bfloat16>("amax", false, true);
  epilogues<__half>();
  epilogues<float>();
  epilogues<__nv_bfloat16>();
  gradients();
  layouts();
  attributes();
  wrong_products();
  cublasLtDestroy(handle);
}
