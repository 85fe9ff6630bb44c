// SPDX-License-Identifier: Apache-2.0
//
// PTX instructions by which a warp multiplies matrices, and brings them into the distribution among its lanes that a
// multiplication wants. All lanes of the warp make the same call. A part of ptx.hpp.
// Source: PTX ISA 9.0, "Warp Level Matrix Multiply-Accumulate Instructions".
#pragma once

#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/detail/matrix.hpp>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/intrinsics/ptx_arithmetic.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfiber::ptx {

using detail::Element;
using detail::TermsBy;

template <detail::MatrixProduct kProduct>
inline constexpr detail::MatrixProduct kMatrixProduct = kProduct;

/// Registers in braces.
template <class Word, unsigned kCount>
struct RegisterList {
  Word words[kCount];

  constexpr Word operator[](unsigned at) const { return words[at]; }
};

/// The registers that a lane has of a matrix: of 64 bits, where elements have as many.
template <Element kElement, unsigned kWords>
using MatrixRegisters =
    std::conditional_t<kElement == Element::f64, RegisterList<u64, (kWords + 1) / 2>, RegisterList<u32, kWords>>;

template <class Registers>
inline const std::uint32_t* words_of(const Registers& registers) {
  return reinterpret_cast<const std::uint32_t*>(registers.words);
}

/// A sparse A is named by its `metadata` and the `selector` of the lanes that have it.
template <detail::MatrixProduct kProduct>
inline auto mma_sync(const MatrixRegisters<kProduct.a, kProduct.a_words()>& a,
                     const MatrixRegisters<kProduct.b, kProduct.b_words()>& b,
                     const MatrixRegisters<kProduct.c, kProduct.c_words()>& c, u32 metadata, u32 selector,
                     Site site = Site::here()) {
  if constexpr (kProduct.is_sparse) {
    if (selector >= kProduct.selectors()) ::warpfiber_unknown_instruction("mma.sp.sync", site);
  }
  MatrixRegisters<kProduct.d, kProduct.d_words()> d;
  detail::MatrixArgument argument{{site},      &kMatrixProduct<kProduct>,
                                  words_of(a), words_of(b),
                                  words_of(c), reinterpret_cast<std::uint32_t*>(d.words),
                                  metadata,    selector};
  if (detail::meet_with_argument<detail::Operation::multiply>(&argument))
    detail::check_matrix_lanes(argument.lanes, kProduct.is_sparse ? "mma.sp.sync" : "mma.sync", site);
  return d;
}
template <detail::MatrixProduct kProduct>
inline auto mma_sync(const MatrixRegisters<kProduct.a, kProduct.a_words()>& a,
                     const MatrixRegisters<kProduct.b, kProduct.b_words()>& b,
                     const MatrixRegisters<kProduct.c, kProduct.c_words()>& c, Site site = Site::here()) {
  return mma_sync<kProduct>(a, b, c, 0, 0, site);
}

namespace detail_of_matrices {

/// A row of eight elements of 16 bits, which is read and written as a whole.
struct alignas(16) Row {
  std::uint32_t words[4];
};

template <detail::Operation kOperation>
inline void move(const std::uint32_t* from, std::uint32_t* to, unsigned matrices, bool from_rows, bool to_rows,
                 bool transposes, Site site, bool of_bytes = false) {
  detail::MatrixMove move{{site},    from,    to,         static_cast<unsigned char>(matrices),
                          from_rows, to_rows, transposes, of_bytes};
  if (detail::meet_with_argument<kOperation>(&move))
    detail::check_matrix_lanes(move.lanes, detail::kCollectiveOf<kOperation>.name, site);
}

}  // namespace detail_of_matrices

/// Of `kMatrices` matrices, 1, 2 or 4, lane 8 i + r says where row r of matrix i is; 16 bytes, and aligned to that.
template <unsigned kMatrices, bool kTransposes>
inline RegisterList<u32, kMatrices> ldmatrix(const b8* row, Site site = Site::here()) {
  detail_of_matrices::Row brought{};
  if (detail::lane_id() < 8 * kMatrices) brought = *reinterpret_cast<const detail_of_matrices::Row*>(row);
  RegisterList<u32, kMatrices> fragment;
  detail_of_matrices::move<detail::Operation::load_matrix>(brought.words, fragment.words, kMatrices, true, false,
                                                           kTransposes, site);
  return fragment;
}

template <unsigned kMatrices, bool kTransposes>
inline void stmatrix(b8* row, const RegisterList<u32, kMatrices>& fragment, Site site = Site::here()) {
  detail_of_matrices::Row got{};
  detail_of_matrices::move<detail::Operation::store_matrix>(fragment.words, got.words, kMatrices, false, true,
                                                            kTransposes, site);
  if (detail::lane_id() < 8 * kMatrices) *reinterpret_cast<detail_of_matrices::Row*>(row) = got;
}

/// Matrices of 16 by 16 bytes, 1 or 2, which are transposed; lane 16 i + r says where row r of matrix i is.
template <unsigned kMatrices>
inline RegisterList<u32, 2 * kMatrices> ldmatrix_bytes(const b8* row, Site site = Site::here()) {
  detail_of_matrices::Row brought{};
  if (detail::lane_id() < 16 * kMatrices) brought = *reinterpret_cast<const detail_of_matrices::Row*>(row);
  RegisterList<u32, 2 * kMatrices> fragment{};
  detail_of_matrices::move<detail::Operation::load_matrix>(brought.words, fragment.words, kMatrices, true, false, true,
                                                           site, true);
  return fragment;
}
/// Matrices of 16 by 8 bytes, transposed: lane 8 i + r says where column r of matrix i goes.
template <unsigned kMatrices>
inline void stmatrix_bytes(b8* row, const RegisterList<u32, kMatrices>& fragment, Site site = Site::here()) {
  detail_of_matrices::Row got{};
  detail_of_matrices::move<detail::Operation::store_matrix>(fragment.words, got.words, kMatrices, false, true, true,
                                                            site, true);
  if (detail::lane_id() < 8 * kMatrices) *reinterpret_cast<detail_of_matrices::Row*>(row) = got;
}
/// Matrices of 8 by 16 elements of 4 or 6 bits, which become bytes. Behind the elements of a row are unused bytes up to
/// 16, which are not read.
template <unsigned kMatrices, unsigned kBits>
inline RegisterList<u32, kMatrices> ldmatrix_unpacked(const b8* row, Site site = Site::here()) {
  detail_of_matrices::Row brought{};
  if (detail::lane_id() < 8 * kMatrices) {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(row);
    std::uint32_t packed[kBits / 2];
    for (unsigned n = 0; n < kBits / 2; ++n) packed[n] = words[n];
    for (unsigned n = 0; n < 16; ++n) {
      const unsigned place = n * kBits;
      const unsigned last = (place + kBits - 1) / 32;
      const std::uint64_t two = packed[place / 32] | static_cast<std::uint64_t>(packed[last]) << 32;
      brought.words[n / 4] |= static_cast<std::uint32_t>(two >> place % 32 & ((1U << kBits) - 1)) << 8 * (n % 4);
    }
  }
  RegisterList<u32, kMatrices> fragment;
  detail_of_matrices::move<detail::Operation::load_matrix>(brought.words, fragment.words, kMatrices, true, false, false,
                                                           site);
  return fragment;
}

inline u32 movmatrix_trans(u32 fragment, Site site = Site::here()) {
  u32 transposed = 0;
  detail_of_matrices::move<detail::Operation::transpose_matrix>(&fragment, &transposed, 1, false, false, true, site);
  return transposed;
}

}  // namespace warpfiber::ptx
