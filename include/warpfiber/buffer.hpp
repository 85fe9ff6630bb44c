// SPDX-License-Identifier: Apache-2.0
// Device memory as a value: allocated by the constructor, freed by the destructor. The same type exists under nvcc, so
// a program that keeps to it runs on both. Copies without a stream are the default stream's: they wait for earlier work
// of other streams (docs/streams.md).
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/detail/config.hpp>
#include <warpfiber/detail/element_word.hpp>
#include <warpfiber/device.hpp>
#include <warpfiber/error.hpp>
#include <warpfiber/pinned_buffer.hpp>
#include <warpfiber/stream_ref.hpp>

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace warpfiber {

namespace detail {
/// Memory that holds a poison pattern, aligned to 256 bytes as cudaMalloc does; throws std::bad_alloc.
void* allocate_global(std::size_t bytes);
void free_global(void* memory) noexcept;
/// Returns when the default stream could do something. Costs nothing in a program without streams.
void join_default_stream();
Error upload_in_stream(void* to, const void* from, std::size_t bytes, StreamRef stream);
Error download_in_stream(void* to, const void* from, std::size_t bytes, StreamRef stream);
/// Copies for the host program, which have to wait for the default stream first. `type` is that of the elements, for
/// `warpfiber crosscheck`.
void upload_now(void* to, const void* from, std::size_t bytes);
void download_now(void* to, const void* from, std::size_t bytes, const char* type);
/// The host program is about to write these bytes.
void note_fill(void* memory, std::size_t bytes);
/// On a device this is a kernel's business, so it is no access of the host's.
template <class T>
WARPFIBER_UNCHECKED void fill_now(T* memory, std::size_t size, const T& value) {
  for (std::size_t i = 0; i < size; ++i) memory[i] = value;
}
}  // namespace detail

/// `size()` elements of device memory. Fresh memory holds a poison pattern, as the device promises nothing either.
/// Used on the host; kernels get `data()`.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types");

 public:
  // Inlined in every build: an allocation is identified by what its call returns to, which is in the user's function.
  /// Throws std::bad_alloc where there is no memory.
  __attribute__((always_inline)) explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(detail::allocate_global(bytes(size)))), size_(size) {}
  __attribute__((always_inline)) explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    upload(values);
  }
  Buffer(Buffer&& other) noexcept : data_(other.data_), size_(other.size_) { other.data_ = nullptr; }
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      detail::free_global(data_);
      data_ = other.data_;
      size_ = other.size_;
      other.data_ = nullptr;
    }
    return *this;
  }
  ~Buffer() { detail::free_global(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Copies `count` elements, at most size(), from the host.
  WARPFIBER_AT_CALLER void upload(const T* from, std::size_t count) {
    detail::join_default_stream();
    if (count != 0) detail::upload_now(data_, from, (count < size_ ? count : size_) * sizeof(T));
  }
  WARPFIBER_AT_CALLER void upload(const std::vector<T>& values) { upload(values.data(), values.size()); }

  /// A copy of all elements for the host.
  WARPFIBER_AT_CALLER std::vector<T> download() const {
    detail::join_default_stream();
    std::vector<T> values(size_);
    if (size_ != 0) detail::download_now(values.data(), data_, size_ * sizeof(T), detail::element_word<T>());
    return values;
  }

  /// Sets every element.
  WARPFIBER_AT_CALLER void fill(const T& value) {
    detail::join_default_stream();
    detail::note_fill(data_, size_ * sizeof(T));
    detail::fill_now(data_, size_, value);
  }

  /// The same as work of a stream. With pinned memory it may still run when the call has returned; other memory of
  /// the host has been read by then, or written. Errors are CUDA's, or those of the stream as far as known.
  Error upload(const T* from, std::size_t count, StreamRef stream) {
    return detail::upload_in_stream(data_, from, (count < size_ ? count : size_) * sizeof(T), stream);
  }
  Error upload(const std::vector<T>& values, StreamRef stream) { return upload(values.data(), values.size(), stream); }
  Error upload(const PinnedBuffer<T>& values, StreamRef stream) { return upload(values.data(), values.size(), stream); }
  Error download(T* to, std::size_t count, StreamRef stream) const {
    return detail::download_in_stream(to, data_, (count < size_ ? count : size_) * sizeof(T), stream);
  }
  Error download(std::vector<T>& values, StreamRef stream) const {
    return download(values.data(), values.size(), stream);
  }
  Error download(PinnedBuffer<T>& values, StreamRef stream) const {
    return download(values.data(), values.size(), stream);
  }
  Error fill(const T& value, StreamRef stream) { return upload(std::vector<T>(size_, value), stream); }

 private:
  static std::size_t bytes(std::size_t size) {
    if (size > ~std::size_t{0} / sizeof(T)) throw std::bad_alloc();
    return size * sizeof(T);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace warpfiber
