// SPDX-License-Identifier: Apache-2.0
// CUDA's matrix functions of a warp. All lanes of the warp call each of them with the same arguments.
// Source: CUDA C++ Programming Guide, "Warp Matrix Functions". The guide leaves open which element of a matrix is in
// which lane; here it is as in PTX's fragments for mma.m16n8k16 and the like (warpfiber/detail/matrix.hpp).
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/bfloat16_memory.hpp>
#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/detail/matrix.hpp>
#include <warpfiber/half_memory.hpp>

#include <cstdint>
#include <type_traits>

namespace nvcuda::wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace details {

using warpfiber::Site;
using warpfiber::detail::Element;
using warpfiber::detail::MatrixPlace;
using warpfiber::detail::MatrixProduct;

template <class T>
struct Traits;
/// `Storage` is the type of a fragment's x, and `kPacked` how many elements one x holds.
template <Element kOf, class StorageType, unsigned kIn = 1>
struct TraitsOf {
  static constexpr Element kElement = kOf;
  using Storage = StorageType;
  static constexpr unsigned kPacked = kIn;
};
template <>
struct Traits<__half> : TraitsOf<Element::f16, __half> {};
template <>
struct Traits<__nv_bfloat16> : TraitsOf<Element::bf16, __nv_bfloat16> {};
template <>
struct Traits<precision::tf32> : TraitsOf<Element::tf32, float> {};
template <>
struct Traits<float> : TraitsOf<Element::f32, float> {};
template <>
struct Traits<double> : TraitsOf<Element::f64, double> {};
template <>
struct Traits<signed char> : TraitsOf<Element::s8, signed char> {};
template <>
struct Traits<unsigned char> : TraitsOf<Element::u8, unsigned char> {};
template <>
struct Traits<int> : TraitsOf<Element::s32, int> {};
template <>
struct Traits<experimental::precision::s4> : TraitsOf<Element::s4, int, 8> {};
template <>
struct Traits<experimental::precision::u4> : TraitsOf<Element::u4, unsigned, 8> {};
template <>
struct Traits<experimental::precision::b1> : TraitsOf<Element::b1, unsigned, 32> {};

template <class Use, int m, int n, int k>
inline constexpr unsigned kElements = warpfiber::detail::elements_of_lane(std::is_same_v<Use, matrix_b> ? k : m,
                                                                          std::is_same_v<Use, matrix_a> ? k : n);

constexpr bool is_one_of(int m, int n, int k, int of_m, int of_n, int of_k) {
  return m == of_m && n == of_n && k == of_k;
}
/// Shapes that exist, by the type of A and B.
constexpr bool has_shape(Element element, int m, int n, int k) {
  switch (element) {
    case Element::tf32: return is_one_of(m, n, k, 16, 16, 8);
    case Element::f64: return is_one_of(m, n, k, 8, 8, 4);
    case Element::s4:
    case Element::u4: return is_one_of(m, n, k, 8, 8, 32);
    case Element::b1: return is_one_of(m, n, k, 8, 8, 128);
    default: return is_one_of(m, n, k, 16, 16, 16) || is_one_of(m, n, k, 32, 8, 16) || is_one_of(m, n, k, 8, 32, 16);
  }
}

/// What checked programs fill the elements of a new fragment with, so that its use before it is written shows.
inline constexpr std::uint32_t kUnwritten = 0xb5a95dd3;

/// Halves of A and B are in two lanes each on a device, or in more: x has 16 of them whatever the shape.
template <class Use, class T>
constexpr unsigned registers(unsigned elements) {
  constexpr bool kDoubled = std::is_same_v<T, __half> && !std::is_same_v<Use, accumulator>;
  return kDoubled ? 16 : elements / Traits<T>::kPacked;
}

}  // namespace details

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
  static_assert(
      std::is_same_v<Use, accumulator> || details::has_shape(details::Traits<T>::kElement, m, n, k),
      "matrices of this type are not multiplied in this shape (CUDA C++ Programming Guide, \"Element Types and "
      "Matrix Sizes\")");
  static_assert(std::is_same_v<Use, accumulator> != !std::is_void_v<Layout>,
                "fragments of A and B have a layout, and accumulators have none");

 public:
  using element_type = T;
  using storage_element_type = typename details::Traits<T>::Storage;
  static constexpr int num_storage_elements =
      static_cast<int>(details::registers<Use, T>(details::kElements<Use, m, n, k>));
  static constexpr int num_elements = num_storage_elements * static_cast<int>(details::Traits<T>::kPacked);
  alignas(8) storage_element_type x[static_cast<unsigned>(num_storage_elements)];

  fragment() requires(!warpfiber::detail::kHasHooks) = default;
  fragment() requires(warpfiber::detail::kHasHooks) {
    static_assert(sizeof x % sizeof details::kUnwritten == 0);
    for (unsigned i = 0; i < sizeof x; i += sizeof details::kUnwritten)
      __builtin_memcpy(reinterpret_cast<char*>(x) + i, &details::kUnwritten, sizeof details::kUnwritten);
  }
};

