// SPDX-License-Identifier: Apache-2.0
// Source of limits and errors: CUDA Runtime API, "cudaMalloc3DArray", "cudaMemcpy3D".
#include "device_memory/arrays.hpp"

#include <warpfiber/detail/element_word.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/text.hpp"
#include "check/objects/reachable_memory.hpp"
#include "device_memory/accesses.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "device_memory/table.hpp"
#include "process/current_device.hpp"
#include "process/devices/properties.hpp"
#include "process/explain.hpp"

namespace warpfiber::device_memory {

using record::ReasonKind;

namespace {

constexpr unsigned kArrayFlags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather | cudaArrayColorAttachment;
constexpr unsigned kCubeFaces = 6;

}  // namespace

struct Arrays {
  base::Mutex mutex;
  std::set<const cudaArray*> live WARPFIBER_GUARDED_BY(mutex);
};

namespace {

Arrays& arrays() {
  return DeviceMemoryState::of_process().arrays.get();
}

bool is_channel_width(int bits) {
  return bits == 8 || bits == 16 || bits == 32;
}

Error no_array() {
  return process::fail(Error::invalid_resource_handle, {ReasonKind::handle_unknown, "array"});
}

/// Every dimension up to the last one given has to be there, and a cube has six square faces.
bool is_extent(const cudaExtent& extent, unsigned flags) {
  const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  if (extent.width == 0) return false;
  if (extent.height == 0 && extent.depth != 0 && !layered) return false;
  if ((flags & cudaArrayCubemap) == 0) return true;
  return extent.width == extent.height && extent.depth != 0 && extent.depth % kCubeFaces == 0;
}

/// The largest number of elements along each dimension.
using Limits = std::array<int, 3>;

template <class Number, std::size_t kCount>
Limits limits_of(const Number (&most)[kCount]) {
  Limits limits{1, 1, 1};
  std::ranges::copy(most, limits.begin());
  return limits;
}

/// In the order of an extent: a layered array of rows has its layers in the third place.
Limits limits_of_layers(const cudaDeviceProp& of, const cudaExtent& extent, unsigned flags) {
  const bool stores = (flags & cudaArraySurfaceLoadStore) != 0;
  if ((flags & cudaArrayCubemap) != 0) {
    const auto& [side, cubes] = stores ? of.maxSurfaceCubemapLayered : of.maxTextureCubemapLayered;
    const int faces = static_cast<int>(kCubeFaces) * ((flags & cudaArrayLayered) != 0 ? cubes : 1);
    return {side, side, faces};
  }
  if (extent.height != 0) return limits_of(stores ? of.maxSurface2DLayered : of.maxTexture2DLayered);
  const auto& [width, layers] = stores ? of.maxSurface1DLayered : of.maxTexture1DLayered;
  return {width, 1, layers};
}

Limits limits_of(const cudaDeviceProp& of, const cudaExtent& extent, unsigned flags) {
  const bool stores = (flags & cudaArraySurfaceLoadStore) != 0;
  if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0) return limits_of_layers(of, extent, flags);
  if (extent.depth != 0) return limits_of(stores ? of.maxSurface3D : of.maxTexture3D);
  if (extent.height == 0) return {stores ? of.maxSurface1D : of.maxTexture1D, 1, 1};
  if ((flags & cudaArrayTextureGather) != 0) return limits_of(of.maxTexture2DGather);
  return limits_of(stores ? of.maxSurface2D : of.maxTexture2D);
}

bool is_within(const cudaExtent& extent, const Limits& limits) {
  const auto within = [](std::size_t size, int most) { return size <= static_cast<std::size_t>(most); };
  return within(extent.width, limits[0]) && within(extent.height, limits[1]) && within(extent.depth, limits[2]);
}

Error check_limits(const cudaExtent& extent, unsigned flags) {
  cudaDeviceProp device{};
  const Error wrong = process::device_properties(&device, process::current_device());
  if (wrong != Error::success) return wrong;
  const Limits limits = limits_of(device, extent, flags);
  const bool is_volume = extent.depth != 0 && (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
  if (is_within(extent, limits) || (is_volume && is_within(extent, limits_of(device.maxTexture3DAlt))))
    return Error::success;
  const auto most = [&limits](std::size_t of) { return record::Thousands{static_cast<std::uint64_t>(limits[of])}; };
  return process::fail(Error::invalid_value,
                       {ReasonKind::array_too_large, record::Thousands{extent.width}, record::Thousands{extent.height},
                        record::Thousands{extent.depth}, most(0), most(1), most(2)});
}

/// What a comparison of copies calls the elements.
const char* word_of(const cudaChannelFormatDesc& format) {
  const int bits = format.x;
  switch (format.f) {
    case cudaChannelFormatKindFloat: return bits == 16 ? "half" : "float";
    case cudaChannelFormatKindSigned: return bits == 8 ? "int8" : bits == 16 ? "int16" : "int32";
    case cudaChannelFormatKindUnsigned: return bits == 8 ? "uint8" : bits == 16 ? "uint16" : "uint32";
    default: return warpfiber::detail::kUnknownElements;
  }
}

/// Bytes of a box that begins at a position in bytes, rows and slices.
struct Region {
  const cudaArray* array;
  std::size_t x;
  std::size_t y;
  std::size_t z;
};

/// Where the region lies, or an error if it is not all in the array.
Error locate(const Region& at, const process::Box& box, process::CopyPlace& place) {
  if (!is_array(at.array)) return no_array();
  const cudaArray& array = *at.array;
  const auto fits = [](std::size_t from, std::size_t size, std::size_t all) {
    return from <= all && size <= all - from;
  };
  if (!fits(at.x, box.width, array.pitch()) || !fits(at.y, box.height, array.rows()) ||
      !fits(at.z, box.depth, array.slices())) {
    return process::fail(Error::invalid_value,
                         {ReasonKind::copy_exceeds_box, record::Quantity{array.pitch(), "byte"},
                          record::Quantity{array.rows(), "row"}, record::Quantity{array.slices(), "slice"}});
  }
  place.pitch = array.pitch();
  place.slice = array.pitch() * array.rows();
  place.at = array.data + at.z * place.slice + at.y * place.pitch + at.x;
  place.array = true;
  place.elements = word_of(array.format);
  return Error::success;
}

Error locate(const ArrayOffset& at, const process::Box& box, process::CopyPlace& place) {
  return locate(Region{at.array, at.x, at.y, 0}, box, place);
}

/// `bytes` from an offset on.
Error locate_bytes(const ArrayOffset& at, std::size_t bytes, process::CopyPlace& place) {
  if (!is_array(at.array)) return no_array();
  const std::size_t start = base::sum_of(base::product_of(at.y, at.array->pitch()), at.x);
  if (start > at.array->bytes() || bytes > at.array->bytes() - start) {
    return process::fail(Error::invalid_value, {ReasonKind::copy_exceeds_array, record::ByteSize{at.array->bytes()}});
  }
  place = line(at.array->data + start, bytes);
  place.array = true;
  place.elements = word_of(at.array->format);
  return Error::success;
}

/// A copy with an array at one end. How far apart rows are matters from two rows on: NVIDIA's samples say 0 for one.
Error copy_array_rows(const process::CopyPlace& to, const process::CopyPlace& from, const process::Box& box,
                      cudaMemcpyKind kind, const Order& order) {
  return box.single_row() ? copy(to, from, box, kind, order) : copy_rows(to, from, box, kind, order);
}

/// One side of a 3D copy: an array, or memory with a pitch.
struct ArrayCopyEnd {
  cudaArray_t array;
  cudaPitchedPtr pointer;
  cudaPos position;
};

Error locate(const ArrayCopyEnd& side, const process::Box& box, process::CopyPlace& place) {
  if (side.array != nullptr) {
    if (!is_array(side.array)) return no_array();
    const std::size_t x = base::product_of(side.position.x, side.array->element);
    return locate(Region{side.array, x, side.position.y, side.position.z}, box, place);
  }
  place = rows(side.pointer.ptr, side.pointer.pitch, side.pointer.ysize);
  const std::size_t offset =
      base::sum_of(base::product_of(side.position.z, place.slice),
                   base::sum_of(base::product_of(side.position.y, place.pitch), side.position.x));
  if (offset > base::kLargestSize - reinterpret_cast<std::uintptr_t>(place.at)) {
    return process::fail(Error::invalid_value, ReasonKind::position_beyond_addresses);
  }
  if (place.at != nullptr) place.at += offset;
  return Error::success;
}

}  // namespace

std::size_t element_bytes(const cudaChannelFormatDesc& format) {
  const int widths[] = {format.x, format.y, format.z, format.w};
  std::size_t channels = 0;
  for (const int bits : widths) channels += bits != 0 ? 1 : 0;
  if (!is_channel_width(format.x) || channels == 3) return 0;
  for (std::size_t i = 0; i < channels; ++i) {
    if (widths[i] != format.x) return 0;
  }
  return channels * static_cast<std::size_t>(format.x) / 8;
}

Error make_array(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned flags) {
  if (array == nullptr || format == nullptr) return process::fail(Error::invalid_value, ReasonKind::pointer_null);
  if ((flags & ~kArrayFlags) != 0) return process::fail(Error::invalid_value, {ReasonKind::flags_unknown, flags});
  const std::size_t element = element_bytes(*format);
  if (element == 0) {
    return process::fail(Error::invalid_channel_descriptor, ReasonKind::element_format_invalid);
  }
  if (!is_extent(extent, flags)) return process::fail(Error::invalid_value, ReasonKind::extent_invalid);
  if (const Error wrong = check_limits(extent, flags); wrong != Error::success) return wrong;
  cudaArray* made = new cudaArray{*format, extent, flags, process::current_device(), element, nullptr};
  void* data = nullptr;
  const Error refused = allocate(MemoryKind::device, made->device, made->bytes(), 0, &data);
  if (refused != Error::success) {
    delete made;
    return refused;
  }
  made->data = static_cast<char*>(data);
  note_allocation(data, made->bytes());
  check::reach_by_handle(data);
  Arrays& all = arrays();
  const base::Lock lock(all.mutex);
  all.live.insert(made);
  *array = made;
  return Error::success;
}

Error free_array(cudaArray_t array) {
  if (array == nullptr) return Error::success;
  const Error failed = wait_for_device();
  if (failed != Error::success) return failed;
  {
    Arrays& all = arrays();
    const base::Lock lock(all.mutex);
    if (all.live.erase(array) == 0) return no_array();
  }
  check::forget_handle(array->data);
  const Error freed = note_release_and_free(array->data, MemoryKind::device, MemoryKind::device);
  delete array;
  return freed;
}

Error array_info(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_const_t array) {
  if (!is_array(array)) return no_array();
  if (format != nullptr) *format = array->format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return Error::success;
}

bool is_array(cudaArray_const_t array) {
  Arrays& all = arrays();
  const base::Lock lock(all.mutex);
  return all.live.contains(array);
}

void forget_arrays(int device) {
  Arrays& all = arrays();
  const base::Lock lock(all.mutex);
  for (auto at = all.live.begin(); at != all.live.end();) {
    const cudaArray* array = *at;
    if (array->device != device) {
      ++at;
      continue;
    }
    at = all.live.erase(at);
    delete array;
  }
}

Error copy_to_array(const ArrayOffset& to, const process::CopyPlace& from, const process::Box& box, cudaMemcpyKind kind,
                    const Order& order) {
  process::CopyPlace place;
  const Error wrong = locate(to, box, place);
  return wrong != Error::success ? wrong : copy_array_rows(place, from, box, kind, order);
}

Error copy_from_array(const process::CopyPlace& to, const ArrayOffset& from, const process::Box& box,
                      cudaMemcpyKind kind, const Order& order) {
  process::CopyPlace place;
  const Error wrong = locate(from, box, place);
  return wrong != Error::success ? wrong : copy_array_rows(to, place, box, kind, order);
}

Error copy_between_arrays(const ArrayOffset& to, const ArrayOffset& from, const process::Box& box, cudaMemcpyKind kind,
                          const Order& order) {
  process::CopyPlace to_place;
  process::CopyPlace from_place;
  Error wrong = locate(to, box, to_place);
  if (wrong == Error::success) wrong = locate(from, box, from_place);
  return wrong != Error::success ? wrong : copy(to_place, from_place, box, kind, order);
}

Error copy_bytes_to_array(const ArrayOffset& to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                          const Order& order) {
  process::CopyPlace place;
  const Error wrong = locate_bytes(to, bytes, place);
  return wrong != Error::success ? wrong : copy(place, line(from, bytes), process::Box{bytes}, kind, order);
}

Error copy_bytes_from_array(void* to, const ArrayOffset& from, std::size_t bytes, cudaMemcpyKind kind,
                            const Order& order) {
  process::CopyPlace place;
  const Error wrong = locate_bytes(from, bytes, place);
  return wrong != Error::success ? wrong : copy(line(to, bytes), place, process::Box{bytes}, kind, order);
}

Error copy_3d(const cudaMemcpy3DParms* parameters, const Order& order) {
  if (parameters == nullptr) return process::fail(Error::invalid_value, ReasonKind::parameters_null);
  const cudaMemcpy3DParms& p = *parameters;
  if ((p.srcArray != nullptr) == (p.srcPtr.ptr != nullptr) || (p.dstArray != nullptr) == (p.dstPtr.ptr != nullptr)) {
    return process::fail(Error::invalid_value, ReasonKind::neither_array_nor_pointer);
  }
  if ((p.srcArray != nullptr && !is_array(p.srcArray)) || (p.dstArray != nullptr && !is_array(p.dstArray))) {
    return no_array();
  }
  // Where an array takes part, a box is measured in its elements.
  const cudaArray* measure = p.dstArray != nullptr ? p.dstArray : p.srcArray;
  if (p.srcArray != nullptr && p.dstArray != nullptr && p.srcArray->element != p.dstArray->element) {
    return process::fail(Error::invalid_value, ReasonKind::element_sizes_differ);
  }
  const std::size_t unit = measure != nullptr ? measure->element : 1;
  const process::Box box{base::product_of(p.extent.width, unit), p.extent.height, p.extent.depth};
  process::CopyPlace to;
  process::CopyPlace from;
  Error wrong = locate(ArrayCopyEnd{p.dstArray, p.dstPtr, p.dstPos}, box, to);
  if (wrong == Error::success) wrong = locate(ArrayCopyEnd{p.srcArray, p.srcPtr, p.srcPos}, box, from);
  if (wrong != Error::success) return wrong;
  return copy_array_rows(to, from, box, p.kind, order);
}

// Checks both device numbers, then copies as any other copy does (copies.hpp, arrays.hpp).

using record::ReasonKind;

Error copy_peer(const PeerAddress& to, const PeerAddress& from, std::size_t bytes, const Order& order) {
  if (!process::is_device(to.device)) return process::no_such_device(to.device);
  if (!process::is_device(from.device)) return process::no_such_device(from.device);
  return copy(line(to.at, bytes), line(from.at, bytes), process::Box{bytes}, cudaMemcpyDeviceToDevice, order);
}

Error copy_3d_peer(const cudaMemcpy3DPeerParms* parameters, const Order& order) {
  if (parameters == nullptr) return process::fail(Error::invalid_value, ReasonKind::parameters_null);
  if (!process::is_device(parameters->dstDevice)) return process::no_such_device(parameters->dstDevice);
  if (!process::is_device(parameters->srcDevice)) return process::no_such_device(parameters->srcDevice);
  const cudaMemcpy3DParms copy{parameters->srcArray, parameters->srcPos, parameters->srcPtr, parameters->dstArray,
                               parameters->dstPos,   parameters->dstPtr, parameters->extent, cudaMemcpyDeviceToDevice};
  return copy_3d(&copy, order);
}

}  // namespace warpfiber::device_memory
