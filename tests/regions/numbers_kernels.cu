// SPDX-License-Identifier: Apache-2.0
// Functions of mathematics, of arguments that only a running thread knows and of such as compilers compute, and
// kernels in most of the forms that the language has. Each bit has to be the same from fibers and from regions.
#include <cuda_fp16.h>

#include <cmath>

#include "results.h"

__device__ unsigned own_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ unsigned mixed(unsigned hash, unsigned word) {
  return (hash ^ word) * 16777619u;
}
__device__ unsigned mixed(unsigned hash, float value) {
  return mixed(hash, __float_as_uint(value));
}
__device__ unsigned mixed(unsigned hash, double value) {
  const unsigned long long bits = __double_as_longlong(value);
  return mixed(mixed(hash, static_cast<unsigned>(bits)), static_cast<unsigned>(bits >> 32));
}

/// From -kWidth to kWidth.
template <class T>
__device__ T spread(unsigned word, T width) {
  return (static_cast<T>(word % 65536) / 32768 - 1) * width;
}

__device__ unsigned of_neighbour(unsigned value) {
  __shared__ unsigned values[256];
  __syncthreads();
  values[threadIdx.x] = value;
  __syncthreads();
  return values[blockDim.x - 1 - threadIdx.x];
}

template <class T>
__global__ void trigonometry(const unsigned* in, unsigned* out) {
  const T x = spread<T>(in[own_index()], 9);
  const T y = spread<T>(in[own_index()] >> 9, 1);
  unsigned hash = 1;
  for (const T value : {sin(x), cos(x), tan(x), asin(y), acos(y), atan(x), atan2(x, y), sinh(x), cosh(x), tanh(x),
                        asinh(x), acosh(x + 11), atanh(y * T(0.99)), hypot(x, y)})
    hash = mixed(hash, value);
  T sine, cosine;
  sincos(x, &sine, &cosine);
  out[own_index()] = of_neighbour(mixed(mixed(hash, sine), cosine));
}

template <class T>
__global__ void exponentials(const unsigned* in, unsigned* out) {
  const T x = spread<T>(in[own_index()], 9);
  const T p = fabs(x) + T(0.001);
  unsigned hash = 2;
  for (const T value : {exp(x),    exp2(x),   exp10(x),     expm1(x),      log(p),         log2(p),       log10(p),
                        log1p(p),  cbrt(x),   sqrt(p),      rsqrt(p),      erf(x),         erfc(x),       tgamma(p),
                        lgamma(p), pow(p, x), pow(p, T(2)), pow(T(2), x),  pow(p, T(0.5)), pow(p, T(-1)), pow(p, T(3)),
                        j0(p),     y1(p),     normcdf(x),   erfinv(x / 10)})
    hash = mixed(hash, value);
  out[own_index()] = of_neighbour(hash);
}

template <class T>
__global__ void rounding(const unsigned* in, unsigned* out) {
  const T x = spread<T>(in[own_index()], 1000);
  const T y = spread<T>(in[own_index()] >> 5, 7) + T(0.0625);
  unsigned hash = 3;
  for (const T value :
       {floor(x), ceil(x), trunc(x), round(x), rint(x), fmod(x, y), remainder(x, y), fdim(x, y), fmax(x, y), fmin(x, y),
        copysign(x, y), fma(x, y, x), x * y + x, x / y, ldexp(x, 5), logb(x), nextafter(x, y)})
    hash = mixed(hash, value);
  int exponent = 0;
  hash = mixed(hash, frexp(x, &exponent));
  hash = mixed(hash, static_cast<unsigned>(exponent + static_cast<int>(lrint(x)) + ilogb(y)));
  T whole;
  hash = mixed(hash, modf(x, &whole));
  out[own_index()] = of_neighbour(mixed(hash, whole));
}

/// Tables that an unrolled loop makes of constants.
template <class T>
__global__ void of_constants(const unsigned* in, unsigned* out) {
  unsigned hash = in[own_index()];
#pragma unroll
  for (int i = 1; i <= 16; ++i) {
    const T x = T(0.0734567) * T(i) / 2;
    for (const T value :
         {sin(x),  cos(x),    tan(x),       asin(x),       acos(x),       atan(x),       atan2(x, T(0.3)), sinh(x),
          cosh(x), tanh(x),   exp(x),       exp2(x),       log(x),        log2(x),       log10(x),         cbrt(x),
          erf(x),  tgamma(x), pow(x, T(3)), std::expm1(x), std::log1p(x), hypot(x, T(2))})
      hash = mixed(hash, value);
  }
  out[own_index()] = of_neighbour(hash);
}

