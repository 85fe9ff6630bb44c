// SPDX-License-Identifier: Apache-2.0
//
// OpenBLAS starts a thread for each processor when it is loaded. These are ended at once: they would be threads of the
// program that wait for ever, and sums would depend on their number.
#include "dense/blas_library.hpp"

#include <dlfcn.h>

#include <string>

#include "base/system/headroom.hpp"
#include "process/reporter.hpp"
#include "record/reason.hpp"

namespace warpfiber::dense {
namespace {

// Loops take less than 0.1 ms for so many multiplications, and loading the library takes 14 ms.
constexpr double kLarge = 64.0 * 64 * 64;

// What the library and its buffers take of the address space. It does not return where there is no memory for them.
constexpr std::size_t kAddressSpace = std::size_t{1} << 30;

template <class Function>
bool find(void* library, const std::string& name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(library, name.c_str()));
  return function != nullptr;
}

template <class T>
bool find_all(void* library, const std::string& letter, BlasFunctions<T>& to) {
  const std::string hermitian = letter + (IsComplex<T>::value ? "he" : "sy");
  const std::string unitary = letter + (IsComplex<T>::value ? "un" : "or");
  find(library, letter + "getrf_", to.getrf);
  find(library, letter + "potrf_", to.potrf);
  find(library, letter + "geqrf_", to.geqrf);
  find(library, unitary + "mqr_", to.ormqr);
  find(library, hermitian + "evd_", to.syevd);
  find(library, letter + "gesdd_", to.gesdd);
  return find(library, letter + "gemm_", to.gemm) && find(library, letter + "trmm_", to.trmm) &&
         find(library, letter + "trsm_", to.trsm);
}

void end_threads(void* library) {
  void (*set_threads)(int) = nullptr;
  int (*end)() = nullptr;
  if (find(library, "openblas_set_num_threads", set_threads)) set_threads(1);
  if (find(library, "blas_thread_shutdown_", end)) end();
}

/// Null: there is none, or too little address space for it.
void* load() {
  if (*blas_library_name() == '\0' || !base::has_headroom(kAddressSpace)) return nullptr;
  if (void* const of_program = ::dlopen(blas_library_name(), RTLD_LAZY | RTLD_NOLOAD)) return of_program;
  void* const library = ::dlopen(blas_library_name(), RTLD_LAZY | RTLD_LOCAL);
  if (library != nullptr) end_threads(library);
  return library;
}

}  // namespace

BlasLibrary::BlasLibrary() {
  void* const library = load();
  if (library == nullptr) return;
  is_there = find_all(library, "s", std::get<0>(functions)) && find_all(library, "d", std::get<1>(functions)) &&
             find_all(library, "c", std::get<2>(functions)) && find_all(library, "z", std::get<3>(functions));
  int (*parallel)() = nullptr;
  serves_one_at_a_time = find(library, "openblas_get_parallel", parallel) && parallel() == 0;
}

const char* blas_library_name() {
  return WARPFIBER_BLAS_LIBRARY;
}

bool use_blas(BlasUse use) {
  DenseState& state = DenseState::of_process();
  if (use == BlasUse::always && !state.blas.get().is_there) return false;
  state.blas_use = use;
  return true;
}

BlasUse blas_use() {
  const BlasUse use = DenseState::of_process().blas_use;
  if (use != BlasUse::unset) return use;
  const BlasUse asked = process::library_settings().blas;
  if (use_blas(asked)) return asked;
  const record::Reason complaint{record::ReasonKind::blas_library_missing, blas_library_name()};
  process::print_line({record::ReasonKind::variable_ignored, "WARPFIBER_BLAS", "always", complaint});
  use_blas(BlasUse::large);
  return BlasUse::large;
}

const BlasLibrary* blas_for(double multiplications) {
  DenseState& state = DenseState::of_process();
  const BlasUse use = blas_use();
  if (use == BlasUse::off || multiplications < (use == BlasUse::always ? 1 : kLarge)) return nullptr;
  const BlasLibrary& library = state.blas.get();
  return library.is_there ? &library : nullptr;
}

}  // namespace warpfiber::dense
