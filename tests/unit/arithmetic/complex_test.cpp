// SPDX-License-Identifier: Apache-2.0
//
// cuComplex.h: every function in both precisions, against std::complex on numbers where both are exact, and where the
// straightforward formulas overflow.
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include <cuComplex.h>

#include "support/catch.hpp"

namespace {

std::complex<double> standard(cuDoubleComplex x) {
  return {x.x, x.y};
}
std::complex<float> standard(cuFloatComplex x) {
  return {x.x, x.y};
}

/// Small whole numbers and halves, of which sums and products are exact.
std::vector<double> parts() {
  return {-3, -0.5, 1, 2.25};
}

template <class Visit>
void for_pairs(Visit visit) {
  for (const double a : parts()) {
    for (const double b : parts()) {
      for (const double c : parts()) visit(make_cuDoubleComplex(a, b), make_cuDoubleComplex(c, a));
    }
  }
}

template <class Float>
bool close(std::complex<Float> actual, std::complex<Float> expected) {
  return std::abs(actual - expected) <= 8 * std::numeric_limits<Float>::epsilon() * std::abs(expected);
}

}  // namespace

TEST_CASE("complex arithmetic is that of std::complex") {
  for_pairs([](cuDoubleComplex x, cuDoubleComplex y) {
    CHECK(standard(cuCadd(x, y)) == standard(x) + standard(y));
    CHECK(standard(cuCsub(x, y)) == standard(x) - standard(y));
    CHECK(standard(cuCmul(x, y)) == standard(x) * standard(y));
    CHECK(standard(cuCfma(x, y, x)) == standard(x) * standard(y) + standard(x));
    CHECK(standard(cuConj(x)) == std::conj(standard(x)));
    CHECK(close(standard(cuCdiv(x, y)), standard(x) / standard(y)));
    CHECK(cuCabs(x) == std::abs(standard(x)));
    CHECK(cuCreal(x) == x.x);
    CHECK(cuCimag(x) == x.y);
  });
}

TEST_CASE("complex arithmetic of floats is that of std::complex") {
  for_pairs([](cuDoubleComplex wide_x, cuDoubleComplex wide_y) {
    const cuComplex x = cuComplexDoubleToFloat(wide_x);
    const cuFloatComplex y = cuComplexDoubleToFloat(wide_y);
    CHECK(standard(cuCaddf(x, y)) == standard(x) + standard(y));
    CHECK(standard(cuCsubf(x, y)) == standard(x) - standard(y));
    CHECK(standard(cuCmulf(x, y)) == standard(x) * standard(y));
    CHECK(standard(cuCfmaf(x, y, x)) == standard(x) * standard(y) + standard(x));
    CHECK(standard(cuConjf(x)) == std::conj(standard(x)));
    CHECK(close(standard(cuCdivf(x, y)), standard(x) / standard(y)));
    CHECK(cuCabsf(x) == std::abs(standard(x)));
    CHECK(cuCrealf(make_cuFloatComplex(1, 2)) == 1);
    CHECK(cuCimagf(make_cuComplex(1, 2)) == 2);
    CHECK(cuComplexFloatToDouble(x).y == wide_x.y);
  });
}

TEST_CASE("division and size of large complex numbers do not overflow") {
  CHECK(cuCabsf(make_cuComplex(3e37F, 4e37F)) == Catch::Approx(5e37F));
  CHECK(cuCabs(make_cuDoubleComplex(3e307, 4e307)) == Catch::Approx(5e307));
  const cuComplex one = cuCdivf(make_cuComplex(3e37F, 4e37F), make_cuComplex(3e37F, 4e37F));
  CHECK(one.x == Catch::Approx(1));
  CHECK(std::fabs(one.y) < 1e-6F);
}
