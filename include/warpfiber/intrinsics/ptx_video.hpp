// SPDX-License-Identifier: Apache-2.0
//
// PTX's video instructions: whole numbers taken out of words, computed without overflow, saturated, and added to a
// third operand or put into it. A part of ptx.hpp. Source: PTX ISA 9.0, "Scalar Video Instructions" and "SIMD Video
// Instructions".
#pragma once

#include <warpfiber/intrinsics/ptx_arithmetic.hpp>

namespace warpfiber::ptx {

enum class VideoOperation {
  add,
  sub,
  min,
  max,
  absolute_difference,
  average,
  shift_left,
  shift_right,
  eq,
  ne,
  lt,
  le,
  gt,
  ge
};
/// What is done with the third operand.
enum class VideoSecond { none, add, min, max, merge };

/// An instruction. Of one part, a selection is a place and a number of bits (`place << 8 | bits`). Of two or four it is
/// a digit for each part, which counts the parts of a and of b behind them, and `d` is a mask of parts.
struct Video {
  VideoOperation operation;
  unsigned parts;
  bool d_signed, a_signed, b_signed;
  bool saturates;
  bool wraps;  // of shifts: the count is taken modulo 32
  VideoSecond second;
  unsigned d, a, b;
};

using VideoNumber = IntegerOf<16, true>::Type;

inline VideoNumber video_part(u64 words, unsigned place, unsigned bits, bool is_signed) {
  const u64 field = words >> place & ((u64{1} << bits) - 1);
  const bool negative = is_signed && (field >> (bits - 1) & 1) != 0;
  return static_cast<VideoNumber>(field) - (negative ? VideoNumber{1} << bits : 0);
}

inline VideoNumber video_saturated(VideoNumber x, unsigned bits, bool is_signed) {
  const VideoNumber one = 1;
  const VideoNumber least = is_signed ? -(one << (bits - 1)) : 0;
  const VideoNumber most = (one << (is_signed ? bits - 1 : bits)) - 1;
  return x < least ? least : x > most ? most : x;
}

template <VideoOperation kOperation>
inline VideoNumber video_result(VideoNumber a, VideoNumber b) {
  switch (kOperation) {
    case VideoOperation::add: return a + b;
    case VideoOperation::sub: return a - b;
    case VideoOperation::min: return a < b ? a : b;
    case VideoOperation::max: return a < b ? b : a;
    case VideoOperation::absolute_difference: return a < b ? b - a : a - b;
    case VideoOperation::average: return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOperation::shift_left: return a << static_cast<int>(b);
    case VideoOperation::shift_right: return a >> static_cast<int>(b);
    case VideoOperation::eq: return a == b ? 1 : 0;
    case VideoOperation::ne: return a != b ? 1 : 0;
    case VideoOperation::lt: return a < b ? 1 : 0;
    case VideoOperation::le: return a <= b ? 1 : 0;
    case VideoOperation::gt: return a > b ? 1 : 0;
    case VideoOperation::ge: return a >= b ? 1 : 0;
  }
  return 0;
}

/// The result of one part, and what becomes of `c` by it.
template <Video kVideo>
inline u32 video_of_one(u32 a, u32 b, u32 c) {
  constexpr unsigned kPlace = kVideo.d >> 8, kBits = kVideo.d & 0xff;
  constexpr bool kShifts =
      kVideo.operation == VideoOperation::shift_left || kVideo.operation == VideoOperation::shift_right;
  const VideoNumber left = video_part(a, kVideo.a >> 8, kVideo.a & 0xff, kVideo.a_signed);
  VideoNumber right = video_part(b, kVideo.b >> 8, kVideo.b & 0xff, kVideo.b_signed);
  if constexpr (kShifts) right = kVideo.wraps ? right & 31 : right < 32 ? right : 32;
  VideoNumber result = video_result<kVideo.operation>(left, right);
  if constexpr (kVideo.saturates) result = video_saturated(result, kBits, kVideo.d_signed);
  const u32 word = static_cast<u32>(result);
  const bool is_less = result < video_part(c, 0, 32, kVideo.d_signed);
  switch (kVideo.second) {
    case VideoSecond::none: return word;
    case VideoSecond::add: return word + c;
    case VideoSecond::min: return is_less ? word : c;
    case VideoSecond::max: return is_less ? c : word;
    case VideoSecond::merge: return bfi<u32>(word, c, kPlace, kBits);
  }
  return word;
}

template <Video kVideo>
inline u32 video(u32 a, u32 b, u32 c) {
  if constexpr (kVideo.parts == 1) {
    return video_of_one<kVideo>(a, b, c);
  } else {
    constexpr unsigned kBits = 32 / kVideo.parts;
    const u64 both = static_cast<u64>(b) << 32 | a;
    u32 result = c;
    for (unsigned n = 0; n < kVideo.parts; ++n) {
      if ((kVideo.d >> n & 1) == 0) continue;
      const VideoNumber left = video_part(both, (kVideo.a >> 4 * n & 15) * kBits, kBits, kVideo.a_signed);
      const VideoNumber right = video_part(both, (kVideo.b >> 4 * n & 15) * kBits, kBits, kVideo.b_signed);
      VideoNumber each = video_result<kVideo.operation>(left, right);
      if constexpr (kVideo.saturates) each = video_saturated(each, kBits, kVideo.d_signed);
      const u32 word = static_cast<u32>(each);
      result = kVideo.second == VideoSecond::add ? result + word : bfi<u32>(word, result, n * kBits, kBits);
    }
    return result;
  }
}
template <Video kVideo>
inline u32 video(u32 a, u32 b) {
  return video<kVideo>(a, b, 0);
}

/// A product and a sum. At most one of the product and c is negated, or 1 is added (`plus_one`); then it is shifted.
struct VideoProduct {
  bool a_signed, b_signed;
  bool saturates;
  bool plus_one, negates_product, negates_sum;
  unsigned shift;
  unsigned a, b;  // as in Video
};

template <VideoProduct kProduct>
inline u32 video_mad(u32 a, u32 b, u32 c) {
  constexpr bool kSigned = kProduct.a_signed || kProduct.b_signed || kProduct.negates_product || kProduct.negates_sum;
  const VideoNumber product = video_part(a, kProduct.a >> 8, kProduct.a & 0xff, kProduct.a_signed) *
                              video_part(b, kProduct.b >> 8, kProduct.b & 0xff, kProduct.b_signed);
  const VideoNumber term = video_part(c, 0, 32, kSigned);
  VideoNumber sum = (kProduct.negates_product ? -product : product) + (kProduct.negates_sum ? -term : term);
  sum = (sum + (kProduct.plus_one ? 1 : 0)) >> kProduct.shift;
  if constexpr (kProduct.saturates) sum = video_saturated(sum, 32, kSigned);
  return static_cast<u32>(sum);
}

}  // namespace warpfiber::ptx
