// SPDX-License-Identifier: Apache-2.0
// cuFFT and cuRAND with wrong arguments (README.md).
#include <cufft.h>
#include <curand.h>

#include "probe.h"

namespace {

#define FFT(function, names) probe(#function, function, names)

long long made_plan(cufftType type) {
  cufftHandle plan = -1;
  cufftPlan1d(&plan, 4, type, 2);
  return plan;
}

long long empty_plan() {
  cufftHandle plan = -1;
  cufftCreate(&plan);
  return plan;
}

/// `Int`: the type of the sizes of the functions for many dimensions.
template <class Int>
Arguments fft_arguments() {
  static Int sizes[4] = {4, 4, 4, 4};
  const std::vector<long long> plans = {-1, 12345}, null = {0};
  const auto made = [](cufftType type) { return [type] { return made_plan(type); }; };
  return {
      {"got", fixed(host_zeros()), null},
      {"size", fixed(host_zeros()), null},
      {"plan", empty_plan, plans},
      {"made C2C", made(CUFFT_C2C), plans},
      {"R2C", made(CUFFT_R2C), plans},
      {"C2R", made(CUFFT_C2R), plans},
      {"Z2Z", made(CUFFT_Z2Z), plans},
      {"unmade", empty_plan, {}},
      {"wrong", fixed(12345), {-1}},
      {"nx ny nz", fixed(4), {-1, 0}},
      {"type", fixed(CUFFT_C2C), {-1, 0, 999}},
      {"batch", fixed(2), {-1, 0}},
      {"rank", fixed(2), {-1, 0, 4}},
      {"n inembed onembed", fixed(sizes), null},
      {"stride", fixed(1), {-1, 0}},
      {"dist", fixed(16), {-1, 0}},
      {"in out", fixed(device_zeros(kRoom)), null},
      {"direction", fixed(CUFFT_FORWARD), {0, 2}},
      {"flag", fixed(1), {-1, 2}},
      {"stream", fixed(0), {}},
      {"area", fixed(device_zeros(kRoom)), null},
      {"property", fixed(1), {0, 99}},
      {"value", fixed(1), {-1}},
  };
}

void plans(Probe& probe) {
  probe.know(fft_arguments<int>());
  FFT(cufftCreate, "got");
  FFT(cufftDestroy, "plan");
  FFT(cufftGetVersion, "got");
  FFT(cufftSetStream, "plan stream");
  FFT(cufftSetAutoAllocation, "plan flag");
  FFT(cufftSetWorkArea, "made area");
  FFT(cufftSetWorkArea, "unmade area");
  FFT(cufftPlan1d, "got nx type batch");
  FFT(cufftPlan2d, "got nx ny type");
  FFT(cufftPlan3d, "got nx ny nz type");
  FFT(cufftPlanMany, "got rank n inembed stride dist onembed stride dist type batch");
  FFT(cufftMakePlan1d, "plan nx type batch size");
  FFT(cufftMakePlan2d, "plan nx ny type size");
  FFT(cufftMakePlan3d, "plan nx ny nz type size");
  FFT(cufftMakePlanMany, "plan rank n inembed stride dist onembed stride dist type batch size");
  FFT(cufftMakePlan1d, "made nx type batch size");
  FFT(cufftEstimate1d, "nx type batch size");
  FFT(cufftEstimate2d, "nx ny type size");
  FFT(cufftEstimate3d, "nx ny nz type size");
  FFT(cufftEstimateMany, "rank n inembed stride dist onembed stride dist type batch size");
  FFT(cufftGetSize, "made size");
  FFT(cufftGetSize, "unmade size");
  FFT(cufftGetSize1d, "plan nx type batch size");
  FFT(cufftGetSize2d, "plan nx ny type size");
  FFT(cufftGetSize3d, "plan nx ny nz type size");
  FFT(cufftGetSizeMany, "plan rank n inembed stride dist onembed stride dist type batch size");
  probe.know(fft_arguments<long long>());
  FFT(cufftMakePlanMany64, "plan rank n inembed stride dist onembed stride dist type batch size");
  FFT(cufftGetSizeMany64, "plan rank n inembed stride dist onembed stride dist type batch size");
  FFT(cufftSetPlanPropertyInt64, "plan property value");
  FFT(cufftGetPlanPropertyInt64, "plan property got");
  FFT(cufftResetPlanProperty, "plan property");
}

void transforms(Probe& probe) {
  probe.know(fft_arguments<int>());
  FFT(cufftExecC2C, "C2C in out direction");
  FFT(cufftExecR2C, "R2C in out");
  FFT(cufftExecC2R, "C2R in out");
  FFT(cufftExecZ2Z, "Z2Z in out direction");
  FFT(cufftExecC2C, "unmade in out direction");
  FFT(cufftExecC2C, "R2C in out direction");
  FFT(cufftExecR2C, "C2C in out");
  FFT(cufftExecZ2Z, "C2C in out direction");
}

long long generator(curandRngType_t type) {
  curandGenerator_t made = nullptr;
  curandCreateGenerator(&made, type);
  return static_cast<long long>(reinterpret_cast<std::intptr_t>(made));
}

Arguments random_arguments() {
  const std::vector<long long> null = {0};
  const auto of = [](curandRngType_t type) { return [type] { return generator(type); }; };
  return {
      {"got", fixed(host_zeros()), null},
      {"generator", of(CURAND_RNG_PSEUDO_XORWOW), null},
      {"philox", of(CURAND_RNG_PSEUDO_PHILOX4_32_10), {}},
      {"mt19937", of(CURAND_RNG_PSEUDO_MT19937), {}},
      {"mrg32k3a", of(CURAND_RNG_PSEUDO_MRG32K3A), {}},
      {"sobol32", of(CURAND_RNG_QUASI_SOBOL32), {}},
      {"sobol64", of(CURAND_RNG_QUASI_SOBOL64), {}},
      {"type", fixed(CURAND_RNG_PSEUDO_DEFAULT), {-1, 0, 99, 102, 162, 205}},
      {"stream", fixed(0), {}},
      {"seed", fixed(0), {-1}},
      {"offset", fixed(4), {-1}},
      {"order", fixed(101), {-1, 0, 99, 100, 102, 103, 104, 105, 201, 202}},
      {"quasi_order", fixed(201), {-1, 0, 100, 101, 202}},
      {"dimensions", fixed(2), {-1, 0, 20000, 20001}},
      {"to", fixed(device_zeros(kRoom)), null},
      {"num", fixed(4), {0, 5}},
      {"mean", fixed(0), {}},
      {"deviation", fixed(1), {-1, 0}},
      {"lambda", fixed(2), {-1, 0, 400000, 400001}},
      {"null", fixed(0), {}},
      {"set", fixed(101), {-1, 0, 100, 102, 103, 105}},
      {"wide_set", fixed(103), {-1, 0, 101, 104, 105}},
  };
}

#define RANDOM(function, names) probe(#function, function, names)

void settings(Probe& probe) {
  RANDOM(curandCreateGenerator, "got type");
  RANDOM(curandCreateGeneratorHost, "got type");
  RANDOM(curandDestroyGenerator, "generator");
  RANDOM(curandGetVersion, "got");
  RANDOM(curandSetStream, "generator stream");
  for (const char* names : {"generator seed", "philox seed", "mt19937 seed", "sobol32 seed"})
    RANDOM(curandSetPseudoRandomGeneratorSeed, names);
  for (const char* names : {"generator offset", "mt19937 offset", "mrg32k3a offset", "sobol32 offset"})
    RANDOM(curandSetGeneratorOffset, names);
  for (const char* names : {"generator order", "philox order", "mt19937 order", "mrg32k3a order",
                            "sobol32 order", "sobol32 quasi_order"})
    RANDOM(curandSetGeneratorOrdering, names);
  for (const char* names : {"sobol32 dimensions", "sobol64 dimensions", "generator dimensions"})
    RANDOM(curandSetQuasiRandomGeneratorDimensions, names);
  RANDOM(curandGenerateSeeds, "generator");
  RANDOM(curandCreatePoissonDistribution, "lambda got");
  RANDOM(curandDestroyDistribution, "null");
  RANDOM(curandGetDirectionVectors32, "got set");
  RANDOM(curandGetDirectionVectors64, "got wide_set");
  RANDOM(curandGetScrambleConstants32, "got");
  RANDOM(curandGetScrambleConstants64, "got");
}

void drawing(Probe& probe) {
  for (const char* names : {"generator to num", "sobol32 to num", "sobol64 to num", "mt19937 to num"}) {
    RANDOM(curandGenerate, names);
    RANDOM(curandGenerateLongLong, names);
    RANDOM(curandGenerateUniform, names);
    RANDOM(curandGenerateUniformDouble, names);
  }
  for (const char* names : {"generator to num mean deviation", "sobol32 to num mean deviation",
                            "mt19937 to num mean deviation", "sobol64 to num mean deviation"}) {
    RANDOM(curandGenerateNormal, names);
    RANDOM(curandGenerateNormalDouble, names);
    RANDOM(curandGenerateLogNormal, names);
    RANDOM(curandGenerateLogNormalDouble, names);
  }
  for (const char* names : {"generator to num lambda", "sobol32 to num lambda", "philox to num lambda"})
    RANDOM(curandGeneratePoisson, names);
}

}  // namespace

void probe_transforms(Probe& probe) {
  plans(probe);
  transforms(probe);
}

void probe_numbers(Probe& probe) {
  probe.know(random_arguments());
  settings(probe);
  drawing(probe);
}
