// SPDX-License-Identifier: Apache-2.0
//
// Checks each argument as CUDA does, then reads or changes what is known of the kernel (process/kernels.hpp). Limits
// and occupancy are those of room device.
#include "runtime/functions.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "device/launch_check.hpp"
#include "launches/kernels/kernel_attributes.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"
#include "process/kernels.hpp"
#include "runtime/kernel_launch.hpp"
#include "streams/event.hpp"

namespace warpfiber::runtime {

using record::ReasonKind;

namespace {

const DeviceModel& model() {
  return process::model_of(process::current_device());
}

Error no_result() {
  return process::fail(Error::invalid_value, ReasonKind::result_pointer_null);
}

/// What a launch configuration says of clusters; {0,0,0}: nothing.
dim3 cluster_of(const cudaLaunchConfig_t& config) {
  dim3 cluster(0, 0, 0);
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
    const auto& given = config.attrs[i].val.clusterDim;
    cluster = dim3(given.x, given.y, given.z);
  }
  return cluster;
}

Error set_shared_limit(const void* function, int value) {
  if (value < 0) return process::fail(Error::invalid_value, ReasonKind::dynamic_shared_limit_negative);
  const auto bytes = static_cast<std::size_t>(value);
  const device::LaunchCheck check = device::check_max_dynamic_shared(model(), launches::attributes_of(function), bytes);
  if (!check.ok()) return process::fail(check.error, check.reason);
  launches::change_attributes(function,
                              [bytes](KernelAttributes& attributes) { attributes.max_dynamic_shared = bytes; });
  return Error::success;
}

Error set_cluster_extent(const void* function, unsigned KernelAttributes::*extent, int value) {
  if (value < 0) return process::fail(Error::invalid_value, ReasonKind::cluster_dimension_negative);
  launches::change_attributes(function, [&](KernelAttributes& attributes) {
    for (const auto part : {&KernelAttributes::cluster_x, &KernelAttributes::cluster_y, &KernelAttributes::cluster_z}) {
      attributes.*part = std::max(attributes.*part, 1U);
    }
    attributes.*extent = static_cast<unsigned>(value);
  });
  return Error::success;
}

/// Events that a launch is to record: they stand for its end, the latest that CUDA allows.
Error record_events(const cudaLaunchConfig_t& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    cudaEvent_t event = nullptr;
    if (attribute.id == cudaLaunchAttributeProgrammaticEvent) event = attribute.val.programmaticEvent.event;
    if (attribute.id == cudaLaunchAttributeLaunchCompletionEvent) event = attribute.val.launchCompletionEvent.event;
    if (event == nullptr) continue;
    if (const Error error = streams::record_event(event, config.stream); error != Error::success) return error;
  }
  return Error::success;
}

}  // namespace

Error check_function(const void* function) {
  if (function != nullptr && process::find_kernel(function) != nullptr) return Error::success;
  return process::fail(Error::invalid_device_function, ReasonKind::function_is_no_kernel);
}

Error function_attributes(cudaFuncAttributes* to, const void* function) {
  if (to == nullptr) return no_result();
  if (const Error error = check_function(function); error != Error::success) return error;
  const KernelAttributes attributes = launches::attributes_of(function);
  *to = cudaFuncAttributes{};
  to->sharedSizeBytes = attributes.static_shared;
  to->constSizeBytes = attributes.constant_bytes;
  to->localSizeBytes = attributes.local_bytes;
  to->maxThreadsPerBlock = static_cast<int>(max_block_threads(model(), attributes));
  to->numRegs = static_cast<int>(attributes.registers_per_thread);
  to->ptxVersion = to->binaryVersion = static_cast<int>(model().compute_major * 10 + model().compute_minor);
  to->maxDynamicSharedSizeBytes = static_cast<int>(max_dynamic_shared(model(), attributes));
  to->preferredShmemCarveout = attributes.preferred_carveout;
  to->requiredClusterWidth = static_cast<int>(attributes.cluster_x);
  to->requiredClusterHeight = static_cast<int>(attributes.cluster_y);
  to->requiredClusterDepth = static_cast<int>(attributes.cluster_z);
  to->nonPortableClusterSizeAllowed = attributes.non_portable_cluster ? 1 : 0;
  return Error::success;
}

Error set_function_attribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (const Error error = check_function(function); error != Error::success) return error;
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize: return set_shared_limit(function, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return process::fail(Error::invalid_value, ReasonKind::carveout_invalid);
      launches::change_attributes(function,
                                  [value](KernelAttributes& attributes) { attributes.preferred_carveout = value; });
      return Error::success;
    case cudaFuncAttributeRequiredClusterWidth:
      return set_cluster_extent(function, &KernelAttributes::cluster_x, value);
    case cudaFuncAttributeRequiredClusterHeight:
      return set_cluster_extent(function, &KernelAttributes::cluster_y, value);
    case cudaFuncAttributeRequiredClusterDepth:
      return set_cluster_extent(function, &KernelAttributes::cluster_z, value);
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      launches::change_attributes(
          function, [value](KernelAttributes& attributes) { attributes.non_portable_cluster = value != 0; });
      return Error::success;
    case cudaFuncAttributeClusterSchedulingPolicyPreference: return Error::success;
    case cudaFuncAttributeClusterDimMustBeSet:
    case cudaFuncAttributeMax: break;
  }
  return process::fail(Error::invalid_value, ReasonKind::attribute_cannot_be_set);
}

