// SPDX-License-Identifier: Apache-2.0
//
// OpenBLAS starts a thread for each processor when it is loaded. These are ended at once: they would be threads of the
// program that wait for ever, and sums would depend on their number.
#include "dense/blas_library.hpp"

#include <dlfcn.h>

#include <string>

#include "base/system/address_space.hpp"
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
bool find_blas(void* library, const std::string& letter, BlasFunctions<T>& to) {
  return find(library, letter + "gemm_", to.gemm) && find(library, letter + "trmm_", to.trmm) &&
         find(library, letter + "trsm_", to.trsm);
}

template <class T>
bool find_lapack(void* library, const std::string& letter, BlasFunctions<T>& to) {
  const std::string hermitian = letter + (IsComplex<T>::value ? "he" : "sy");
  const std::string unitary = letter + (IsComplex<T>::value ? "un" : "or");
  return find(library, letter + "getrf_", to.getrf) && find(library, letter + "getrs_", to.getrs) &&
         find(library, letter + "potrf_", to.potrf) && find(library, letter + "potrs_", to.potrs) &&
         find(library, letter + "potri_", to.potri) && find(library, letter + "trtri_", to.trtri) &&
         find(library, letter + "geqrf_", to.geqrf) && find(library, unitary + "mqr_", to.ormqr) &&
         find(library, unitary + "gqr_", to.orgqr) && find(library, hermitian + "gst_", to.sygst) &&
         find(library, hermitian + "evd_", to.syevd) && find(library, letter + "gesdd_", to.gesdd);
}

void end_threads(void* library) {
  void (*set_threads)(int) = nullptr;
  int (*end)() = nullptr;
  if (find(library, "openblas_set_num_threads", set_threads)) set_threads(1);
  if (find(library, "blas_thread_shutdown_", end)) end();
}

/// Null: there is none.
void* load(const char* name) {
  if (void* const of_program = ::dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) return of_program;
  void* const library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library != nullptr) end_threads(library);
  return library;
}

}  // namespace

BlasLibrary::BlasLibrary() : BlasLibrary(blas_library_name()) {}

BlasLibrary::BlasLibrary(const char* name) {
  if (*name == '\0') return;
  missing_lapack = MissingLapack::address_space;
  if (!base::has_headroom(kAddressSpace)) return;
  missing_lapack = MissingLapack::file;
  void* const library = load(name);
  if (library == nullptr) return;
  auto& [s, d, c, z] = functions;
  is_there = find_blas(library, "s", s) && find_blas(library, "d", d) && find_blas(library, "c", c) &&
             find_blas(library, "z", z);
  const bool has_lapack = is_there && find_lapack(library, "s", s) && find_lapack(library, "d", d) &&
                          find_lapack(library, "c", c) && find_lapack(library, "z", z);
  missing_lapack = has_lapack ? MissingLapack::nothing : MissingLapack::functions;
  int (*parallel)() = nullptr;
  serves_one_at_a_time = find(library, "openblas_get_parallel", parallel) && parallel() == 0;
}

const char* blas_library_name() {
  return WARPFIBER_BLAS_LIBRARY;
}

const BlasLibrary& blas_library() {
  return DenseState::of_process().blas.get();
}

bool use_blas(BlasUse use) {
  if (use == BlasUse::always && !blas_library().is_there) return false;
  DenseState::of_process().blas_use = use;
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
  const BlasUse use = blas_use();
  if (use == BlasUse::off || multiplications < (use == BlasUse::always ? 1 : kLarge)) return nullptr;
  const BlasLibrary& library = blas_library();
  return library.is_there ? &library : nullptr;
}

}  // namespace warpfiber::dense
