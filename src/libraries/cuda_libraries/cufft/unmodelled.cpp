// SPDX-License-Identifier: Apache-2.0
// Functions of cuFFT that are not modelled: queries, properties of plans, callbacks as binaries. They can be
// linked, return CUFFT_NOT_SUPPORTED, and say so once. What they are called with is not looked at.
#include "cuda_libraries/cufft/plans.hpp"

using warpfiber::cuda_libraries::library_not_modelled;

extern "C" {

cufftResult cufftXtQueryPlan(cufftHandle, void*, cufftXtQueryType) {
  return library_not_modelled<cufftResult>(__func__);
}
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle, cufftXtWorkAreaPolicy, size_t*) {
  return library_not_modelled<cufftResult>(__func__);
}
cufftResult cufftXtSetSubformatDefault(cufftHandle, cufftXtSubFormat, cufftXtSubFormat) {
  return library_not_modelled<cufftResult>(__func__);
}
cufftResult cufftXtSetJITCallback(cufftHandle, const char*, const void*, size_t, cufftXtCallbackType, void**) {
  return library_not_modelled<cufftResult>(__func__);
}
cufftResult cufftSetPlanPropertyInt64(cufftHandle, cufftProperty, const long long) {
  return library_not_modelled<cufftResult>(__func__);
}
cufftResult cufftGetPlanPropertyInt64(cufftHandle, cufftProperty, long long*) {
  return library_not_modelled<cufftResult>(__func__);
}
cufftResult cufftResetPlanProperty(cufftHandle, cufftProperty) {
  return library_not_modelled<cufftResult>(__func__);
}

}  // extern "C"