Error function_name(const char** name, const void* function) {
  if (name == nullptr) return no_result();
  if (const Error error = check_function(function); error != Error::success) return error;
  *name = process::mangled_name(*process::find_kernel(function));
  return Error::success;
}

Error parameter_info(const void* function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  if (offset == nullptr) return no_result();
  if (const Error error = check_function(function); error != Error::success) return error;
  const process::KernelRecord& kernel = *process::find_kernel(function);
  if (index >= kernel.parameters) return process::fail(Error::invalid_value, ReasonKind::parameter_missing);
  std::size_t at = 0;
  for (std::size_t i = 0;; ++i) {
    const std::size_t alignment = kernel.parameter[i].alignment;
    at = (at + alignment - 1) / alignment * alignment;
    if (i == index) break;
    at += kernel.parameter[i].bytes;
  }
  *offset = at;
  if (bytes != nullptr) *bytes = kernel.parameter[index].bytes;
  return Error::success;
}

Error active_blocks(int* blocks, const void* function, int block_threads, std::size_t dynamic_shared) {
  if (blocks == nullptr) return no_result();
  if (const Error error = check_function(function); error != Error::success) return error;
  if (block_threads <= 0) return process::fail(Error::invalid_value, ReasonKind::block_needs_threads);
  const Occupancy found =
      occupancy(model(), launches::attributes_of(function), static_cast<unsigned>(block_threads), dynamic_shared);
  *blocks = static_cast<int>(found.blocks_per_sm);
  return Error::success;
}

Error available_shared(std::size_t* bytes, const void* function, int blocks, int block_threads) {
  if (bytes == nullptr) return no_result();
  if (const Error error = check_function(function); error != Error::success) return error;
  if (blocks <= 0 || block_threads <= 0) return process::fail(Error::invalid_value, ReasonKind::grid_or_block_empty);
  *bytes = available_dynamic_shared(model(), launches::attributes_of(function), static_cast<unsigned>(blocks),
                                    static_cast<unsigned>(block_threads));
  return Error::success;
}

Error potential_cluster_size(int* blocks, const void* function, const cudaLaunchConfig_t* config) {
  if (blocks == nullptr || config == nullptr) return no_result();
  if (const Error error = check_function(function); error != Error::success) return error;
  const auto threads = base::checked_volume(config->blockDim);
  if (!threads.has_value() || *threads > model().max_threads_per_block) {
    return process::fail(Error::invalid_value, ReasonKind::block_size_not_supported);
  }
  *blocks = static_cast<int>(max_potential_cluster_blocks(model(), launches::attributes_of(function),
                                                          static_cast<unsigned>(*threads), config->dynamicSmemBytes));
  return Error::success;
}

Error active_clusters(int* clusters, const void* function, const cudaLaunchConfig_t* config) {
  if (clusters == nullptr || config == nullptr) return no_result();
  if (const Error error = check_function(function); error != Error::success) return error;
  const KernelAttributes attributes = launches::attributes_of(function);
  dim3 cluster = cluster_of(*config);
  if (cluster.x == 0) cluster = dim3(attributes.cluster_x, attributes.cluster_y, attributes.cluster_z);
  const auto blocks = base::checked_volume(cluster);
  const auto threads = base::checked_volume(config->blockDim);
  if (!blocks.has_value() || *blocks == 0 || *blocks > model().max_cluster_blocks) {
    return process::fail(Error::invalid_cluster_size, ReasonKind::cluster_size_not_supported);
  }
  if (!threads.has_value() || *threads == 0 || *threads > model().max_threads_per_block) {
    return process::fail(Error::invalid_value, ReasonKind::block_size_not_supported);
  }
  *clusters = static_cast<int>(max_active_clusters(model(), attributes, static_cast<unsigned>(*blocks),
                                                   static_cast<unsigned>(*threads), config->dynamicSmemBytes));
  return Error::success;
}

Error launch_with_attributes(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr || (config->numAttrs != 0 && config->attrs == nullptr)) {
    return process::fail(Error::invalid_value, ReasonKind::configuration_null);
  }
  StreamLaunch how;
  how.grid = config->gridDim;
  how.block = config->blockDim;
  how.dynamic_shared = config->dynamicSmemBytes;
  how.stream = config->stream;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) how.cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension) how.cluster = cluster_of(*config);
    if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization)
      how.may_overlap = attribute.val.programmaticStreamSerializationAllowed != 0;
  }
  const Error error = launch_kernel(function, how, arguments);
  return error == Error::success ? record_events(*config) : error;
}

}  // namespace warpfiber::runtime
