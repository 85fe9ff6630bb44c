// SPDX-License-Identifier: Apache-2.0
//
// CUDA's names and sentences for errors: one table, ordered by number, and two searches in it.
// The texts are what cudaGetErrorName and cudaGetErrorString of CUDA 13.0 return, so that programs which print them
// print the same here; crosscheck_device compares all of them where a CUDA toolkit is installed.
#include <algorithm>
#include <iterator>

#include <warpfiber/error.hpp>

namespace warpfiber {
namespace {

struct ErrorText {
  Error error;
  const char* name;
  const char* text;
};

constexpr const char* kUnknown = "unrecognized error code";

constexpr ErrorText kErrors[] = {
    {Error::success, "cudaSuccess", "no error"},
    {Error::invalid_value, "cudaErrorInvalidValue", "invalid argument"},
    {Error::memory_allocation, "cudaErrorMemoryAllocation", "out of memory"},
    {Error::initialization_error, "cudaErrorInitializationError", "initialization error"},
    {Error::cudart_unloading, "cudaErrorCudartUnloading", "driver shutting down"},
    {Error::profiler_disabled, "cudaErrorProfilerDisabled", "profiler disabled while using external profiling tool"},
    {Error::profiler_not_initialized, "cudaErrorProfilerNotInitialized",
     "profiler not initialized: call cudaProfilerInitialize()"},
    {Error::profiler_already_started, "cudaErrorProfilerAlreadyStarted", "profiler already started"},
    {Error::profiler_already_stopped, "cudaErrorProfilerAlreadyStopped", "profiler already stopped"},
    {Error::invalid_configuration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {Error::invalid_pitch_value, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {Error::invalid_symbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {Error::invalid_host_pointer, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    {Error::invalid_device_pointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {Error::invalid_texture, "cudaErrorInvalidTexture", "invalid texture reference"},
    {Error::invalid_texture_binding, "cudaErrorInvalidTextureBinding", "texture is not bound to a pointer"},
    {Error::invalid_channel_descriptor, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    {Error::invalid_memcpy_direction, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {Error::address_of_constant, "cudaErrorAddressOfConstant", "invalid address of constant"},
    {Error::texture_fetch_failed, "cudaErrorTextureFetchFailed", "fetch from texture failed"},
    {Error::texture_not_bound, "cudaErrorTextureNotBound", "cannot fetch from a texture that is not bound"},
    {Error::synchronization_error, "cudaErrorSynchronizationError", "incorrect use of __syncthreads()"},
    {Error::invalid_filter_setting, "cudaErrorInvalidFilterSetting",
     "linear filtering not supported for non-float type"},
    {Error::invalid_norm_setting, "cudaErrorInvalidNormSetting",
     "read as normalized float not supported for data type"},
    {Error::mixed_device_execution, "cudaErrorMixedDeviceExecution",
     "device emulation mode and device execution mode cannot be mixed"},
    {Error::not_yet_implemented, "cudaErrorNotYetImplemented", "feature not yet implemented"},
    {Error::memory_value_too_large, "cudaErrorMemoryValueTooLarge",
     "memory size or pointer value too large to fit in 32 bit"},
    {Error::stub_library, "cudaErrorStubLibrary", "CUDA driver is a stub library"},
    {Error::insufficient_driver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {Error::call_requires_newer_driver, "cudaErrorCallRequiresNewerDriver",
     "API call is not supported in the installed CUDA driver"},
    {Error::invalid_surface, "cudaErrorInvalidSurface", "invalid surface reference"},
    {Error::duplicate_variable_name, "cudaErrorDuplicateVariableName",
     "duplicate global variable looked up by string name"},
    {Error::duplicate_texture_name, "cudaErrorDuplicateTextureName", "duplicate texture looked up by string name"},
    {Error::duplicate_surface_name, "cudaErrorDuplicateSurfaceName", "duplicate surface looked up by string name"},
    {Error::devices_unavailable, "cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"},
    {Error::incompatible_driver_context, "cudaErrorIncompatibleDriverContext", "incompatible driver context"},
    {Error::missing_configuration, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
    {Error::prior_launch_failure, "cudaErrorPriorLaunchFailure", "unspecified launch failure in prior launch"},
    {Error::launch_max_depth_exceeded, "cudaErrorLaunchMaxDepthExceeded",
     "launch would exceed maximum depth of nested launches"},
    {Error::launch_file_scoped_tex, "cudaErrorLaunchFileScopedTex",
     "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)"},
    {Error::launch_file_scoped_surf, "cudaErrorLaunchFileScopedSurf",
     "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)"},
    {Error::sync_depth_exceeded, "cudaErrorSyncDepthExceeded",
     "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth"},
    {Error::launch_pending_count_exceeded, "cudaErrorLaunchPendingCountExceeded",
     "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    {Error::invalid_device_function, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {Error::no_device, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {Error::invalid_device, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {Error::device_not_licensed, "cudaErrorDeviceNotLicensed", "device doesn't have valid Grid license"},
    {Error::software_validity_not_established, "cudaErrorSoftwareValidityNotEstablished", "integrity checks failed"},
    {Error::startup_failure, "cudaErrorStartupFailure", "startup failure in cuda runtime"},
    {Error::invalid_kernel_image, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {Error::device_uninitialized, "cudaErrorDeviceUninitialized", "invalid device context"},
    {Error::map_buffer_object_failed, "cudaErrorMapBufferObjectFailed", "mapping of buffer object failed"},
    {Error::unmap_buffer_object_failed, "cudaErrorUnmapBufferObjectFailed", "unmapping of buffer object failed"},
    {Error::array_is_mapped, "cudaErrorArrayIsMapped", "array is mapped"},
    {Error::already_mapped, "cudaErrorAlreadyMapped", "resource already mapped"},
    {Error::no_kernel_image_for_device, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {Error::already_acquired, "cudaErrorAlreadyAcquired", "resource already acquired"},
    {Error::not_mapped, "cudaErrorNotMapped", "resource not mapped"},
    {Error::not_mapped_as_array, "cudaErrorNotMappedAsArray", "resource not mapped as array"},
    {Error::not_mapped_as_pointer, "cudaErrorNotMappedAsPointer", "resource not mapped as pointer"},
    {Error::ecc_uncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {Error::unsupported_limit, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    {Error::device_already_in_use, "cudaErrorDeviceAlreadyInUse",
     "exclusive-thread device already in use by a different thread"},
    {Error::peer_access_unsupported, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {Error::invalid_ptx, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {Error::invalid_graphics_context, "cudaErrorInvalidGraphicsContext", "invalid OpenGL or DirectX context"},
    {Error::nvlink_uncorrectable, "cudaErrorNvlinkUncorrectable",
     "uncorrectable NVLink error detected during the execution"},
    {Error::jit_compiler_not_found, "cudaErrorJitCompilerNotFound", "PTX JIT compiler library not found"},
    {Error::unsupported_ptx_version, "cudaErrorUnsupportedPtxVersion",
     "the provided PTX was compiled with an unsupported toolchain."},
    {Error::jit_compilation_disabled, "cudaErrorJitCompilationDisabled", "PTX JIT compilation was disabled"},
    {Error::unsupported_exec_affinity, "cudaErrorUnsupportedExecAffinity",
     "the provided execution affinity is not supported"},
    {Error::unsupported_dev_side_sync, "cudaErrorUnsupportedDevSideSync",
     "the provided PTX contains unsupported call to cudaDeviceSynchronize"},
    {Error::contained, "cudaErrorContained", "Invalid access of peer GPU memory over nvlink or a hardware error"},
    {Error::invalid_source, "cudaErrorInvalidSource", "device kernel image is invalid"},
    {Error::file_not_found, "cudaErrorFileNotFound", "file not found"},
    {Error::shared_object_symbol_not_found, "cudaErrorSharedObjectSymbolNotFound", "shared object symbol not found"},
    {Error::shared_object_init_failed, "cudaErrorSharedObjectInitFailed", "shared object initialization failed"},
    {Error::operating_system, "cudaErrorOperatingSystem", "OS call failed or operation not supported on this OS"},
    {Error::invalid_resource_handle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {Error::illegal_state, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    {Error::lossy_query, "cudaErrorLossyQuery", "attempted introspection would be semantically lossy"},
    {Error::symbol_not_found, "cudaErrorSymbolNotFound", "named symbol not found"},
    {Error::not_ready, "cudaErrorNotReady", "device not ready"},
    {Error::illegal_address, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {Error::launch_out_of_resources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {Error::launch_timeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {Error::launch_incompatible_texturing, "cudaErrorLaunchIncompatibleTexturing",
     "launch uses incompatible texturing mode"},
    {Error::peer_access_already_enabled, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {Error::peer_access_not_enabled, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {Error::set_on_active_process, "cudaErrorSetOnActiveProcess", "cannot set while device is active in this process"},
    {Error::context_is_destroyed, "cudaErrorContextIsDestroyed", "context is destroyed"},
    {Error::assert, "cudaErrorAssert", "device-side assert triggered"},
    {Error::too_many_peers, "cudaErrorTooManyPeers", "peer mapping resources exhausted"},
    {Error::host_memory_already_registered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {Error::host_memory_not_registered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {Error::hardware_stack_error, "cudaErrorHardwareStackError", "hardware stack error"},
    {Error::illegal_instruction, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {Error::misaligned_address, "cudaErrorMisalignedAddress", "misaligned address"},
    {Error::invalid_address_space, "cudaErrorInvalidAddressSpace",
     "operation not supported on global/shared address space"},
    {Error::invalid_pc, "cudaErrorInvalidPc", "invalid program counter"},
    {Error::launch_failure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {Error::cooperative_launch_too_large, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {Error::tensor_memory_leak, "cudaErrorTensorMemoryLeak", "tensor memory not completely freed"},
    {Error::not_permitted, "cudaErrorNotPermitted", "operation not permitted"},
    {Error::not_supported, "cudaErrorNotSupported", "operation not supported"},
    {Error::system_not_ready, "cudaErrorSystemNotReady", "system not yet initialized"},
    {Error::system_driver_mismatch, "cudaErrorSystemDriverMismatch",
     "system has unsupported display driver / cuda driver combination"},
    {Error::compat_not_supported_on_device, "cudaErrorCompatNotSupportedOnDevice",
     "forward compatibility was attempted on non supported HW"},
    {Error::mps_connection_failed, "cudaErrorMpsConnectionFailed",
     "MPS client failed to connect to the MPS control daemon or the MPS server"},
    {Error::mps_rpc_failure, "cudaErrorMpsRpcFailure",
     "the remote procedural call between the MPS server and the MPS client failed"},
    {Error::mps_server_not_ready, "cudaErrorMpsServerNotReady",
     "MPS server is not ready to accept new MPS client requests"},
    {Error::mps_max_clients_reached, "cudaErrorMpsMaxClientsReached",
     "the hardware resources required to create MPS client have been exhausted"},
    {Error::mps_max_connections_reached, "cudaErrorMpsMaxConnectionsReached",
     "the hardware resources required to support device connections have been exhausted"},
    {Error::mps_client_terminated, "cudaErrorMpsClientTerminated", "the MPS client has been terminated by the server"},
    {Error::cdp_not_supported, "cudaErrorCdpNotSupported",
     "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it"},
    {Error::cdp_version_mismatch, "cudaErrorCdpVersionMismatch",
     "unsupported interaction between different versions of CUDA Dynamic Parallelism"},
    {Error::stream_capture_unsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {Error::stream_capture_invalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {Error::stream_capture_merge, "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {Error::stream_capture_unmatched, "cudaErrorStreamCaptureUnmatched",
     "capture was not ended in the same stream as it began"},
    {Error::stream_capture_unjoined, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {Error::stream_capture_isolation, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {Error::stream_capture_implicit, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {Error::captured_event, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {Error::stream_capture_wrong_thread, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
    {Error::timeout, "cudaErrorTimeout", "wait operation timed out"},
    {Error::graph_exec_update_failure, "cudaErrorGraphExecUpdateFailure",
     "the graph update was not performed because it included changes which violated constraints specific to "
     "instantiated graph update"},
    {Error::external_device, "cudaErrorExternalDevice",
     "an async error has occured in external entity outside of CUDA"},
    {Error::invalid_cluster_size, "cudaErrorInvalidClusterSize",
     "a kernel launch error has occurred due to cluster misconfiguration"},
    {Error::function_not_loaded, "cudaErrorFunctionNotLoaded",
     "the function handle is not loaded when calling an API that requires a loaded function"},
    {Error::invalid_resource_type, "cudaErrorInvalidResourceType",
     "one or more resources passed in are not valid resource types for the operation"},
    {Error::invalid_resource_configuration, "cudaErrorInvalidResourceConfiguration",
     "one or more resources are insufficient or non-applicable for the operation"},
    {Error::unknown, "cudaErrorUnknown", "unknown error"},
    {Error::api_failure_base, "cudaErrorApiFailureBase", "api failure base"},
};

static_assert(std::ranges::is_sorted(kErrors, std::ranges::less{}, &ErrorText::error));

const ErrorText* find(Error error) noexcept {
  const ErrorText* found = std::ranges::lower_bound(kErrors, error, std::ranges::less{}, &ErrorText::error);
  return found != std::end(kErrors) && found->error == error ? found : nullptr;
}

}  // namespace

const char* error_name(Error error) noexcept {
  const ErrorText* found = find(error);
  return found ? found->name : kUnknown;
}

const char* error_string(Error error) noexcept {
  const ErrorText* found = find(error);
  return found ? found->text : kUnknown;
}

}  // namespace warpfiber
