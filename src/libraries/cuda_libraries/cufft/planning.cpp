// SPDX-License-Identifier: Apache-2.0
// The functions of cuFFT that make plans and ask about them. What they refuse is what cuFFT refused on an H200.
#include <fmt/format.h>
#include <warpfiber/cuda/api/library_types.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "cuda_libraries/cufft/plans.hpp"
#include "record/reason.hpp"

namespace warpfiber::cuda_libraries {
namespace {

/// What the functions that make plans are given, of whichever width.
struct PlanRequest {
  int rank = 1;
  std::array<long long, 3> length{1, 1, 1};
  cufftType type = CUFFT_C2C;
  long long batch = 1;
  bool is_advanced = false;
  std::array<long long, 3> from_embed{}, to_embed{};
  long long from_stride = 1, from_distance = 0, to_stride = 1, to_distance = 0;
};

CufftResult check_layout(const PlanRequest& request) {
  const long long stride = std::min(request.from_stride, request.to_stride);
  if (stride < 1) return {CUFFT_INVALID_VALUE, {ReasonKind::transform_stride_not_positive, stride}};
  const long long distance = std::min(request.from_distance, request.to_distance);
  if (distance < (request.batch > 1 ? 1 : 0)) {
    return {CUFFT_INVALID_VALUE, {ReasonKind::transform_distance_not_positive, distance}};
  }
  const long long embed = std::min(*std::min_element(request.from_embed.begin(), request.from_embed.end()),
                                   *std::min_element(request.to_embed.begin(), request.to_embed.end()));
  if (embed < 0) return {CUFFT_INVALID_VALUE, {ReasonKind::transform_length_not_positive, embed}};
  return {};
}

CufftResult check(const PlanRequest& request) {
  if (transform_type_name(request.type).front() == '0') {
    return {CUFFT_INVALID_TYPE, {ReasonKind::transform_type_unknown, transform_type_name(request.type)}};
  }
  const auto rank = static_cast<std::size_t>(request.rank);
  for (std::size_t d = 0; d < rank; ++d) {
    if (request.length.at(d) < 1) {
      return {CUFFT_INVALID_SIZE, {ReasonKind::transform_length_not_positive, request.length.at(d)}};
    }
  }
  if (request.batch < 1) return {CUFFT_INVALID_SIZE, {ReasonKind::transform_batch_not_positive, request.batch}};
  return request.is_advanced ? check_layout(request) : CufftResult{};
}

SideLayout side_layout(const PlanRequest& request, const std::array<long long, 3>& embed, long long stride,
                       long long distance) {
  SideLayout side;
  side.is_basic = !request.is_advanced;
  for (std::size_t d = 0; d < 3; ++d) side.layout.embed.at(d) = static_cast<std::size_t>(embed.at(d));
  side.layout.stride = static_cast<std::size_t>(stride);
  side.layout.distance = static_cast<std::size_t>(distance);
  return side;
}

/// The memory that a plan asks for. Nothing is kept in it here: it is as large as one complex array of the batch, of
/// which NVIDIA's documentation speaks.
std::size_t work_size(const PlanRequest& request) {
  const std::size_t number = is_double(request.type) ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex);
  std::size_t bytes = number * static_cast<std::size_t>(request.batch);
  for (const long long length : request.length) bytes *= static_cast<std::size_t>(length);
  return bytes;
}

std::shared_ptr<const TransformPlan> plan_of(const PlanRequest& request) {
  numerics::fft::Extents extents{request.rank, {}};
  for (std::size_t d = 0; d < 3; ++d) extents.length.at(d) = static_cast<std::size_t>(request.length.at(d));
  auto plan = std::make_shared<TransformPlan>(
      request.type, extents, static_cast<std::size_t>(request.batch),
      side_layout(request, request.from_embed, request.from_stride, request.from_distance),
      side_layout(request, request.to_embed, request.to_stride, request.to_distance));
  plan->work_size = work_size(request);
  return plan;
}

CufftResult put_size(const PlanRequest& request, std::size_t* size) {
  if (size == nullptr) return {CUFFT_INVALID_VALUE, ReasonKind::result_pointer_null};
  if (CufftResult wrong = check(request); wrong.failed()) return wrong;
  *size = work_size(request);
  return {};
}

CufftResult put_size_for(cufftHandle handle, const PlanRequest& request, std::size_t* size) {
  return with_plan(handle, [&](NumberedPlan&) { return put_size(request, size); });
}

CufftResult make(cufftHandle handle, const PlanRequest& request, std::size_t* size) {
  return with_plan(handle, [&](NumberedPlan& numbered) {
    CufftResult result = put_size(request, size);
    if (!result.failed() && numbered.plan != nullptr) {
      return CufftResult{CUFFT_INVALID_PLAN, {ReasonKind::transform_plan_has_one, handle}};
    }
    if (!result.failed()) numbered.plan = plan_of(request);
    return result;
  });
}

CufftResult create_and_make(cufftHandle* handle, const PlanRequest& request) {
  if (handle == nullptr) return {CUFFT_INVALID_VALUE, ReasonKind::result_pointer_null};
  if (CufftResult wrong = check(request); wrong.failed()) return wrong;
  const std::shared_ptr<const TransformPlan> plan = plan_of(request);
  CufftResult result = create_plan(handle);
  if (result.failed()) return result;
  return with_plan(*handle, [&](NumberedPlan& numbered) {
    numbered.plan = plan;
    return CufftResult{};
  });
}

PlanRequest plain_request(int rank, const std::array<long long, 3>& length, cufftType type, long long batch) {
  PlanRequest request;
  request.rank = rank;
  request.length = length;
  request.type = type;
  request.batch = batch;
  return request;
}

/// A layout as cufftPlanMany is given it.
template <class Int>
struct GivenLayout {
  const Int* embed;
  Int stride;
  Int distance;
};

/// Calls `use` with the request, if there can be one of so many dimensions.
template <class Int, class Use>
CufftResult with_request(int rank, const Int* length, const GivenLayout<Int>& from, const GivenLayout<Int>& to,
                         cufftType type, long long batch, Use use) {
  if (rank < 1 || rank > 3) {
    const auto dimensions = static_cast<std::uint64_t>(std::max(rank, 0));
    return {CUFFT_INVALID_VALUE, {ReasonKind::transform_dimensions_beyond, record::Quantity{dimensions, "dimension"}}};
  }
  if (length == nullptr) return {CUFFT_INVALID_VALUE, ReasonKind::pointer_null};
  PlanRequest request = plain_request(rank, {1, 1, 1}, type, batch);
  std::copy_n(length, rank, request.length.begin());
  if ((from.embed == nullptr) != (to.embed == nullptr)) {
    return {CUFFT_INVALID_VALUE,
            {ReasonKind::transform_layout_of_one_side, from.embed == nullptr ? "inembed" : "onembed"}};
  }
  request.is_advanced = from.embed != nullptr && to.embed != nullptr;
  if (request.is_advanced) {
    std::copy_n(from.embed, rank, request.from_embed.begin());
    std::copy_n(to.embed, rank, request.to_embed.begin());
    request.from_stride = from.stride;
    request.from_distance = from.distance;
    request.to_stride = to.stride;
    request.to_distance = to.distance;
  }
  return use(request);
}

/// The types that cufftXtMakePlanMany is given.
struct TransformTypes {
  cudaDataType input, output, execution;
};

/// Calls `use` with the type of transform.
template <class Use>
CufftResult with_type(const TransformTypes& types, Use use) {
  for (const auto& [known, type] : {
           std::pair{TransformTypes{CUDA_C_32F, CUDA_C_32F, CUDA_C_32F}, CUFFT_C2C},
           std::pair{TransformTypes{CUDA_R_32F, CUDA_C_32F, CUDA_C_32F}, CUFFT_R2C},
           std::pair{TransformTypes{CUDA_C_32F, CUDA_R_32F, CUDA_C_32F}, CUFFT_C2R},
           std::pair{TransformTypes{CUDA_C_64F, CUDA_C_64F, CUDA_C_64F}, CUFFT_Z2Z},
           std::pair{TransformTypes{CUDA_R_64F, CUDA_C_64F, CUDA_C_64F}, CUFFT_D2Z},
           std::pair{TransformTypes{CUDA_C_64F, CUDA_R_64F, CUDA_C_64F}, CUFFT_Z2D},
       }) {
    if (known.input == types.input && known.output == types.output && known.execution == types.execution) {
      return use(type);
    }
  }
  for (const auto& [name, type] : {std::pair{"inputtype", types.input}, std::pair{"outputtype", types.output},
                                   std::pair{"executiontype", types.execution}}) {
    if (type == CUDA_R_16F || type == CUDA_C_16F || type == CUDA_R_16BF || type == CUDA_C_16BF) {
      return {CUFFT_NOT_SUPPORTED, {ReasonKind::blas_value_not_modelled, name, static_cast<int>(type)}};
    }
  }
  return {CUFFT_INVALID_TYPE,
          {ReasonKind::transform_type_unknown,
           fmt::format("{} to {} by {}", int{types.input}, int{types.output}, int{types.execution})}};
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return library_call<cufftResult>(__func__, [&] {
    return create_and_make(plan, plain_request(1, {nx, 1, 1}, type, batch));
  });
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return library_call<cufftResult>(__func__, [&] {
    return create_and_make(plan, plain_request(2, {nx, ny, 1}, type, 1));
  });
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return library_call<cufftResult>(__func__, [&] {
    return create_and_make(plan, plain_request(3, {nx, ny, nz}, type, 1));
  });
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, cufftType type, int batch) {
  return library_call<cufftResult>(__func__, [&] {
    return with_request<int>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch,
                             [&](const PlanRequest& request) { return create_and_make(plan, request); });
  });
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return make(plan, plain_request(1, {nx, 1, 1}, type, batch), size);
  });
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* size) {
  return library_call<cufftResult>(__func__, [&] { return make(plan, plain_request(2, {nx, ny, 1}, type, 1), size); });
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* size) {
  return library_call<cufftResult>(__func__, [&] { return make(plan, plain_request(3, {nx, ny, nz}, type, 1), size); });
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return with_request<int>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch,
                             [&](const PlanRequest& request) { return make(plan, request, size); });
  });
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, long long* onembed, long long ostride, long long odist, cufftType type,
                                long long batch, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return with_request<long long>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch,
                                   [&](const PlanRequest& request) { return make(plan, request, size); });
  });
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* size) {
  return library_call<cufftResult>(__func__, [&] { return put_size(plain_request(1, {nx, 1, 1}, type, batch), size); });
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* size) {
  return library_call<cufftResult>(__func__, [&] { return put_size(plain_request(2, {nx, ny, 1}, type, 1), size); });
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* size) {
  return library_call<cufftResult>(__func__, [&] { return put_size(plain_request(3, {nx, ny, nz}, type, 1), size); });
}
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride,
                              int odist, cufftType type, int batch, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return with_request<int>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch,
                             [&](const PlanRequest& request) { return put_size(request, size); });
  });
}
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return put_size_for(plan, plain_request(1, {nx, 1, 1}, type, batch), size);
  });
}
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return put_size_for(plan, plain_request(2, {nx, ny, 1}, type, 1), size);
  });
}
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return put_size_for(plan, plain_request(3, {nx, ny, nz}, type, 1), size);
  });
}
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                             int ostride, int odist, cufftType type, int batch, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return with_request<int>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch,
                             [&](const PlanRequest& request) { return put_size_for(plan, request, size); });
  });
}
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                               long long idist, long long* onembed, long long ostride, long long odist, cufftType type,
                               long long batch, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return with_request<long long>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch,
                                   [&](const PlanRequest& request) { return put_size_for(plan, request, size); });
  });
}
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, cudaDataType inputtype, long long* onembed, long long ostride,
                                long long odist, cudaDataType outputtype, long long batch, size_t* size,
                                cudaDataType executiontype) {
  return library_call<cufftResult>(__func__, [&] {
    return with_type({inputtype, outputtype, executiontype}, [&](cufftType type) {
      return with_request<long long>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch,
                                     [&](const PlanRequest& request) { return make(plan, request, size); });
    });
  });
}
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                               long long idist, cudaDataType inputtype, long long* onembed, long long ostride,
                               long long odist, cudaDataType outputtype, long long batch, size_t* size,
                               cudaDataType executiontype) {
  return library_call<cufftResult>(__func__, [&] {
    return with_type({inputtype, outputtype, executiontype}, [&](cufftType type) {
      return with_request<long long>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch,
                                     [&](const PlanRequest& request) { return put_size_for(plan, request, size); });
    });
  });
}
cufftResult cufftGetSize(cufftHandle plan, size_t* size) {
  return library_call<cufftResult>(__func__, [&] {
    return with_plan(plan, [&](NumberedPlan& numbered) {
      if (size == nullptr) return CufftResult{CUFFT_INVALID_VALUE, ReasonKind::result_pointer_null};
      if (numbered.plan == nullptr) return CufftResult{CUFFT_INVALID_PLAN, {ReasonKind::transform_plan_empty, plan}};
      *size = numbered.plan->work_size;
      return CufftResult{};
    });
  });
}

}  // extern "C"
