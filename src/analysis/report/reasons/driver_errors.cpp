// SPDX-License-Identifier: Apache-2.0
//
// One table, ordered by number. The numbers are the runtime's, which has names of its own for them.
#include "report/reasons/reasons.hpp"

#include <algorithm>
#include <iterator>

namespace warpfiber::report {
namespace {

struct DriverError {
  Error error;
  const char* name;
};

constexpr DriverError kDriverErrors[] = {
    {Error::success, "CUDA_SUCCESS"},
    {Error::invalid_value, "CUDA_ERROR_INVALID_VALUE"},
    {Error::memory_allocation, "CUDA_ERROR_OUT_OF_MEMORY"},
    {Error::initialization_error, "CUDA_ERROR_NOT_INITIALIZED"},
    {Error::cudart_unloading, "CUDA_ERROR_DEINITIALIZED"},
    {Error::profiler_disabled, "CUDA_ERROR_PROFILER_DISABLED"},
    {Error::profiler_not_initialized, "CUDA_ERROR_PROFILER_NOT_INITIALIZED"},
    {Error::profiler_already_started, "CUDA_ERROR_PROFILER_ALREADY_STARTED"},
    {Error::profiler_already_stopped, "CUDA_ERROR_PROFILER_ALREADY_STOPPED"},
    {Error::stub_library, "CUDA_ERROR_STUB_LIBRARY"},
    {Error::call_requires_newer_driver, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER"},
    {Error::devices_unavailable, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
    {Error::no_device, "CUDA_ERROR_NO_DEVICE"},
    {Error::invalid_device, "CUDA_ERROR_INVALID_DEVICE"},
    {Error::device_not_licensed, "CUDA_ERROR_DEVICE_NOT_LICENSED"},
    {Error::invalid_kernel_image, "CUDA_ERROR_INVALID_IMAGE"},
    {Error::device_uninitialized, "CUDA_ERROR_INVALID_CONTEXT"},
    {Error::map_buffer_object_failed, "CUDA_ERROR_MAP_FAILED"},
    {Error::unmap_buffer_object_failed, "CUDA_ERROR_UNMAP_FAILED"},
    {Error::array_is_mapped, "CUDA_ERROR_ARRAY_IS_MAPPED"},
    {Error::already_mapped, "CUDA_ERROR_ALREADY_MAPPED"},
    {Error::no_kernel_image_for_device, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {Error::already_acquired, "CUDA_ERROR_ALREADY_ACQUIRED"},
    {Error::not_mapped, "CUDA_ERROR_NOT_MAPPED"},
    {Error::not_mapped_as_array, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY"},
    {Error::not_mapped_as_pointer, "CUDA_ERROR_NOT_MAPPED_AS_POINTER"},
    {Error::ecc_uncorrectable, "CUDA_ERROR_ECC_UNCORRECTABLE"},
    {Error::unsupported_limit, "CUDA_ERROR_UNSUPPORTED_LIMIT"},
    {Error::device_already_in_use, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE"},
    {Error::peer_access_unsupported, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"},
    {Error::invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
    {Error::invalid_graphics_context, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT"},
    {Error::nvlink_uncorrectable, "CUDA_ERROR_NVLINK_UNCORRECTABLE"},
    {Error::jit_compiler_not_found, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"},
    {Error::unsupported_ptx_version, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    {Error::jit_compilation_disabled, "CUDA_ERROR_JIT_COMPILATION_DISABLED"},
    {Error::unsupported_exec_affinity, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY"},
    {Error::unsupported_dev_side_sync, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC"},
    {Error::contained, "CUDA_ERROR_CONTAINED"},
    {Error::invalid_source, "CUDA_ERROR_INVALID_SOURCE"},
    {Error::file_not_found, "CUDA_ERROR_FILE_NOT_FOUND"},
    {Error::shared_object_symbol_not_found, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND"},
    {Error::shared_object_init_failed, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED"},
    {Error::operating_system, "CUDA_ERROR_OPERATING_SYSTEM"},
    {Error::invalid_resource_handle, "CUDA_ERROR_INVALID_HANDLE"},
    {Error::illegal_state, "CUDA_ERROR_ILLEGAL_STATE"},
    {Error::lossy_query, "CUDA_ERROR_LOSSY_QUERY"},
    {Error::symbol_not_found, "CUDA_ERROR_NOT_FOUND"},
    {Error::not_ready, "CUDA_ERROR_NOT_READY"},
    {Error::illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {Error::launch_out_of_resources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {Error::launch_timeout, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {Error::launch_incompatible_texturing, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING"},
    {Error::peer_access_already_enabled, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"},
    {Error::peer_access_not_enabled, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED"},
    {Error::set_on_active_process, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE"},
    {Error::context_is_destroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED"},
    {Error::assert, "CUDA_ERROR_ASSERT"},
    {Error::too_many_peers, "CUDA_ERROR_TOO_MANY_PEERS"},
    {Error::host_memory_already_registered, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
    {Error::host_memory_not_registered, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
    {Error::hardware_stack_error, "CUDA_ERROR_HARDWARE_STACK_ERROR"},
    {Error::illegal_instruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    {Error::misaligned_address, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {Error::invalid_address_space, "CUDA_ERROR_INVALID_ADDRESS_SPACE"},
    {Error::invalid_pc, "CUDA_ERROR_INVALID_PC"},
    {Error::launch_failure, "CUDA_ERROR_LAUNCH_FAILED"},
    {Error::cooperative_launch_too_large, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
    {Error::tensor_memory_leak, "CUDA_ERROR_TENSOR_MEMORY_LEAK"},
    {Error::not_permitted, "CUDA_ERROR_NOT_PERMITTED"},
    {Error::not_supported, "CUDA_ERROR_NOT_SUPPORTED"},
    {Error::system_not_ready, "CUDA_ERROR_SYSTEM_NOT_READY"},
    {Error::system_driver_mismatch, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
    {Error::compat_not_supported_on_device, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"},
    {Error::mps_connection_failed, "CUDA_ERROR_MPS_CONNECTION_FAILED"},
    {Error::mps_rpc_failure, "CUDA_ERROR_MPS_RPC_FAILURE"},
    {Error::mps_server_not_ready, "CUDA_ERROR_MPS_SERVER_NOT_READY"},
    {Error::mps_max_clients_reached, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED"},
    {Error::mps_max_connections_reached, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED"},
    {Error::mps_client_terminated, "CUDA_ERROR_MPS_CLIENT_TERMINATED"},
    {Error::cdp_not_supported, "CUDA_ERROR_CDP_NOT_SUPPORTED"},
    {Error::cdp_version_mismatch, "CUDA_ERROR_CDP_VERSION_MISMATCH"},
    {Error::stream_capture_unsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
    {Error::stream_capture_invalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
    {Error::stream_capture_merge, "CUDA_ERROR_STREAM_CAPTURE_MERGE"},
    {Error::stream_capture_unmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"},
    {Error::stream_capture_unjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"},
    {Error::stream_capture_isolation, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"},
    {Error::stream_capture_implicit, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"},
    {Error::captured_event, "CUDA_ERROR_CAPTURED_EVENT"},
    {Error::stream_capture_wrong_thread, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD"},
    {Error::timeout, "CUDA_ERROR_TIMEOUT"},
    {Error::graph_exec_update_failure, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"},
    {Error::external_device, "CUDA_ERROR_EXTERNAL_DEVICE"},
    {Error::invalid_cluster_size, "CUDA_ERROR_INVALID_CLUSTER_SIZE"},
    {Error::function_not_loaded, "CUDA_ERROR_FUNCTION_NOT_LOADED"},
    {Error::invalid_resource_type, "CUDA_ERROR_INVALID_RESOURCE_TYPE"},
    {Error::invalid_resource_configuration, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION"},
    {Error::unknown, "CUDA_ERROR_UNKNOWN"},
};

static_assert(std::ranges::is_sorted(kDriverErrors, std::ranges::less{}, &DriverError::error));

}  // namespace

const char* driver_error_name(Error error) {
  const auto* const found = std::ranges::lower_bound(kDriverErrors, error, std::ranges::less{}, &DriverError::error);
  return found != std::end(kDriverErrors) && found->error == error ? found->name : nullptr;
}

const char* name_of_returned(std::string_view function, Error error) {
  const bool is_driver = function.size() > 2 && function.starts_with("cu") && function[2] >= 'A' && function[2] <= 'Z';
  const char* const name = is_driver ? driver_error_name(error) : nullptr;
  return name != nullptr ? name : error_name(error);
}

}  // namespace warpfiber::report