namespace details {

/// Products of m8n32k16 are those of m32n8k16 with all matrices transposed, and their fragments too.
template <class Use>
using Transposed = std::conditional_t<std::is_same_v<Use, matrix_a>, matrix_b,
                                      std::conditional_t<std::is_same_v<Use, matrix_b>, matrix_a, Use>>;
constexpr bool is_transposed(const MatrixProduct& product) {
  return product.n > 2 * warpfiber::detail::kTileColumns;
}
constexpr MatrixProduct transposed(const MatrixProduct& product) {
  MatrixProduct other = product;
  other.m = product.n, other.n = product.m, other.a = product.b, other.b = product.a;
  return other;
}

template <class Use, MatrixProduct kProduct>
constexpr MatrixPlace place(unsigned lane, unsigned element) {
  if constexpr (is_transposed(kProduct)) {
    const MatrixPlace at = place<Transposed<Use>, transposed(kProduct)>(lane, element);
    return {at.column, at.row};
  } else if constexpr (std::is_same_v<Use, matrix_a>) {
    return place_in_a(kProduct, lane, element);
  } else if constexpr (std::is_same_v<Use, matrix_b>) {
    return place_in_b(kProduct, lane, element);
  } else {
    return place_in_c(kProduct, lane, element);
  }
}

template <class Use, int m, int n, int k, class T>
inline constexpr MatrixProduct kShape{
    m, n, k, Traits<T>::kElement, Traits<T>::kElement, Traits<T>::kElement, Traits<T>::kElement};

/// Calls access(x, index) for each x that holds elements of its own, with the place of its first element in memory.
template <class Use, int m, int n, int k, class T, class Layout, class Access>
inline void each_register(fragment<Use, m, n, k, T, Layout>&, unsigned ldm, bool by_rows, const Access& access) {
  constexpr unsigned kPacked = Traits<T>::kPacked;
  const unsigned lane = warpfiber::detail::lane_id();
  for (unsigned i = 0; i < kElements<Use, m, n, k> / kPacked; ++i) {
    const MatrixPlace at = place<Use, kShape<Use, m, n, k, T>>(lane, i * kPacked);
    const unsigned index = by_rows ? at.row * ldm + at.column : at.column * ldm + at.row;
    access(i, index / kPacked);
  }
}

/// The lanes of the warp meet, and agree on a matrix in memory whose first element is at `memory`.
/// The alignment that is asked for is that of a lane's part of the matrix (PTX ISA, "wmma.load"), at most 16 bytes.
template <class T, unsigned kElementsOfLane, warpfiber::detail::Operation kOperation>
inline void meet(const void* memory, unsigned ldm, bool by_rows, Site site) {
  constexpr unsigned kBits = warpfiber::detail::bits_of(Traits<T>::kElement);
  constexpr unsigned kOfLane = kElementsOfLane * kBits / 8;
  constexpr unsigned kPiece = kOfLane < 16 ? kOfLane : 16;  // bytes
  constexpr unsigned kElementsOfPiece = 8 * kPiece / kBits;
  constexpr auto& kCollective = warpfiber::detail::kCollectiveOf<kOperation>;
  warpfiber::detail::MatrixAccess access{{site}, memory, ldm, by_rows, kPiece, kElementsOfPiece};
  if (!warpfiber::detail::meet_with_argument<kOperation>(&access)) return;
  const auto misuse = warpfiber::detail::misuse_of(access);
  if (misuse.is_found)
    warpfiber::detail::matrix_misuse(misuse.what, kCollective.name, misuse.given, misuse.wanted, site);
}

template <class Use, int m, int n, int k, class T, class Layout, class Memory>
inline void load(fragment<Use, m, n, k, T, Layout>& a, const Memory* memory, unsigned ldm, bool by_rows, Site site) {
  meet<T, kElements<Use, m, n, k>, warpfiber::detail::Operation::wmma_load>(memory, ldm, by_rows, site);
  constexpr unsigned kOwn = kElements<Use, m, n, k> / Traits<T>::kPacked;
  each_register(a, ldm, by_rows, [&](unsigned i, unsigned index) {
    for (unsigned copy = i; copy < static_cast<unsigned>(a.num_storage_elements); copy += kOwn)
      a.x[copy] = memory[index];
  });
}

/// How the elements of packed types are in memory.
template <class T>
using Memory = std::conditional_t<Traits<T>::kPacked == 1, typename Traits<T>::Storage, unsigned>;

}  // namespace details

