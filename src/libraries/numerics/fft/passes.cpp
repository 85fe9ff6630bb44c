// SPDX-License-Identifier: Apache-2.0
// Passes of Stockham's form: each reads one array and writes the other in the order that the next one wants, so nothing
// is permuted at the end. Notation and passes: C. Van Loan, "Computational Frameworks for the Fast Fourier Transform",
// 1992, 1.7. The two parts of a complex number are one vector, so that no compiler has to find that out.
#include "numerics/fft/passes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numbers>

namespace warpfiber::numerics::fft {
namespace {

/// A complex number, or two factors of its parts.
using ComplexParts = double __attribute__((vector_size(16)));

inline ComplexParts load(const Complex* from) {
  ComplexParts loaded;
  std::memcpy(&loaded, from, sizeof loaded);
  return loaded;
}

inline void store(Complex* to, ComplexParts value) {
  std::memcpy(static_cast<void*>(to), &value, sizeof value);
}

inline ComplexParts swapped(ComplexParts a) {
  return ComplexParts{a[1], a[0]};
}

/// -i times `a`.
inline ComplexParts turned(ComplexParts a) {
  return ComplexParts{a[1], -a[0]};
}

/// What multiplies a number by a root of unity.
struct RootFactors {
  RootFactors() = default;
  explicit RootFactors(const Complex& root) : straight{root.real(), root.real()}, crossed{-root.imag(), root.imag()} {}

  ComplexParts straight;
  ComplexParts crossed;
};

inline ComplexParts times(ComplexParts a, const RootFactors& root) {
  return a * root.straight + swapped(a) * root.crossed;
}

/// exp(-2πi index / radix) by its power series, rounded once from long double.
constexpr Complex exact_root(std::size_t index, std::size_t radix) {
  const auto steps = static_cast<long double>(index) - (2 * index > radix ? static_cast<long double>(radix) : 0);
  const long double angle = 2 * std::numbers::pi_v<long double> * steps / static_cast<long double>(radix);
  long double cosine = 0, sine = 0, term = 1;
  for (int n = 1; n < 40; n += 2) {
    cosine += term;
    term *= angle / n;
    sine += term;
    term *= -angle / (n + 1);
  }
  return {static_cast<double>(cosine), static_cast<double>(-sine)};
}

/// Factors of an odd radix: [j][k] those of output j + 1 and input k + 1.
template <std::size_t kRadix>
struct OddFactors {
  static constexpr std::size_t kHalf = kRadix / 2;

  constexpr OddFactors() {
    for (std::size_t j = 0; j < kHalf; ++j) {
      for (std::size_t k = 0; k < kHalf; ++k) {
        const Complex root = exact_root((j + 1) * (k + 1) % kRadix, kRadix);
        cosine[j][k] = ComplexParts{root.real(), root.real()};
        sine[j][k] = ComplexParts{-root.imag(), root.imag()};
      }
    }
  }

  ComplexParts cosine[kHalf][kHalf]{};
  ComplexParts sine[kHalf][kHalf]{};
};

template <std::size_t kRadix>
constexpr OddFactors<kRadix> odd_factors{};

/// Calls emit(j, the sum over k of x[k] * exp(-2πi jk / kRadix)) for each j.
template <std::size_t kRadix, class Emit>
inline void butterfly(const std::array<ComplexParts, kRadix>& x, const Emit& emit) {
  if constexpr (kRadix == 2) {
    emit(0, x[0] + x[1]);
    emit(1, x[0] - x[1]);
  } else if constexpr (kRadix == 4) {
    const ComplexParts even = x[0] + x[2], odd = x[1] + x[3];
    const ComplexParts even_rest = x[0] - x[2], odd_rest = turned(x[1] - x[3]);
    emit(0, even + odd);
    emit(1, even_rest + odd_rest);
    emit(2, even - odd);
    emit(3, even_rest - odd_rest);
  } else {
    // exp(-ia) and exp(ia) of inputs k and kRadix - k share their products: cos(a) of the sum, -i sin(a) of the
    // difference. Outputs j and kRadix - j are these two added and subtracted. H. J. Nussbaumer, "Fast Fourier
    // Transform and Convolution Algorithms", 1982, 5.2.
    static_assert(kRadix % 2 == 1);
    constexpr std::size_t kHalf = kRadix / 2;
    std::array<ComplexParts, kHalf> sum, difference;
    ComplexParts whole = x[0];
    for (std::size_t k = 0; k < kHalf; ++k) {
      sum[k] = x[k + 1] + x[kRadix - 1 - k];
      difference[k] = swapped(x[k + 1] - x[kRadix - 1 - k]);
      whole += sum[k];
    }
    emit(0, whole);
    for (std::size_t j = 0; j < kHalf; ++j) {
      const auto &cosine = odd_factors<kRadix>.cosine[j], &sine = odd_factors<kRadix>.sine[j];
      ComplexParts middle = x[0] + cosine[0] * sum[0], side = sine[0] * difference[0];
      for (std::size_t k = 1; k < kHalf; ++k) {
        middle += cosine[k] * sum[k];
        side += sine[k] * difference[k];
      }
      emit(j + 1, middle + side);
      emit(kRadix - 1 - j, middle - side);
    }
  }
}

template <std::size_t kRadix>
void run_pass_of(const Pass& pass) {
  const std::size_t count = pass.count, apart = pass.rest * count;
  std::array<RootFactors, kRadix> twiddle;
  for (std::size_t group = 0; group < pass.rest; ++group) {
    for (std::size_t leg = 1; leg < kRadix; ++leg) twiddle[leg] = RootFactors(pass.twiddle(group, leg));
    const Complex* const from = pass.from + group * count;
    Complex* const to = pass.to + group * count * kRadix;
    for (std::size_t i = 0; i < count; ++i) {
      std::array<ComplexParts, kRadix> x;
      for (std::size_t leg = 0; leg < kRadix; ++leg) x[leg] = load(from + leg * apart + i);
      butterfly<kRadix>(x, [&](std::size_t out, ComplexParts value) {
        store(to + out * count + i, out == 0 ? value : times(value, twiddle[out]));
      });
    }
  }
}

struct PassOfRadix {
  std::size_t radix;
  void (*run)(const Pass& pass);
};

template <std::size_t... kRadix>
constexpr std::array<PassOfRadix, sizeof...(kRadix)> kPasses{{{kRadix, &run_pass_of<kRadix>}...}};

constexpr const auto& kAllPasses = kPasses<2, 3, 4, 5, 7, 11, 13, 17, 19, 23, 29, 31>;
static_assert(kAllPasses.back().radix == kLargestRadix);

}  // namespace

void run_pass(const Pass& pass) {
  std::ranges::find(kAllPasses, pass.radix, &PassOfRadix::radix)->run(pass);
}

}  // namespace warpfiber::numerics::fft