/// Constants that are written down, by C's names.
__global__ void written_constants(const unsigned* in, unsigned* out) {
  const float values[] = {tanhf(0.22f),       sinhf(1.3f),      coshf(0.7f),  log10f(3.3f),  atanf(0.9f),
                          atan2f(0.3f, 0.8f), tanf(1.1f),       acosf(0.37f), asinf(0.6f),   expf(-1.5f),
                          logf(2.5f),         powf(1.7f, 2.3f), exp2f(0.3f),  log2f(10),     cbrtf(3),
                          erff(0.4f),         sinf(0.5f),       cosf(0.5f),   tgammaf(2.5f), sqrtf(2 * 3.14159f)};
  const double doubles[] = {tanh(0.22), sinh(1.3), cosh(0.7), log10(3.3),    atan(0.9), atan2(0.3, 0.8), tan(1.1),
                            acos(0.37), exp(-1.5), log(2.5),  pow(1.7, 2.3), exp2(0.3), cbrt(3.0),       erf(0.4)};
  unsigned hash = in[own_index()];
  for (const float value : values) hash = mixed(hash, value);
  for (const double value : doubles) hash = mixed(hash, value);
  out[own_index()] = of_neighbour(hash);
}

__global__ void fast_functions(const unsigned* in, unsigned* out) {
  const float x = spread<float>(in[own_index()], 5);
  const float p = fabsf(x) + 0.01f;
  unsigned hash = 5;
  for (const float value : {__sinf(x), __cosf(x), __expf(x), __logf(p), __log2f(p), __powf(p, x), __fdividef(x, p),
                            __frcp_rn(p), __fsqrt_rn(p), __fmaf_rn(x, p, x), __fadd_rd(x, p), __fmul_ru(x, p),
                            __saturatef(x), __tanf(x), rnorm3df(x, p, x), fdividef(x, p)})
    hash = mixed(hash, value);
  out[own_index()] = of_neighbour(hash);
}

__global__ void halves(const unsigned* in, unsigned* out) {
  const __half x = __float2half(spread<float>(in[own_index()], 3));
  const __half2 pair = __halves2half2(x, __float2half(0.3f));
  __half sum = __hadd(__hmul(x, x), hexp(x));
  sum = __hfma(sum, hsin(x), hsqrt(__habs(x)));
  const __half2 both = __hfma2(pair, pair, __half2half2(sum));
  out[own_index()] = of_neighbour(
      mixed(__half_as_ushort(__low2half(both)), static_cast<unsigned>(__half_as_ushort(__high2half(both)))));
}

__global__ void conversions(const unsigned* in, unsigned* out) {
  const unsigned word = in[own_index()];
  const float x = spread<float>(word, 30000);
  unsigned hash = mixed(mixed(word, static_cast<float>(word)), static_cast<double>(static_cast<int>(word)));
  hash =
      mixed(hash, static_cast<unsigned>(static_cast<short>(x)) + static_cast<unsigned>(static_cast<signed char>(word)));
  hash = mixed(hash, static_cast<float>(static_cast<unsigned long long>(word) << 20 | word));
  hash = mixed(hash, static_cast<unsigned>(__float2int_rz(x)) ^ __float2uint_ru(fabsf(x)) ^
                         static_cast<unsigned>(__double2int_rd(x)));
  out[own_index()] = of_neighbour(hash);
}

// ---- forms of the language

struct Particle {
  float3 at;
  double weight;
  short kind;
  unsigned char flags[3];
};

struct Sum {
  float value = 0;
  __device__ Sum& operator+=(float more) {
    value = value * 0.875f + more;
    return *this;
  }
};

__global__ void particles(const unsigned* in, unsigned* out) {
  __shared__ Particle shared[64];
  const unsigned t = threadIdx.x;
  const unsigned word = in[own_index()];
  shared[t] = {make_float3(word % 7, word % 11, word % 13), word / 3.0, static_cast<short>(word), {1, 2, 3}};
  Particle mine = shared[t];
  __syncthreads();
  Sum sum;
  for (unsigned i = 0; i < blockDim.x; ++i) {
    const Particle& other = shared[(i + t) % blockDim.x];
    if (other.kind < 0) continue;
    sum += (other.at.x - mine.at.x) * static_cast<float>(other.weight) + other.flags[i % 3];
  }
  __syncthreads();
  shared[t].weight = sum.value;
  mine.flags[word % 3] = static_cast<unsigned char>(word);
  __syncthreads();
  out[own_index()] = mixed(mixed(mine.flags[t % 3], shared[(t + 9) % blockDim.x].weight), sum.value);
}