/// Loads A or B: `ldm` elements lie between the first elements of two rows, or of two columns.
template <class Use, int m, int n, int k, class T, class Layout>
requires(!std::is_same_v<Use, accumulator> && details::Traits<T>::kPacked == 1) inline void load_matrix_sync(
    fragment<Use, m, n, k, T, Layout>& a, const typename details::Traits<T>::Storage* memory, unsigned ldm,
    warpfiber::Site site = warpfiber::Site::here()) {
  details::load(a, memory, ldm, std::is_same_v<Layout, row_major>, site);
}
/// The same of elements of less than a byte.
template <class Use, int m, int n, int k, class T, class Layout>
requires(!std::is_same_v<Use, accumulator> &&
         details::Traits<T>::kPacked !=
             1) inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& a, const void* memory, unsigned ldm,
                                             warpfiber::Site site = warpfiber::Site::here()) {
  details::load(a, static_cast<const unsigned*>(memory), ldm, std::is_same_v<Layout, row_major>, site);
}
/// Loads C.
template <int m, int n, int k, class T>
inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& c, const T* memory, unsigned ldm, layout_t layout,
                             warpfiber::Site site = warpfiber::Site::here()) {
  details::load(c, memory, ldm, layout == mem_row_major, site);
}

template <int m, int n, int k, class T>
inline void store_matrix_sync(T* memory, const fragment<accumulator, m, n, k, T>& d, unsigned ldm, layout_t layout,
                              warpfiber::Site site = warpfiber::Site::here()) {
  details::meet<T, details::kElements<accumulator, m, n, k>, warpfiber::detail::Operation::wmma_store>(
      memory, ldm, layout == mem_row_major, site);
  auto& from = const_cast<fragment<accumulator, m, n, k, T>&>(d);
  details::each_register(from, ldm, layout == mem_row_major,
                         [&](unsigned i, unsigned index) { memory[index] = d.x[i]; });
}

template <class Use, int m, int n, int k, class T, class Layout>
inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& a,
                          const typename fragment<Use, m, n, k, T, Layout>::storage_element_type& value) {
  for (auto& x : a.x) x = value;
}

