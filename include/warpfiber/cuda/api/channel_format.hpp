// SPDX-License-Identifier: Apache-2.0
// cudaCreateChannelDesc<T>(): the channel format of the integers and floats that textures hold, alone and as built-in
// vectors of 2 and 4 (and 3, which arrays cannot hold, as in CUDA). Included by channel_descriptor.h.
#pragma once

#include <warpfiber/cuda/api/runtime.h>

namespace warpfiber::cuda::detail {

/// Element type and number of channels of T; kind none where it is no texture type.
template <class T>
struct Channels {
  static constexpr cudaChannelFormatKind kKind = cudaChannelFormatKindNone;
  static constexpr int kBits = 0;
  static constexpr int kCount = 0;
};

#define WARPFIBER_CHANNELS(T, count, bits, kind)         \
  template <>                                            \
  struct Channels<T> {                                   \
    static constexpr cudaChannelFormatKind kKind = kind; \
    static constexpr int kBits = bits;                   \
    static constexpr int kCount = count;                 \
  };
#define WARPFIBER_CHANNEL_FAMILY(T, vector, bits, kind) \
  WARPFIBER_CHANNELS(T, 1, bits, kind)                  \
  WARPFIBER_CHANNELS(vector##1, 1, bits, kind)          \
  WARPFIBER_CHANNELS(vector##2, 2, bits, kind)          \
  WARPFIBER_CHANNELS(vector##3, 3, bits, kind)          \
  WARPFIBER_CHANNELS(vector##4, 4, bits, kind)

WARPFIBER_CHANNELS(char, 1, 8, cudaChannelFormatKindSigned)
WARPFIBER_CHANNEL_FAMILY(signed char, char, 8, cudaChannelFormatKindSigned)
WARPFIBER_CHANNEL_FAMILY(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
WARPFIBER_CHANNEL_FAMILY(short, short, 16, cudaChannelFormatKindSigned)
WARPFIBER_CHANNEL_FAMILY(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
WARPFIBER_CHANNEL_FAMILY(int, int, 32, cudaChannelFormatKindSigned)
WARPFIBER_CHANNEL_FAMILY(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
WARPFIBER_CHANNEL_FAMILY(float, float, 32, cudaChannelFormatKindFloat)

#undef WARPFIBER_CHANNELS
#undef WARPFIBER_CHANNEL_FAMILY

constexpr cudaChannelFormatDesc channel_format(int bits, int count, cudaChannelFormatKind kind) {
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}

}  // namespace warpfiber::cuda::detail

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Channels = warpfiber::cuda::detail::Channels<T>;
  return warpfiber::cuda::detail::channel_format(Channels::kBits, Channels::kCount, Channels::kKind);
}

/// Channels of 16-bit floats.
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return warpfiber::cuda::detail::channel_format(16, 1, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return warpfiber::cuda::detail::channel_format(16, 2, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return warpfiber::cuda::detail::channel_format(16, 4, cudaChannelFormatKindFloat);
}

/// Three channels of 8 bits, of which two share a plane at half the resolution.
inline cudaChannelFormatDesc cudaCreateChannelDescNV12() {
  return {8, 8, 8, 0, cudaChannelFormatKindNV12};
}
