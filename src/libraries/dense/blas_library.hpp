// SPDX-License-Identifier: Apache-2.0
// Functions of BLAS and LAPACK, by their Fortran names, of a shared library that is loaded when an operation first
// needs LAPACK or is large enough for BLAS. Invariants: it computes on the calling thread and keeps no threads of its
// own, unless the program has loaded it before; it is never unloaded. Matrices and sizes are passed as Fortran does, by
// address.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <mutex>
#include <tuple>

#include "base/locks/annotated_mutex.hpp"
#include "dense/dense_state.hpp"
#include "dense/matrix.hpp"

namespace warpfiber::dense {

/// Functions of LAPACK that need memory for real numbers besides where the matrix is complex. The numbers at the end
/// are the lengths of the texts at the beginning.
template <class T>
struct LapackOfValues {
  using Eigenvalues = void(const char*, const char*, const int*, T*, const int*, T*, T*, const int*, int*, const int*,
                           int*, std::size_t, std::size_t);
  using SingularValues = void(const char*, const int*, const int*, T*, const int*, T*, T*, const int*, T*, const int*,
                              T*, const int*, int*, int*, std::size_t);
};
template <class R>
struct LapackOfValues<std::complex<R>> {
  using T = std::complex<R>;
  using Eigenvalues = void(const char*, const char*, const int*, T*, const int*, R*, T*, const int*, R*, const int*,
                           int*, const int*, int*, std::size_t, std::size_t);
  using SingularValues = void(const char*, const int*, const int*, T*, const int*, R*, T*, const int*, T*, const int*,
                              T*, const int*, R*, int*, int*, std::size_t);
};

/// Those of LAPACK are there where `BlasLibrary::missing_lapack` is `nothing`, those of BLAS where `is_there`.
template <class T>
struct BlasFunctions {
  using Gemm = void(const char*, const char*, const int*, const int*, const int*, const T*, const T*, const int*,
                    const T*, const int*, const T*, T*, const int*);
  using OfTriangle = void(const char*, const char*, const char*, const char*, const int*, const int*, const T*,
                          const T*, const int*, T*, const int*);
  using Getrf = void(const int*, const int*, T*, const int*, int*, int*);
  using Getrs = void(const char*, const int*, const int*, const T*, const int*, const int*, T*, const int*, int*,
                     std::size_t);
  using OfCholesky = void(const char*, const int*, T*, const int*, int*, std::size_t);
  using Potrs = void(const char*, const int*, const int*, const T*, const int*, T*, const int*, int*, std::size_t);
  using Trtri = void(const char*, const char*, const int*, T*, const int*, int*, std::size_t, std::size_t);
  using Geqrf = void(const int*, const int*, T*, const int*, T*, T*, const int*, int*);
  using Ormqr = void(const char*, const char*, const int*, const int*, const int*, const T*, const int*, const T*, T*,
                     const int*, T*, const int*, int*, std::size_t, std::size_t);
  using Orgqr = void(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);
  using Sygst = void(const int*, const char*, const int*, T*, const int*, const T*, const int*, int*, std::size_t);

  Gemm* gemm = nullptr;
  OfTriangle* trmm = nullptr;
  OfTriangle* trsm = nullptr;
  Getrf* getrf = nullptr;
  Getrs* getrs = nullptr;
  OfCholesky* potrf = nullptr;
  Potrs* potrs = nullptr;
  OfCholesky* potri = nullptr;
  Trtri* trtri = nullptr;
  Geqrf* geqrf = nullptr;
  Ormqr* ormqr = nullptr;
  Orgqr* orgqr = nullptr;
  Sygst* sygst = nullptr;
  typename LapackOfValues<T>::Eigenvalues* syevd = nullptr;
  typename LapackOfValues<T>::SingularValues* gesdd = nullptr;
};

/// Why there is no LAPACK: the build names no library, the one that it names cannot be loaded, there is too little
/// address space for it, or it has not all functions.
enum class MissingLapack { nothing, name, file, address_space, functions };

struct BlasLibrary {
  /// Looks for the library that the build names.
  BlasLibrary();
  /// Looks for the one of that name; empty: there is none.
  explicit BlasLibrary(const char* name);

  bool is_there = false;
  MissingLapack missing_lapack = MissingLapack::name;
  bool serves_one_at_a_time = false;
  std::tuple<BlasFunctions<float>, BlasFunctions<double>, BlasFunctions<std::complex<float>>,
             BlasFunctions<std::complex<double>>>
      functions;
};

/// The library of the build; empty: there is none.
const char* blas_library_name();

/// The library, loaded if it has not been before.
const BlasLibrary& blas_library();

/// Which operations of BLAS the library computes from now on. False: it is asked for whatever the size, and not there.
bool use_blas(BlasUse use);

/// What use_blas() was given last; before that, what the environment says (WARPFIBER_BLAS).
BlasUse blas_use();

/// Null: what needs so many multiplications is left to loops.
const BlasLibrary* blas_for(double multiplications);

/// The functions for one operation, for as long as this lives.
template <class T>
class BlasCall {
 public:
  explicit BlasCall(double multiplications) : BlasCall(blas_for(multiplications)) {}
  explicit BlasCall(const BlasLibrary* library) {
    if (library == nullptr) return;
    functions_ = &std::get<BlasFunctions<T>>(library->functions);
    if (library->serves_one_at_a_time) begin_turn();
  }
  ~BlasCall() {
    if (has_turn_) end_turn();
  }
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;

  explicit operator bool() const { return functions_ != nullptr; }
  const BlasFunctions<T>* operator->() const { return functions_; }

 private:
  // Not analysed: whether there are turns is known only from the library.
  void begin_turn() WARPFIBER_NOT_ANALYSED {
    DenseState::of_process().in_blas.lock();
    has_turn_ = true;
  }
  void end_turn() WARPFIBER_NOT_ANALYSED { DenseState::of_process().in_blas.unlock(); }

  const BlasFunctions<T>* functions_ = nullptr;
  bool has_turn_ = false;
};

/// How many multiplications m by k matrices times k by n ones are; 0: there are too many rows or columns for the
/// library, whose integers have 32 bits, and some of them count elements.
inline double multiplications(MatrixSize size, std::ptrdiff_t k) {
  constexpr std::ptrdiff_t kMost = 20000;
  if (std::max({size.rows, size.columns, k}) > kMost) return 0;
  return static_cast<double>(size.rows) * static_cast<double>(size.columns) * static_cast<double>(k);
}

}  // namespace warpfiber::dense
