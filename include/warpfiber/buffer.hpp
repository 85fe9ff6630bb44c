// SPDX-License-Identifier: Apache-2.0
// Device memory as a value: allocated when made, freed when it goes. The same type exists under nvcc, so a program that
// keeps to it runs on both.
#pragma once

#include <warpfiber/device.hpp>

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

namespace warpfiber {

namespace detail {
/// Memory that holds a poison pattern, aligned to 256 bytes as cudaMalloc does; throws std::bad_alloc.
void* allocate_global(std::size_t bytes);
void free_global(void* memory) noexcept;
/// Tells of bytes that have come back from `from`, for `warpfiber crosscheck`; `type` is that of the elements.
void keep_download(const void* to, const void* from, std::size_t bytes, const char* type);

// Indexed by half the size: 1, 2, 4 and 8 bytes.
inline constexpr const char* kSignedWords[] = {"int8", "int16", "int32", "-", "int64"};
inline constexpr const char* kUnsignedWords[] = {"uint8", "uint16", "uint32", "-", "uint64"};

/// What a comparison calls the elements of a buffer; "-" for what it has no rule for.
template <class T>
constexpr const char* element_word() {
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
  if constexpr (std::is_integral_v<T>)
    return std::is_signed_v<T> ? kSignedWords[sizeof(T) / 2] : kUnsignedWords[sizeof(T) / 2];
  return "-";
}
}  // namespace detail

/// `size()` elements of device memory. Fresh memory holds a poison pattern, as the device promises nothing either.
/// Used on the host; kernels get `data()`.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types");

 public:
  /// Throws std::bad_alloc where there is no memory.
  explicit Buffer(std::size_t size) : data_(static_cast<T*>(detail::allocate_global(bytes(size)))), size_(size) {}
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) { upload(values); }
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
  void upload(const T* from, std::size_t count) {
    if (count != 0) std::memcpy(data_, from, (count < size_ ? count : size_) * sizeof(T));
  }
  void upload(const std::vector<T>& values) { upload(values.data(), values.size()); }

  /// A copy of all elements for the host.
  std::vector<T> download() const {
    std::vector<T> values(size_);
    if (size_ != 0) {
      std::memcpy(values.data(), data_, size_ * sizeof(T));
      detail::keep_download(values.data(), data_, size_ * sizeof(T), detail::element_word<T>());
    }
    return values;
  }

  /// Sets every element.
  void fill(const T& value) {
    for (std::size_t i = 0; i < size_; ++i) data_[i] = value;
  }

 private:
  static std::size_t bytes(std::size_t size) {
    if (size > ~std::size_t{0} / sizeof(T)) throw std::bad_alloc();
    return size * sizeof(T);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace warpfiber
