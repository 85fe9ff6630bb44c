// SPDX-License-Identifier: Apache-2.0
//
// Checks attributes as CUDA does and keeps them with the stream, under a mutex of their own.
#include "streams/attributes.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/locks/annotated_mutex.hpp"
#include "process/devices/properties.hpp"
#include "process/explain.hpp"
#include "streams/state/streams_state.hpp"
#include "streams/streams.hpp"

namespace warpfiber::streams {

using record::ReasonKind;

/// As cudaStreamSetAttribute left them.
struct StreamSettings {
  cudaAccessPolicyWindow window{nullptr, 0, 0, cudaAccessPropertyNormal, cudaAccessPropertyNormal};
  cudaSynchronizationPolicy policy = cudaSyncPolicyAuto;
  cudaLaunchMemSyncDomainMap domains{0, 1};
  cudaLaunchMemSyncDomain domain = cudaLaunchMemSyncDomainDefault;
};

namespace {

constexpr unsigned kDomains = 4;  // of memory synchronisation, compute capability 9.0

Error no_such_attribute() {
  return process::fail(Error::invalid_value, ReasonKind::stream_attribute_unknown);
}

Error check_window(const cudaAccessPolicyWindow& window, int device) {
  cudaDeviceProp properties;
  const Error error = process::device_properties(&properties, device);
  if (error != Error::success) return error;
  if (window.num_bytes > static_cast<std::size_t>(properties.accessPolicyMaxWindowSize)) {
    return process::fail(Error::invalid_value, ReasonKind::window_too_large);
  }
  if (!(window.hitRatio >= 0 && window.hitRatio <= 1)) {
    return process::fail(Error::invalid_value, ReasonKind::hit_ratio_invalid);
  }
  if (window.missProp == cudaAccessPropertyPersisting) {
    return process::fail(Error::invalid_value, ReasonKind::miss_property_persisting);
  }
  return Error::success;
}

Error check(const Stream& stream, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue& value) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow: return check_window(value.accessPolicyWindow, stream.device);
    case cudaLaunchAttributeSynchronizationPolicy:
      if (value.syncPolicy >= cudaSyncPolicyAuto && value.syncPolicy <= cudaSyncPolicyBlockingSync) {
        return Error::success;
      }
      return process::fail(Error::invalid_value, ReasonKind::synchronization_policy_unknown);
    case cudaLaunchAttributeMemSyncDomainMap:
      if (value.memSyncDomainMap.default_ < kDomains && value.memSyncDomainMap.remote < kDomains) {
        return Error::success;
      }
      return process::fail(Error::invalid_value, ReasonKind::sync_domains_too_many);
    case cudaLaunchAttributeMemSyncDomain:
      if (value.memSyncDomain <= cudaLaunchMemSyncDomainRemote) return Error::success;
      return process::fail(Error::invalid_value, ReasonKind::sync_domain_unknown);
    case cudaLaunchAttributePriority: return Error::success;
    default: return no_such_attribute();
  }
}

}  // namespace

Error stream_attribute(Stream* handle, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue* value) {
  if (value == nullptr) return process::fail(Error::invalid_value, ReasonKind::result_pointer_null);
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (stream == nullptr) return no_such_stream();
  const base::Lock lock(attributes_mutex());
  const StreamSettings settings = stream->settings == nullptr ? StreamSettings{} : *stream->settings;
  cudaLaunchAttributeValue found;
  std::memset(&found, 0, sizeof found);
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow: found.accessPolicyWindow = settings.window; break;
    case cudaLaunchAttributeSynchronizationPolicy: found.syncPolicy = settings.policy; break;
    case cudaLaunchAttributeMemSyncDomainMap: found.memSyncDomainMap = settings.domains; break;
    case cudaLaunchAttributeMemSyncDomain: found.memSyncDomain = settings.domain; break;
    case cudaLaunchAttributePriority: found.priority = stream->priority.load(); break;
    default: return no_such_attribute();
  }
  *value = found;
  return Error::success;
}

Error set_stream_attribute(Stream* handle, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue* value) {
  if (value == nullptr) return process::fail(Error::invalid_value, ReasonKind::value_pointer_null);
  const std::shared_ptr<Stream> stream = find_stream(handle);
  if (stream == nullptr) return no_such_stream();
  if (const Error error = check(*stream, attribute, *value); error != Error::success) return error;
  const base::Lock lock(attributes_mutex());
  if (stream->settings == nullptr) stream->settings = std::make_shared<StreamSettings>();
  StreamSettings& settings = *stream->settings;
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow: settings.window = value->accessPolicyWindow; break;
    case cudaLaunchAttributeSynchronizationPolicy: settings.policy = value->syncPolicy; break;
    case cudaLaunchAttributeMemSyncDomainMap: settings.domains = value->memSyncDomainMap; break;
    case cudaLaunchAttributeMemSyncDomain: settings.domain = value->memSyncDomain; break;
    default: stream->priority.store(std::clamp(value->priority, kGreatestPriority, kLeastPriority));
  }
  return Error::success;
}

Error copy_stream_attributes(Stream* to, Stream* from) {
  const std::shared_ptr<Stream> target = find_stream(to);
  const std::shared_ptr<Stream> source = find_stream(from);
  if (target == nullptr || source == nullptr) return no_such_stream();
  if (target->device != source->device) {
    return process::fail(Error::invalid_value, ReasonKind::streams_of_different_devices);
  }
  const base::Lock lock(attributes_mutex());
  target->settings = source->settings == nullptr ? nullptr : std::make_shared<StreamSettings>(*source->settings);
  target->priority.store(source->priority.load());
  return Error::success;
}

}  // namespace warpfiber::streams
