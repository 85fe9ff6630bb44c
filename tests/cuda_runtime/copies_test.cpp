// SPDX-License-Identifier: Apache-2.0
// Copies and fills: every direction with every kind of memory, boxes against a reference, and the limits.
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

namespace {

constexpr std::size_t kBytes = 256;

enum class Memory { pageable, registered, pinned, managed, device };
constexpr Memory kAll[] = {Memory::pageable, Memory::registered, Memory::pinned, Memory::managed, Memory::device};

/// kBytes of one kind of memory.
class Block {
 public:
  explicit Block(Memory kind) : kind_(kind) {
    if (kind == Memory::managed) REQUIRE(cudaMallocManaged(&at_, kBytes) == cudaSuccess);
    if (kind == Memory::device) REQUIRE(cudaMalloc(&at_, kBytes) == cudaSuccess);
    if (kind == Memory::pinned) REQUIRE(cudaMallocHost(&at_, kBytes) == cudaSuccess);
    if (at_ != nullptr) return;
    own_.resize(kBytes);
    at_ = own_.data();
    if (kind == Memory::registered) REQUIRE(cudaHostRegister(at_, kBytes, 0) == cudaSuccess);
  }
  ~Block() {
    if (kind_ == Memory::managed || kind_ == Memory::device) cudaFree(at_);
    if (kind_ == Memory::pinned) cudaFreeHost(at_);
    if (kind_ == Memory::registered) cudaHostUnregister(at_);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  char* at() const { return at_; }

 private:
  Memory kind_;
  char* at_ = nullptr;
  std::vector<char> own_;
};

bool can_be_device(Memory kind) {
  return kind != Memory::pageable;
}

/// As an H200 has it (CUDA 13.0): every address says where it lies, so a device's is copied as the host's too.
bool is_copied(cudaMemcpyKind kind, Memory to, Memory from) {
  switch (kind) {
    case cudaMemcpyHostToHost: return true;
    case cudaMemcpyHostToDevice: return can_be_device(to);
    case cudaMemcpyDeviceToHost: return can_be_device(from);
    case cudaMemcpyDeviceToDevice: return can_be_device(to) && can_be_device(from);
    case cudaMemcpyDefault: return true;
  }
  return false;
}

std::vector<char> numbered(std::size_t size) {
  std::vector<char> bytes(size);
  std::iota(bytes.begin(), bytes.end(), char{1});
  return bytes;
}

}  // namespace

TEST_CASE("a copy is done unless pageable memory stands where a device's has to be") {
  const Memory to_kind = GENERATE(from_range(std::begin(kAll), std::end(kAll)));
  const Memory from_kind = GENERATE(from_range(std::begin(kAll), std::end(kAll)));
  const auto kind = GENERATE(cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                             cudaMemcpyDeviceToDevice, cudaMemcpyDefault);
  CAPTURE(static_cast<int>(to_kind), static_cast<int>(from_kind), static_cast<int>(kind));
  const Block to(to_kind);
  const Block from(from_kind);
  const std::vector<char> bytes = numbered(kBytes);
  REQUIRE(cudaMemcpy(from.at(), bytes.data(), kBytes, cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(cudaMemset(from_kind == Memory::pageable ? nullptr : from.at(), 0, 0) == cudaSuccess);

  const bool right = is_copied(kind, to_kind, from_kind);
  CHECK(cudaMemcpy(to.at(), from.at(), kBytes, kind) == (right ? cudaSuccess : cudaErrorInvalidValue));
  CHECK(cudaMemcpyAsync(to.at(), from.at(), kBytes, kind, nullptr) == (right ? cudaSuccess : cudaErrorInvalidValue));
  if (!right) return;
  std::vector<char> back(kBytes);
  REQUIRE(cudaMemcpy(back.data(), to.at(), kBytes, cudaMemcpyDefault) == cudaSuccess);
  CHECK(back == bytes);
}

TEST_CASE("a kind that does not exist is an invalid direction") {
  char a = 0;
  char b = 0;
  CHECK(cudaMemcpy(&a, &b, 1, static_cast<cudaMemcpyKind>(5)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(&a, &b, 1, static_cast<cudaMemcpyKind>(7)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(&a, &b, 0, static_cast<cudaMemcpyKind>(7)) == cudaSuccess);
}

TEST_CASE("copying nothing is no error, copying from or to nowhere is") {
  const Block device(Memory::device);
  char host = 0;
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(nullptr, &host, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(device.at(), nullptr, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
}

TEST_CASE("a copy or fill may not leave its allocation") {
  const Block device(Memory::device);
  const Block pinned(Memory::pinned);
  std::vector<char> host(2 * kBytes);
  CHECK(cudaMemcpy(device.at(), host.data(), kBytes + 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(device.at() + 1, host.data(), kBytes, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), device.at() + 1, kBytes, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(pinned.at(), device.at(), kBytes + 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemset(device.at(), 0, kBytes + 1) == cudaErrorInvalidValue);
  CHECK(cudaMemset(device.at() + 1, 0, kBytes - 1) == cudaSuccess);
}

TEST_CASE("a copy in a direction that its addresses contradict may not leave its allocation either") {
  const auto kind = GENERATE(cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                             cudaMemcpyDeviceToDevice, cudaMemcpyDefault);
  const Block to(Memory::device);
  const Block from(Memory::device);
  CHECK(cudaMemcpy(to.at(), from.at(), kBytes, kind) == cudaSuccess);
  CHECK(cudaMemcpy(to.at(), from.at(), kBytes + 1, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(to.at(), from.at() + 1, kBytes, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(to.at(), from.at() + kBytes, 1, kind) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(to.at() - 1, from.at(), 1, kind) == cudaErrorInvalidValue);
}

TEST_CASE("memory that was freed is no destination") {
  char* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, kBytes) == cudaSuccess);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  char host = 0;
  CHECK(cudaMemcpy(memory, &host, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemset(memory, 0, 1) == cudaErrorInvalidValue);
}

TEST_CASE("a fill sets every byte of a device's memory, and not the host's") {
  const Block device(Memory::device);
  std::vector<char> host(kBytes);
  REQUIRE(cudaMemset(device.at(), 0x1ff, kBytes) == cudaSuccess);
  REQUIRE(cudaMemcpy(host.data(), device.at(), kBytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(host == std::vector<char>(kBytes, char(-1)));
  CHECK(cudaMemset(host.data(), 0, kBytes) == cudaErrorInvalidValue);
}

TEST_CASE("rows are copied with a pitch of their own at either end") {
  const auto [width, height, to_pitch, from_pitch] = GENERATE(table<std::size_t, std::size_t, std::size_t, std::size_t>(
      {{5, 4, 5, 5}, {5, 4, 16, 5}, {5, 4, 5, 9}, {1, 7, 32, 31}, {12, 1, 12, 40}}));
  const Block device(Memory::device);
  const std::vector<char> from = numbered(from_pitch * height);
  std::vector<char> to(to_pitch * height, 0);
  std::vector<char> expected = to;
  for (std::size_t y = 0; y < height; ++y) std::memcpy(&expected[y * to_pitch], &from[y * from_pitch], width);

  REQUIRE(cudaMemcpy2D(device.at(), 17, from.data(), from_pitch, width, height, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy2DAsync(to.data(), to_pitch, device.at(), 17, width, height, cudaMemcpyDeviceToHost, nullptr) ==
          cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(to == expected);
}

TEST_CASE("rows that overlap are an invalid pitch") {
  const Block device(Memory::device);
  std::vector<char> host(kBytes);
  CHECK(cudaMemcpy2D(device.at(), 4, host.data(), 8, 5, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(device.at(), 8, host.data(), 4, 5, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(device.at(), 8, host.data(), 8, 5, 200, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(device.at(), 4, host.data(), 4, 0, 5, cudaMemcpyHostToDevice) == cudaSuccess);
}

TEST_CASE("a single row that is longer than its pitch, and a fill of such rows, are invalid values") {
  const Block device(Memory::device);
  std::vector<char> host(kBytes);
  CHECK(cudaMemcpy2D(device.at(), 4, host.data(), 4, 5, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(device.at(), 4, 0, 8, 2) == cudaErrorInvalidValue);
}

TEST_CASE("a box is copied from where it is to where it shall be") {
  cudaPitchedPtr device{};
  REQUIRE(cudaMalloc3D(&device, make_cudaExtent(8, 5, 4)) == cudaSuccess);
  REQUIRE(cudaMemset3D(device, 0, make_cudaExtent(8, 5, 4)) == cudaSuccess);
  std::vector<char> from = numbered(3 * 2 * 2);

  cudaMemcpy3DParms down{};
  down.srcPtr = make_cudaPitchedPtr(from.data(), 3, 3, 2);
  down.dstPtr = device;
  down.dstPos = make_cudaPos(4, 2, 1);
  down.extent = make_cudaExtent(3, 2, 2);
  down.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&down) == cudaSuccess);

  std::vector<char> all(8 * 5 * 4);
  cudaMemcpy3DParms up{};
  up.srcPtr = device;
  up.dstPtr = make_cudaPitchedPtr(all.data(), 8, 8, 5);
  up.extent = make_cudaExtent(8, 5, 4);
  up.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3DAsync(&up, nullptr) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);

  std::vector<char> expected(all.size(), 0);
  for (std::size_t z = 0; z < 2; ++z)
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 3; ++x) expected[((z + 1) * 5 + y + 2) * 8 + x + 4] = from[(z * 2 + y) * 3 + x];
  CHECK(all == expected);

  up.srcPtr.ptr = nullptr;
  CHECK(cudaMemcpy3D(&up) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy3D(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFree(device.ptr) == cudaSuccess);
}

TEST_CASE("a copy between devices names devices that are there") {
  const Block to(Memory::device);
  const Block from(Memory::device);
  CHECK(cudaMemcpyPeer(to.at(), 0, from.at(), 0, kBytes) == cudaSuccess);
  CHECK(cudaMemcpyPeerAsync(to.at(), 0, from.at(), 99, kBytes, nullptr) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpyPeer(to.at(), -1, from.at(), 0, kBytes) == cudaErrorInvalidDevice);
}

TEST_CASE("a copy from or to where the program has no memory is refused and copies nothing") {
  const Block device(Memory::device);
  // Two pages, the second of which is given back.
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto* pages = static_cast<char*>(
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  REQUIRE(pages != MAP_FAILED);
  REQUIRE(::munmap(pages + page, page) == 0);
  char* const end = pages + page;
  for (char* host : {reinterpret_cast<char*>(16), reinterpret_cast<char*>(0xdead'beef'dead'0000), end, end - 3}) {
    CAPTURE(static_cast<void*>(host));
    CHECK(cudaMemcpy(device.at(), host, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(host, device.at(), 4, cudaMemcpyDefault) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyAsync(host, device.at(), 4, cudaMemcpyDeviceToHost, nullptr) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(device.at(), host, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  }
  CHECK(cudaMemcpy2D(device.at(), 8, end - 10, 8, 4, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(device.at(), 8, end - 12, 8, 4, 2, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(device.at(), end - 4, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  ::munmap(pages, page);
}