template <unsigned kDepth>
struct Tree {
  static __device__ unsigned walk(unsigned value, unsigned* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    value = value * kDepth + shared[threadIdx.x ^ (1u << (kDepth % 5))];
    __syncthreads();
    return Tree<kDepth - 1>::walk(value, shared);
  }
};
template <>
struct Tree<0> {
  static __device__ unsigned walk(unsigned value, unsigned*) { return value; }
};
template <unsigned kDepth>
__global__ void trees(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[64];
  out[own_index()] = Tree<kDepth>::walk(in[own_index()], shared);
}

__global__ void lambdas(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[64];
  unsigned calls = 0;
  const auto exchange = [&](unsigned value, auto&& choose) {
    ++calls;
    shared[threadIdx.x] = value;
    __syncthreads();
    const unsigned got = choose(shared[(threadIdx.x + calls) % 64]);
    __syncthreads();
    return got;
  };
  unsigned value = exchange(in[own_index()], [](unsigned word) { return word * 3; });
  value ^= exchange(value, [calls](unsigned word) { return word >> calls; });
  const auto again = [&exchange](auto&& self, unsigned left, unsigned word) -> unsigned {
    return left == 0 ? word : exchange(word + left, [](unsigned x) { return ~x; }) + self;
  };
  out[own_index()] = value + again(5u, 1, value);
}

__global__ void switching(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[64];
  unsigned value = in[own_index()];
  for (unsigned round = 0; round < 6; ++round) {
    switch ((in[blockIdx.x] >> round) % 4) {
      case 0:
        shared[threadIdx.x] = value;
        __syncthreads();
        value += shared[63 - threadIdx.x];
        __syncthreads();
        [[fallthrough]];
      case 1: value = value * 5 + 1; break;
      case 2:
        if (round == 3) break;
        shared[threadIdx.x ^ 3] = value;
        __syncthreads();
        value ^= shared[threadIdx.x];
        __syncthreads();
        break;
      default: value -= round; continue;
    }
    switch (value % 5) {
      case 0: value += 7;
      case 1: value ^= 99; break;
      case 4: value *= 3;
    }
  }
  out[own_index()] = value;
}

__device__ unsigned search(unsigned value) {
  for (unsigned i = 2; i < 40; ++i) {
    if (value % i == 1) return i;
    if (value % (i + 7) == 3) return value / i;
  }
  return 0;
}
__global__ void returns(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[64];
  unsigned value = search(in[own_index()]);
  if (threadIdx.x >= 50) return;
  shared[threadIdx.x] = value;
  __syncthreads();
  if (in[blockIdx.x] % 2 == 0) {
    out[own_index()] = shared[49 - threadIdx.x];
    return;
  }
  if (threadIdx.x == 17) return;
  __syncthreads();
  value += shared[(threadIdx.x + 1) % 50];
  if (value % 3 == 0) {
    out[own_index()] = 5;
    return;
  }
  out[own_index()] = value;
}

__global__ void nested(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[64];
  unsigned value = in[own_index()];
  for (unsigned i = 0; i < 1 + in[blockIdx.x] % 3; ++i) {
    for (unsigned j = 0; j < 2 + i; ++j) {
      shared[threadIdx.x] = value;
      __syncthreads();
      if (in[j] % 2 == 0) {
        value += shared[(threadIdx.x + j) % 64];
        __syncthreads();
        if (i == 1) {
          shared[threadIdx.x] = value * 2;
          __syncthreads();
          value ^= shared[63 - threadIdx.x];
        }
      }
      __syncthreads();
      unsigned k = 0;
      do {
        value += k * threadIdx.x;
      } while (++k < value % 9);
    }
    if (in[i + 5] % 5 == 4) break;
  }
  out[own_index()] = value;
}

union Word {
  unsigned word;
  float number;
  struct {
    unsigned low : 5, middle : 11;
    int high : 16;
  } parts;
};
__global__ void unions(const unsigned* in, unsigned* out) {
  Word word{in[own_index()]};
  word.parts.middle += threadIdx.x;
  word.parts.high >>= 3;
  const unsigned first = of_neighbour(word.word);
  word.parts.low = first;
  out[own_index()] = of_neighbour(word.word) + first;
}

