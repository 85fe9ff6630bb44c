// SPDX-License-Identifier: Apache-2.0
// What may be set about a stream, and memory that is attached to one.
#include <cuda_runtime.h>

#include "support/catch.hpp"

namespace {

struct OwnStream {
  OwnStream() { REQUIRE(cudaStreamCreate(&handle) == cudaSuccess); }
  ~OwnStream() { cudaStreamDestroy(handle); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  cudaStreamAttrValue get(cudaStreamAttrID attribute) const {
    cudaStreamAttrValue value;
    CHECK(cudaStreamGetAttribute(handle, attribute, &value) == cudaSuccess);
    return value;
  }

  cudaStream_t handle = nullptr;
};

cudaStreamAttrValue window(std::size_t bytes, float ratio, cudaAccessProperty miss) {
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.num_bytes = bytes;
  value.accessPolicyWindow.hitRatio = ratio;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = miss;
  return value;
}

}  // namespace

TEST_CASE("a stream begins with CUDA's attributes") {
  const OwnStream stream;
  CHECK(stream.get(cudaStreamAttributeAccessPolicyWindow).accessPolicyWindow.num_bytes == 0);
  CHECK(stream.get(cudaStreamAttributeSynchronizationPolicy).syncPolicy == cudaSyncPolicyAuto);
  CHECK(stream.get(cudaStreamAttributeMemSyncDomain).memSyncDomain == cudaLaunchMemSyncDomainDefault);
  CHECK(stream.get(cudaStreamAttributeMemSyncDomainMap).memSyncDomainMap.remote == 1);
  CHECK(stream.get(cudaStreamAttributePriority).priority == 0);
}

TEST_CASE("attributes of a stream are kept, copied and told") {
  const OwnStream one;
  const OwnStream other;
  cudaStreamAttrValue value = window(4096, 0.5F, cudaAccessPropertyStreaming);
  CHECK(cudaStreamSetAttribute(one.handle, cudaStreamAttributeAccessPolicyWindow, &value) == cudaSuccess);
  value.syncPolicy = cudaSyncPolicySpin;
  CHECK(cudaStreamSetAttribute(one.handle, cudaStreamAttributeSynchronizationPolicy, &value) == cudaSuccess);
  value.memSyncDomainMap = {2, 3};
  CHECK(cudaStreamSetAttribute(one.handle, cudaStreamAttributeMemSyncDomainMap, &value) == cudaSuccess);
  value.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  CHECK(cudaStreamSetAttribute(one.handle, cudaStreamAttributeMemSyncDomain, &value) == cudaSuccess);
  value.priority = -3;
  CHECK(cudaStreamSetAttribute(one.handle, cudaStreamAttributePriority, &value) == cudaSuccess);
  CHECK(other.get(cudaStreamAttributeSynchronizationPolicy).syncPolicy == cudaSyncPolicyAuto);
  CHECK(cudaStreamCopyAttributes(other.handle, one.handle) == cudaSuccess);
  CHECK(other.get(cudaStreamAttributeAccessPolicyWindow).accessPolicyWindow.hitRatio == 0.5F);
  CHECK(other.get(cudaStreamAttributeSynchronizationPolicy).syncPolicy == cudaSyncPolicySpin);
  CHECK(other.get(cudaStreamAttributeMemSyncDomainMap).memSyncDomainMap.default_ == 2);
  CHECK(other.get(cudaStreamAttributeMemSyncDomain).memSyncDomain == cudaLaunchMemSyncDomainRemote);
  int priority = 0;
  CHECK(cudaStreamGetPriority(other.handle, &priority) == cudaSuccess);
  CHECK(priority == -3);
}

TEST_CASE("attributes that a stream cannot have are refused") {
  const OwnStream stream;
  cudaStreamAttrValue value = window(4096, 1.5F, cudaAccessPropertyNormal);
  CHECK(cudaStreamSetAttribute(stream.handle, cudaStreamAttributeAccessPolicyWindow, &value) == cudaErrorInvalidValue);
  value = window(4096, 1, cudaAccessPropertyPersisting);
  CHECK(cudaStreamSetAttribute(stream.handle, cudaStreamAttributeAccessPolicyWindow, &value) == cudaErrorInvalidValue);
  value = window(std::size_t{1} << 40, 1, cudaAccessPropertyNormal);
  CHECK(cudaStreamSetAttribute(stream.handle, cudaStreamAttributeAccessPolicyWindow, &value) == cudaErrorInvalidValue);
  value.syncPolicy = static_cast<cudaSynchronizationPolicy>(0);
  CHECK(cudaStreamSetAttribute(stream.handle, cudaStreamAttributeSynchronizationPolicy, &value) ==
        cudaErrorInvalidValue);
  value.memSyncDomainMap = {0, 4};
  CHECK(cudaStreamSetAttribute(stream.handle, cudaStreamAttributeMemSyncDomainMap, &value) == cudaErrorInvalidValue);
  CHECK(cudaStreamSetAttribute(stream.handle, cudaLaunchAttributeCooperative, &value) == cudaErrorInvalidValue);
  CHECK(cudaStreamGetAttribute(stream.handle, cudaLaunchAttributeCooperative, &value) == cudaErrorInvalidValue);
  CHECK(cudaStreamGetAttribute(stream.handle, cudaStreamAttributePriority, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamSetAttribute(stream.handle, cudaStreamAttributePriority, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("streams that are gone have no attributes") {
  cudaStream_t gone = nullptr;
  REQUIRE(cudaStreamCreate(&gone) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(gone) == cudaSuccess);
  cudaStreamAttrValue value{};
  CHECK(cudaStreamGetAttribute(gone, cudaStreamAttributePriority, &value) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSetAttribute(gone, cudaStreamAttributePriority, &value) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamCopyAttributes(nullptr, gone) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("managed memory can be attached to a stream, and other memory of the device cannot") {
  const OwnStream stream;
  int* managed = nullptr;
  int* device = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 4) == cudaSuccess);
  REQUIRE(cudaMalloc(&device, 4) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(stream.handle, managed) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachHost) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachSingle) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(stream.handle, managed, 0, 3) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(stream.handle, device) == cudaErrorInvalidValue);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
}
