// SPDX-License-Identifier: Apache-2.0
//
// The functions of fmt that are no templates, so that a program needs no fmt of its own. In them, as in
// everything that includes fmt here, fmt's inner namespace has a name of its own (cmake/WarpfiberDependencies.cmake): a
// program may link an fmt of another version.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// Templates that format.h declares to be elsewhere, as fmt's own src/format.cc has them.
template FMT_API dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template FMT_API dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);

}  // namespace detail
FMT_END_NAMESPACE
