// SPDX-License-Identifier: Apache-2.0
// A product of matrices that the lanes of a warp compute together: what is multiplied, and where its elements are in
// the lanes' registers. All lanes make the same call.
// Source: PTX ISA 9.0, "Warp Level Matrix Multiply-Accumulate Instructions" (mma.sync and its "Matrix Fragments").
#pragma once

#include <warpfiber/detail/machine.hpp>

#include <cstdint>

namespace warpfiber::detail {

/// The type of a matrix's elements.
enum class Element : unsigned char { f16, bf16, tf32, e4m3, e5m2, f64, s8, u8, s4, u4, b1, f32, s32 };

constexpr unsigned bits_of(Element element) {
  switch (element) {
    case Element::f16:
    case Element::bf16: return 16;
    case Element::e4m3:
    case Element::e5m2:
    case Element::s8:
    case Element::u8: return 8;
    case Element::s4:
    case Element::u4: return 4;
    case Element::b1: return 1;
    case Element::f64: return 64;
    default: return 32;
  }
}

/// How elements become terms of a sum. Of single bits: the bits in which two rows differ, or that both have, counted.
enum class TermsBy : unsigned char { product, exclusive_or, bit_and };

inline constexpr unsigned kMatrixLanes = 32;
/// Words of 32 bits that a lane has of one matrix.
inline constexpr unsigned kMostMatrixWords = 16;

/// How the rows and columns of a matrix are in the lanes.
enum class LaneLayout : unsigned char {
  fragments,  // as PTX's manual says, A by rows and B by columns
  // Only of m8n8k4 with f16: each of the four groups of lanes 4 q to 4 q + 3 and 4 q + 16 to 4 q + 19 has a product of
  // its own. How A and B are.
  quads_row_row,
  quads_row_col,
  quads_col_row,
  quads_col_col,
};

/// D = A * B + C, where A has m rows and k columns, and B has n columns. `c` is the type of C and D both, but for f16
/// and f32, which may be one each.
struct MatrixProduct {
  unsigned short m;
  unsigned short n;
  unsigned short k;
  Element a;
  Element b;
  Element c;
  Element d;
  TermsBy terms = TermsBy::product;
  bool saturates = false;  // integers: to the range of 32 bits, and not modulo 2^32
  bool is_sparse = false;  // A has half of the elements of its rows, and metadata say which
  LaneLayout layout = LaneLayout::fragments;

  friend constexpr bool operator==(const MatrixProduct&, const MatrixProduct&) = default;

  constexpr bool has_quads() const { return layout != LaneLayout::fragments; }
  /// Columns of A whose elements are there.
  constexpr unsigned a_columns() const { return is_sparse ? k / 2U : k; }

  /// Of four lanes, those that have a sparse A's metadata. A selector says which of `selectors()` sets of lanes that
  /// is.
  constexpr unsigned metadata_lanes() const { return (a == Element::tf32 ? 2 : 1) * k / (bits_of(a) == 4 ? 32U : 16U); }
  constexpr unsigned selectors() const { return 4 / metadata_lanes(); }

  /// Words that each lane has.
  constexpr unsigned a_words() const { return words(m, a_columns(), a); }
  constexpr unsigned b_words() const { return words(n, k, b); }
  constexpr unsigned c_words() const { return words(m, n, c); }
  constexpr unsigned d_words() const { return words(m, n, d); }

