// SPDX-License-Identifier: Apache-2.0
// All kinds of values are computed with as complex numbers.
#include "numerics/sparse/vectors.hpp"

#include <complex>
#include <cstddef>
#include <vector>

namespace warpfiber::numerics {
namespace {

WideNumber at(const SparseVector& x, std::int64_t i) {
  return value_at<WideNumber>(x.kind, x.values, i);
}
void put(const SparseVector& x, std::int64_t i, WideNumber value) {
  put_value(x.kind, const_cast<void*>(x.values), i, value);
}
WideNumber at(const DenseMatrix& y, std::int64_t i) {
  return value_at<WideNumber>(y.kind, y.values, i);
}
void put(const DenseMatrix& y, std::int64_t i, WideNumber value) {
  put_value(y.kind, y.values, i, value);
}

}  // namespace

void dot(const SparseVector& x, const DenseMatrix& y, bool conjugated, NumberKind kind, void* result) {
  WideNumber sum{};
  for (std::int64_t i = 0; i < x.entries; ++i) {
    sum += product(conjugated ? std::conj(at(x, i)) : at(x, i), at(y, x.index_at(i)));
  }
  put_value(kind, result, 0, sum);
}

void add_scaled(const Scalar& alpha, const SparseVector& x, const Scalar& beta, const DenseMatrix& y) {
  const WideNumber factor = alpha.value<WideNumber>(), kept = beta.value<WideNumber>();
  std::vector<WideNumber> sums(static_cast<std::size_t>(y.rows));
  for (std::int64_t i = 0; i < x.entries; ++i) {
    sums[static_cast<std::size_t>(x.index_at(i))] += product(factor, at(x, i));
  }
  for (std::int64_t i = 0; i < y.rows; ++i) {
    WideNumber& sum = sums[static_cast<std::size_t>(i)];
    put(y, i, kept == WideNumber{} ? sum : sum + product(kept, at(y, i)));
  }
}

void gather(const DenseMatrix& y, const SparseVector& x) {
  for (std::int64_t i = 0; i < x.entries; ++i) put(x, i, at(y, x.index_at(i)));
}

void scatter(const SparseVector& x, const DenseMatrix& y) {
  for (std::int64_t i = 0; i < x.entries; ++i) put(y, x.index_at(i), at(x, i));
}

void rotate(const Scalar& c, const Scalar& s, const SparseVector& x, const DenseMatrix& y) {
  const WideNumber cosine = c.value<WideNumber>(), sine = s.value<WideNumber>();
  for (std::int64_t i = 0; i < x.entries; ++i) {
    const WideNumber one = at(x, i), other = at(y, x.index_at(i));
    put(x, i, product(cosine, one) + product(sine, other));
    put(y, x.index_at(i), product(cosine, other) - product(std::conj(sine), one));
  }
}

}  // namespace warpfiber::numerics
