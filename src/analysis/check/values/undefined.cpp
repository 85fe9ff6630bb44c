// SPDX-License-Identifier: Apache-2.0
// Numbers that stand for undefined values are recognised again in what threads store, offer or take for an index.
#include "check/values/undefined.hpp"

#include <algorithm>
#include <cstring>

namespace warpfiber::check {
namespace {

std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9U;
  number = (number ^ number >> 27) * 0x94d049bb133111ebU;
  return number ^ number >> 31;
}

// A quiet NaN, which arithmetic hands on with what is in its low bits. Above these a mark that no program puts there.
constexpr unsigned kSlotBits = 12;
constexpr std::uint32_t kNan32 = 0x7fc00000U | 0x2b5U << kSlotBits;
constexpr unsigned kWider = 29;  // bits that the fraction of a double has and that of a float has not
constexpr std::uint64_t kNan64 = std::uint64_t{0x7ff8} << 48 | std::uint64_t{0x2b5} << (kSlotBits + kWider);

std::uint64_t nan_of(ValueKind kind, std::uint64_t slot) {
  return kind == ValueKind::float32 ? kNan32 | slot : kNan64 | slot << kWider;
}

/// The slot in such a NaN, whatever its sign; nothing in other numbers.
std::optional<std::uint64_t> slot_of(ValueKind kind, std::uint64_t bits) {
  const unsigned sign = kind == ValueKind::float32 ? 31 : 63;
  const std::uint64_t slot = (bits >> (kind == ValueKind::float32 ? 0 : kWider)) & ((1U << kSlotBits) - 1);
  if ((bits & ~(std::uint64_t{1} << sign)) != nan_of(kind, slot)) return std::nullopt;
  return slot;
}

bool is_float(ValueKind kind) {
  return kind == ValueKind::float32 || kind == ValueKind::float64;
}

/// Whether `value` comes of the number and the operand by one operation, where `before` may have been added to it.
template <class T>
bool comes_of(T value, T number, T operand, T before) {
  if (value == operand) return false;
  const auto is_value = [=](T result) {
    return result != operand && (value == result || value == static_cast<T>(before + result));
  };
  return is_value(number) || is_value(operand + number) || is_value(number - operand) || is_value(operand - number) ||
         is_value(operand * number) || is_value(operand ^ number) || is_value(operand | number);
}

/// Whether `value` is the number, or its sum with the operand or what was there before, give or take a small number; or
/// a small multiple or part of it.
template <class T>
bool is_near(T value, T number, T operand, T before) {
  constexpr T kSmall = 1024;
  constexpr T kFactors = 16;
  const auto is_by = [=](T result) { return static_cast<T>(value - result + kSmall) <= 2 * kSmall; };
  if (is_by(operand)) return false;
  if (is_by(number) || is_by(operand + number) || is_by(before + number)) return true;
  for (T factor = 2; factor <= kFactors; ++factor) {
    if (value == static_cast<T>(number * factor) || value == number / factor) return true;
  }
  return false;
}

bool is_near(ValueKind kind, std::uint64_t value, std::uint64_t number, std::uint64_t operand, std::uint64_t before) {
  const auto low = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  if (kind == ValueKind::int32) return is_near(low(value), low(number), low(operand), low(before));
  return is_near(value, number, operand, before);
}

bool comes_of(ValueKind kind, std::uint64_t value, std::uint64_t number, std::uint64_t operand, std::uint64_t before) {
  const auto low = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  if (kind == ValueKind::int32) return comes_of(low(value), low(number), low(operand), low(before));
  return comes_of(value, number, operand, before);
}

std::uint64_t load(const void* at, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

}  // namespace

std::uint64_t UndefinedValues::give(const ShuffleCaller& caller, unsigned site, const Operand& operand) {
  ++count_;
  if (is_float(operand.kind)) return nan_of(operand.kind, slot_for(site));
  // Positive and large: no size or index comes near it.
  const std::uint64_t random = mixed(caller.thread << 20 | count_) >> 2;
  const std::uint64_t number = operand.kind == ValueKind::int32 ? (static_cast<std::uint32_t>(random) >> 2 | 1U << 30)
                                                                : (random | std::uint64_t{1} << 62);
  add(caller.thread, Given{site, operand.kind, number, operand.bits});
  receive(caller, operand, number);
  return number;
}

void UndefinedValues::offer(const ShuffleCaller& caller, const Operand& operand) {
  const auto found = given_.find(caller.thread);
  if (found == given_.end()) return;
  const auto from = std::ranges::find_if(found->second, [&](const Given& given) {
    return given.kind == operand.kind && comes_of(given.kind, operand.bits, given.number, given.operand, 0);
  });
  if (from == found->second.end()) return;
  OfWarp& of_warp = offered_[caller.warp];
  of_warp.values[of_warp.count++ % kMostOffered] = Offered{from->site, operand.bits};
}

void UndefinedValues::receive(const ShuffleCaller& caller, const Operand& operand, std::uint64_t value) {
  if (const Offered* taken = find(caller.warp, value)) {
    add(caller.thread, Given{taken->site, operand.kind, value, operand.bits});
  }
  if (const Offered* own = find(caller.warp, operand.bits)) {
    add(caller.thread, Given{own->site, operand.kind, operand.bits, value});
  }
}

std::optional<unsigned> UndefinedValues::stored(std::uint64_t thread, const void* at, std::size_t bytes,
                                                std::uint64_t before) {
  if (const auto site = stored_nan(at, bytes)) return site;
  const auto found = given_.find(thread);
  if (found == given_.end()) return std::nullopt;
  std::vector<Given>& all = found->second;
  const auto used = std::ranges::find_if(all, [&](Given& given) {
    const bool is_as_wide = bytes == (given.kind == ValueKind::int32 ? sizeof(std::uint32_t) : sizeof(std::uint64_t));
    ++given.stores;
    return is_as_wide && is_stored(given, load(at, bytes), before);
  });
  if (used == all.end()) return std::nullopt;
  const unsigned site = used->site;
  all.erase(used);
  if (all.empty()) given_.erase(found);
  return site;
}

/// A value that is near the number may be there by chance: of a million random values one or two are. So it counts only
/// of the first stores, and where many numbers were given only where it comes again.
bool UndefinedValues::is_stored(const Given& given, std::uint64_t value, std::uint64_t before) {
  constexpr unsigned kFirstStores = 4;
  constexpr std::uint64_t kMany = 512;
  if (comes_of(given.kind, value, given.number, given.operand, before)) return true;
  if (given.stores > kFirstStores || !is_near(given.kind, value, given.number, given.operand, before)) return false;
  return ++near_ > count_ / kMany;
}

std::optional<unsigned> UndefinedValues::index_of(std::uint64_t thread, const char* address,
                                                  const std::function<bool(const char*)>& is_object) const {
  const auto found = given_.find(thread);
  if (found == given_.end()) return std::nullopt;
  constexpr std::uint64_t kSizes[] = {1, 2, 4, 8, 12, 16, 24, 32};  // of elements
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto leads_there = [&](std::uint64_t index) {
    return std::ranges::any_of(
        kSizes, [&](std::uint64_t size) { return is_object(reinterpret_cast<const char*>(at - index * size)); });
  };
  for (const Given& given : found->second) {
    if (is_float(given.kind)) continue;
    const auto narrow = static_cast<std::int32_t>(static_cast<std::uint32_t>(given.number));
    const bool extended = given.kind == ValueKind::int32 && narrow < 0;
    if (leads_there(given.number)) return given.site;
    if (extended && leads_there(static_cast<std::uint64_t>(std::int64_t{narrow}))) return given.site;
  }
  return std::nullopt;
}

std::optional<unsigned> UndefinedValues::stored_nan(const void* at, std::size_t bytes) const {
  for (const ValueKind kind : {ValueKind::float32, ValueKind::float64}) {
    const std::size_t size = kind == ValueKind::float32 ? sizeof(float) : sizeof(double);
    for (std::size_t i = 0; i + size <= bytes; i += size) {
      const auto slot = slot_of(kind, load(static_cast<const char*>(at) + i, size));
      if (slot.has_value() && *slot < sites_.size()) return sites_[*slot];
    }
  }
  return std::nullopt;
}

/// The place of a call among those that have given NaNs; the last of very many.
std::uint64_t UndefinedValues::slot_for(unsigned site) {
  const auto known = std::ranges::find(sites_, site);
  if (known == sites_.end() && sites_.size() < (1U << kSlotBits)) sites_.push_back(site);
  const auto place = known - sites_.begin();
  return std::min<std::uint64_t>(static_cast<std::uint64_t>(place), sites_.size() - 1);
}

void UndefinedValues::forget(std::uint64_t first, std::uint64_t last) {
  const auto within = [=](const auto& entry) { return entry.first >= first && entry.first <= last; };
  std::erase_if(given_, within);
  std::erase_if(offered_, within);
}

void UndefinedValues::add(std::uint64_t thread, const Given& given) {
  std::vector<Given>& all = given_[thread];
  if (all.size() == kMostOfThread) all.erase(all.begin());
  all.push_back(given);
}

const UndefinedValues::Offered* UndefinedValues::find(std::uint64_t warp, std::uint64_t bits) const {
  const auto found = offered_.find(warp);
  if (found == offered_.end()) return nullptr;
  const OfWarp& of_warp = found->second;
  const auto end = of_warp.values.begin() + static_cast<std::ptrdiff_t>(std::min(of_warp.count, kMostOffered));
  const auto at = std::find_if(of_warp.values.begin(), end, [=](const Offered& one) { return one.bits == bits; });
  return at == end ? nullptr : &*at;
}

}  // namespace warpfiber::check