 private:
  constexpr unsigned words(unsigned rows, unsigned columns, Element element) const {
    return (has_quads() ? 4 : 1) * rows * columns * bits_of(element) / 32 / kMatrixLanes;
  }
};

// Which element is where in the lanes' registers: lane 4 g + t has elements of rows g (A, C) and columns g (B). Larger
// matrices are tiles of 16 rows and 8 columns, one after another in the registers.
// Source: PTX ISA 9.0, "Matrix Fragments for mma.m16n8k16" and the sections like it.

inline constexpr unsigned kTileRows = 16;
inline constexpr unsigned kTileColumns = 8;

struct MatrixPlace {
  unsigned row;
  unsigned column;
};

/// Elements in a word: 1 where an element is a word or more.
constexpr unsigned elements_in_word(Element element) {
  return bits_of(element) < 32 ? 32 / bits_of(element) : 1;
}
/// Elements that each lane has of a matrix with so many.
constexpr unsigned elements_of_lane(unsigned rows, unsigned columns) {
  return rows * columns / kMatrixLanes;
}

/// Where in A an element of a lane's registers is. Of a sparse A: which of the elements of its row that are there.
constexpr MatrixPlace place_in_a(const MatrixProduct& product, unsigned lane, unsigned element) {
  const unsigned in_word = elements_in_word(product.a);
  const unsigned halves = product.m >= kTileRows ? 2 : 1;
  const unsigned tiles = product.m > kTileRows ? product.m / kTileRows : 1;
  const unsigned in_tile = elements_of_lane(product.m, product.a_columns()) / in_word / tiles;
  const unsigned word = element / in_word;
  return {word / in_tile * kTileRows + 8 * (word % in_tile % halves) + lane / 4,
          word % in_tile / halves * 4 * in_word + lane % 4 * in_word + element % in_word};
}
/// The same in B.
constexpr MatrixPlace place_in_b(const MatrixProduct& product, unsigned lane, unsigned element) {
  const unsigned in_word = elements_in_word(product.b);
  const unsigned in_tile = elements_of_lane(product.n, product.k) / in_word / (product.n / kTileColumns);
  const unsigned word = element / in_word;
  return {word % in_tile * 4 * in_word + lane % 4 * in_word + element % in_word,
          word / in_tile * kTileColumns + lane / 4};
}
/// In C, and in D.
constexpr MatrixPlace place_in_c(const MatrixProduct& product, unsigned lane, unsigned element) {
  const unsigned halves = product.m >= kTileRows ? 2 : 1;
  const unsigned tiles = product.n / kTileColumns;
  const unsigned pair = element / 2;
  return {pair / halves / tiles * kTileRows + 8 * (pair % halves) + lane / 4,
          pair / halves % tiles * kTileColumns + lane % 4 * 2 + element % 2};
}

/// What a lane brings and gets: words of its own, as many as the product says. `d` may be `c`.
struct MatrixArgument : LaneArgument {
  const MatrixProduct* product;
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::uint32_t* c;
  std::uint32_t* d;
  std::uint32_t metadata = 0;  // of a sparse A: for each group of its elements which of them are there
  std::uint32_t selector = 0;  // which lanes of each four say it
  std::uint64_t lanes = 0;     // that have met
};

/// Matrices of 8 by 8 elements of 16 bits, which go from one distribution among the lanes to another. By rows: lane
/// 8 i + r has row r of matrix i, in four words. As a fragment: lane 4 r + t has elements 2 t and 2 t + 1 of row r, in
/// word i. Every lane says the same of the matrices.
/// Of bytes there are matrices of 16 by 16 elements from rows, and of 16 by 8 to rows, each transposed. By rows: lane
/// 16 i + r, or 8 i + r, has the 16 bytes of row r in memory. As a fragment of the transposed matrix: lane 4 g + t has
/// in word 2 i + h elements 4 t to 4 t + 3 of row g + 8 h, or in word i elements 2 t and 2 t + 1 of rows g and g + 8.
struct MatrixMove : LaneArgument {
  const std::uint32_t* from;
  std::uint32_t* to;
  unsigned char matrices;
  bool from_rows;
  bool to_rows;
  bool transposes;
  bool of_bytes = false;
  std::uint64_t lanes = 0;  // that have met
};

/// What the lanes say of a matrix in memory that they load or store together.
struct MatrixAccess : LaneArgument {
  const void* memory;
  unsigned leading_dimension;
  bool by_rows;
  unsigned char piece;           // bytes, to which `memory` is aligned
  unsigned char piece_elements;  // of which the leading dimension is a multiple
  bool is_equal = true;          // whether all lanes say the same
  std::uint64_t lanes = 0;       // that have met
};

/// Why an operation on matrices is refused.
enum class MatrixMisuse { misaligned, leading_dimension, warp_incomplete, arguments_differ, not_loaded };
/// Ends the launch. `given` is the address, the dimension, the number of lanes, or which matrix: 0 A, 1 B, 2 C;
/// `wanted` what the address or dimension must be a multiple of.
[[noreturn]] void matrix_misuse(MatrixMisuse what, const char* call, std::uint64_t given, std::uint64_t wanted,
                                Site site);

/// The lanes that have met must be the whole warp.
constexpr bool is_whole_warp(std::uint64_t lanes) {
  return lanes == (std::uint64_t{1} << kMatrixLanes) - 1;
}
inline void check_matrix_lanes(std::uint64_t lanes, const char* call, Site site) {
  if (is_whole_warp(lanes)) return;
  matrix_misuse(MatrixMisuse::warp_incomplete, call, static_cast<unsigned>(__builtin_popcountll(lanes)), kMatrixLanes,
                site);
}

/// A rule of loads and stores that is violated, if one is, with what matrix_misuse() says of it.
struct MatrixAccessMisuse {
  bool is_found = false;
  MatrixMisuse what{};
  std::uint64_t given = 0;
  std::uint64_t wanted = 0;
};

/// Behind the meeting.
inline MatrixAccessMisuse misuse_of(const MatrixAccess& access) {
  const auto address = reinterpret_cast<std::uintptr_t>(access.memory);
  if (!is_whole_warp(access.lanes))
    return {true, MatrixMisuse::warp_incomplete, static_cast<unsigned>(__builtin_popcountll(access.lanes)),
            kMatrixLanes};
  if (!access.is_equal) return {true, MatrixMisuse::arguments_differ};
  if (access.leading_dimension % access.piece_elements != 0)
    return {true, MatrixMisuse::leading_dimension, access.leading_dimension, access.piece_elements};
  if (address % access.piece != 0) return {true, MatrixMisuse::misaligned, address, access.piece};
  return {};
}

}  // namespace warpfiber::detail