namespace details {

constexpr MatrixProduct as_computed(const MatrixProduct& product) {
  return is_transposed(product) ? transposed(product) : product;
}

template <int m, int n, int k, class A, class B, class C, class D, warpfiber::detail::TermsBy kTerms, bool kSaturates>
inline constexpr MatrixProduct kProduct = as_computed({m, n, k, Traits<A>::kElement, Traits<B>::kElement,
                                                       Traits<C>::kElement, Traits<D>::kElement, kTerms, kSaturates});

template <class Fragment>
inline const std::uint32_t* words_of(const Fragment& fragment) {
  return reinterpret_cast<const std::uint32_t*>(fragment.x);
}

/// In checked programs: whether the fragment is as it was declared.
template <class Fragment>
inline void check_written(const Fragment& fragment, unsigned matrix, Site site) {
  if constexpr (!warpfiber::detail::kHasHooks) return;
  const std::uint32_t* const words = words_of(fragment);
  for (std::size_t at = 0; at < sizeof fragment.x; at += sizeof *words) {
    if (words[at / sizeof *words] != kUnwritten) return;
  }
  matrix_misuse(warpfiber::detail::MatrixMisuse::not_loaded, "wmma::mma_sync()", matrix, 0, site);
}

/// With `kTransposes`, the product is that of the transposed matrices.
template <bool kTransposes, class A, class B, class C, class D>
inline void multiply(const MatrixProduct& product, D& d, const A& a, const B& b, const C& c, Site site) {
  check_written(a, 0, site);
  check_written(b, 1, site);
  check_written(c, 2, site);
  const std::uint32_t* const left = kTransposes ? words_of(b) : words_of(a);
  const std::uint32_t* const right = kTransposes ? words_of(a) : words_of(b);
  warpfiber::detail::MatrixArgument argument{{site}, &product,    left,
                                             right,  words_of(c), reinterpret_cast<std::uint32_t*>(d.x)};
  constexpr auto& kCollective = warpfiber::detail::kCollectiveOf<warpfiber::detail::Operation::wmma_multiply>;
  if (warpfiber::detail::meet_with_argument<warpfiber::detail::Operation::wmma_multiply>(&argument))
    warpfiber::detail::check_matrix_lanes(argument.lanes, kCollective.name, site);
}

}  // namespace details

/// D = A * B + C. With `satf`, integers stay within the range of int.
template <int m, int n, int k, class A, class LayoutA, class B, class LayoutB, class C, class D>
inline void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                     const fragment<matrix_b, m, n, k, B, LayoutB>& b, const fragment<accumulator, m, n, k, C>& c,
                     bool satf = false, warpfiber::Site site = warpfiber::Site::here()) {
  using warpfiber::detail::TermsBy;
  const auto& product = satf ? details::kProduct<m, n, k, A, B, C, D, TermsBy::product, true>
                             : details::kProduct<m, n, k, A, B, C, D, TermsBy::product, false>;
  details::multiply<details::is_transposed(details::kShape<accumulator, m, n, k, D>)>(product, d, a, b, c, site);
}

/// D is C and the number of bits in which rows of A and columns of B differ, or that they both have.
template <class LayoutA, class LayoutB>
inline void bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
                      const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, LayoutA>& a,
                      const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, LayoutB>& b,
                      const fragment<accumulator, 8, 8, 128, int>& c,
                      experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
                      experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC,
                      warpfiber::Site site = warpfiber::Site::here()) {
  using warpfiber::detail::TermsBy;
  using Bit = experimental::precision::b1;
  const auto& product = operation == experimental::bmmaBitOpXOR
                            ? details::kProduct<8, 8, 128, Bit, Bit, int, int, TermsBy::exclusive_or, false>
                            : details::kProduct<8, 8, 128, Bit, Bit, int, int, TermsBy::bit_and, false>;
  details::multiply<false>(product, d, a, b, c, site);
}

/// The number of tf32 that is nearest, of two the one with the larger magnitude (PTX ISA, cvt.rna.tf32.f32).
inline float __float_to_tf32(float value) {
  std::uint32_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7f800000U) != 0x7f800000U) bits += 0x1000;
  bits &= 0xffffe000U;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace nvcuda::wmma
