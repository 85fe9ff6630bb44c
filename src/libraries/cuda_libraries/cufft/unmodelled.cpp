// SPDX-License-Identifier: Apache-2.0
// Functions of cuFFT that are not modelled: several devices, callbacks, other types, properties of plans. They can be
// linked, return CUFFT_NOT_SUPPORTED, and say so once. What they are called with is not looked at.
#include "cuda_libraries/cufft/plans.hpp"

using warpfiber::cuda_libraries::library_not_modelled;

#define WARPFIBER_NOT_MODELLED(function)                 \
  cufftResult function(...) {                            \
    return library_not_modelled<cufftResult>(#function); \
  }

extern "C" {

WARPFIBER_NOT_MODELLED(cufftXtSetGPUs)
WARPFIBER_NOT_MODELLED(cufftXtMalloc)
WARPFIBER_NOT_MODELLED(cufftXtMemcpy)
WARPFIBER_NOT_MODELLED(cufftXtFree)
WARPFIBER_NOT_MODELLED(cufftXtSetWorkArea)
WARPFIBER_NOT_MODELLED(cufftXtExecDescriptorC2C)
WARPFIBER_NOT_MODELLED(cufftXtExecDescriptorR2C)
WARPFIBER_NOT_MODELLED(cufftXtExecDescriptorC2R)
WARPFIBER_NOT_MODELLED(cufftXtExecDescriptorZ2Z)
WARPFIBER_NOT_MODELLED(cufftXtExecDescriptorD2Z)
WARPFIBER_NOT_MODELLED(cufftXtExecDescriptorZ2D)
WARPFIBER_NOT_MODELLED(cufftXtExecDescriptor)
WARPFIBER_NOT_MODELLED(cufftXtQueryPlan)
WARPFIBER_NOT_MODELLED(cufftXtSetCallback)
WARPFIBER_NOT_MODELLED(cufftXtClearCallback)
WARPFIBER_NOT_MODELLED(cufftXtSetCallbackSharedSize)
WARPFIBER_NOT_MODELLED(cufftXtSetWorkAreaPolicy)
WARPFIBER_NOT_MODELLED(cufftXtSetSubformatDefault)
WARPFIBER_NOT_MODELLED(cufftXtSetJITCallback)

#undef WARPFIBER_NOT_MODELLED

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