__global__ void wide_numbers(const unsigned* in, unsigned* out) {
  __shared__ unsigned long long values[64];
  const unsigned t = threadIdx.x;
  const unsigned long long word = in[own_index()] * 0x100000001ull + t;
  values[t] = __umul64hi(word, word * 3) + __popcll(word) + __clzll(word) + __brevll(word);
  __syncthreads();
  long long sum = 0;
  for (unsigned i = 0; i < 8; ++i) sum += static_cast<long long>(values[(t + i) % 64]) / (i + 3) % 1000003;
  out[own_index()] = static_cast<unsigned>(sum ^ sum >> 32) + __byte_perm(t, 77, 0x3210) + __funnelshift_l(t, 99, 7);
}

__global__ void local_memory(const unsigned* in, unsigned* out) {
  unsigned stack[24] = {};
  unsigned top = 0;
  stack[top++] = in[own_index()] % 1000;
  unsigned sum = 0;
  while (top != 0) {
    const unsigned value = stack[--top];
    sum = mixed(sum, value);
    if (value > 60 && top < 20) {
      stack[top++] = value / 2;
      stack[top++] = value / 3;
    }
  }
  const unsigned other = of_neighbour(sum);
  out[own_index()] = other + stack[other % 4 == 0 ? 0 : 1];
}

/// So many values that most of them lie on the stack, as vectors.
__global__ void many_values(const unsigned* in, unsigned* out) {
  __shared__ float shared[64];
  float values[120];
#pragma unroll
  for (int i = 0; i < 120; ++i) values[i] = spread<float>(in[(own_index() + i) % 4096], 3);
  shared[threadIdx.x] = values[7];
  __syncthreads();
  const float other = shared[63 - threadIdx.x];
#pragma unroll
  for (int round = 0; round < 3; ++round) {
#pragma unroll
    for (int i = 0; i < 120; ++i) values[i] = values[i] * other + values[(i * 7 + 11) % 120];
  }
  unsigned hash = 0;
#pragma unroll
  for (int i = 0; i < 120; ++i) hash = mixed(hash, values[i]);
  out[own_index()] = hash;
}

/// More barriers than one function of a compiler is good for.
template <unsigned kLeft>
__device__ unsigned skipping(unsigned value, const unsigned* in, unsigned* shared) {
  if constexpr (kLeft == 0) {
    return value;
  } else {
    if (in[kLeft] > 0x60000000u + (kLeft & 3)) {
      shared[threadIdx.x] = value + kLeft;
      __syncthreads();
      value ^= shared[(threadIdx.x + kLeft) % 64] * (2 * kLeft + 3);
      __syncthreads();
    }
    return skipping<kLeft - 1>(value, in, shared);
  }
}
template <unsigned kBranches>
__global__ void many_barriers(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[64];
  out[own_index()] = skipping<kBranches>(in[own_index()], in, shared);
}

const Test kTests[] = {
    {"trigonometry_of_floats", trigonometry<float>, 16, 64},
    {"trigonometry_of_doubles", trigonometry<double>, 16, 64},
    {"exponentials_of_floats", exponentials<float>, 16, 64},
    {"exponentials_of_doubles", exponentials<double>, 16, 64},
    {"rounding_of_floats", rounding<float>, 16, 64},
    {"rounding_of_doubles", rounding<double>, 16, 64},
    {"floats_of_constants", of_constants<float>, 1, 64},
    {"doubles_of_constants", of_constants<double>, 1, 64},
    {"written_constants", written_constants, 1, 64},
    {"fast_functions", fast_functions, 16, 100},
    {"halves", halves, 16, 64},
    {"conversions", conversions, 16, 64},
    {"particles", particles, 5, 64},
    {"trees", trees<7>, 5, 64},
    {"lambdas", lambdas, 5, 64},
    {"switching", switching, 50, 64},
    {"returns", returns, 50, 64},
    {"nested", nested, 50, 64},
    {"unions", unions, 5, 64},
    {"wide_numbers", wide_numbers, 5, 64},
    {"local_memory", local_memory, 16, 64},
    {"many_values", many_values, 5, 64},
    {"many_barriers", many_barriers<20>, 5, 64},
};

int main() {
  return run_all(kTests);
}
