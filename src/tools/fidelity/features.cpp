// SPDX-License-Identifier: Apache-2.0
//
// The table itself, in groups, and the search for the features whose words a program uses (words.cpp).
#include "tools/fidelity/fidelity.hpp"

#include <algorithm>
#include <string>

namespace warpfiber::tools::fidelity {
namespace {

using enum Fidelity;

constexpr std::string_view kNoFunction = "the program does not build";
constexpr std::string_view kNotSupported = "cudaErrorNotSupported";

constexpr Feature kFeatures[] = {
    // What threads do together.
    {"barriers of a block", exact, "", "tests/conformance/cooperative_groups/block.cu",
     "__syncthreads __syncthreads_* __barrier_sync* this_thread_block thread_block"},
    {"shuffles, votes, matches, reductions of a warp", exact, "", "tests/conformance/warp_intrinsics.cpp",
     "__shfl __shfl_* __all __any __ballot __all_sync __any_sync __uni_sync __ballot_sync __match_* __reduce_* "
     "__syncwarp "
     "__lanemask_*"},
    {"matrix operations of warps", exact, "", "tests/programs/recorded_wmma.cu",
     "nvcuda::wmma wmma __float_to_tf32 <mma.h> <crt/mma.h>"},
    {"__activemask", approximate, "unspecified on a device; here the lanes that arrive at the call",
     "tests/conformance/cooperative_groups/warp_intrinsics.cu", "__activemask"},
    {"tiles", exact, "", "tests/conformance/cooperative_groups/tile_static.cu",
     "tiled_partition thread_block_tile cooperative_groups::this_thread"},
    {"coalesced groups and partitions by label", exact, "", "tests/conformance/cooperative_groups/labeled.cu",
     "coalesced_threads coalesced_group labeled_partition binary_partition"},
    {"groups of any kind", exact, "", "tests/conformance/cooperative_groups/legacy_thread_group.cu",
     "thread_group cooperative_groups::sync cooperative_groups::thread_rank cooperative_groups::group_size"},
    {"additions to cooperative groups", approximate, "not on any device; as the guide describes them",
     "tests/unit/groups/extensions_test.cpp", "cooperative_groups::stride_partition cooperative_groups::this_block"},
    {"work that one thread of a group does for all", exact, "", "tests/unit/groups/partition_test.cpp",
     "invoke_one invoke_one_broadcast"},
    {"reductions of groups", exact, "floats too: added in the order of NVIDIA's headers",
     "tests/conformance/cooperative_groups/reduce.cu",
     "cooperative_groups::reduce reduce_update_async reduce_store_async"},
    {"scans of groups", exact, "floats too", "tests/conformance/cooperative_groups/scan.cu",
     "cooperative_groups::inclusive_scan* cooperative_groups::exclusive_scan*"},
    {"asynchronous copies of groups", exact, "results; their time is not modelled",
     "tests/conformance/cooperative_groups/memcpy_async.cu",
     "cooperative_groups::memcpy_async cooperative_groups::wait cooperative_groups::wait_prior"},
    {"barriers of the grid", exact, "is_valid() of a plain launch is false, where a device may return true",
     "tests/conformance/cooperative_groups/grid_barrier.cu",
     "this_grid grid_group cudaLaunchCooperativeKernel cudaLaunchAttributeCooperative warpfiber::sync_grid "
     "warpfiber::.cooperative"},
    {"grids of several devices", exact, "removed in CUDA 13", "tests/cuda_runtime/multi_device_test.cpp",
     "this_multi_grid multi_grid_group cudaLaunchCooperativeKernelMultiDevice warpfiber::sync_multi_grid"},
    {"clusters and distributed shared memory", exact, "", "tests/conformance/cooperative_groups/cluster_dsmem.cu",
     "this_cluster cluster_group __cluster_barrier_* __cluster_map_* __cluster_query_* __clusterDim __clusterIdx "
     "__clusterRelative* __clusterGridDim* __clusterSizeInBlocks __cluster_dims__ __block_size__ .map_shared_rank "
     "cudaLaunchAttributeClusterDimension "
     "cudaOccupancyMaxActiveClusters cudaOccupancyMaxPotentialClusterSize warpfiber::sync_cluster "
     "warpfiber::map_shared_rank warpfiber::query_shared_rank warpfiber::cluster_* warpfiber::.cluster"},

    // Launches.
    {"kernels and their launches", exact, "blocks run in any order", "tests/programs/launch_api.cu",
     "__global__ warpfiber::launch"},
    {"traits of extended lambdas", exact, "", "tests/programs/lambda_traits.cu", "__nv_is_extended_*"},
    {"errors of cooperative launches", exact, "", "tests/conformance/cooperative_groups/coop_launch_errors.cu",
     "cudaLaunchCooperativeKernel cudaDevAttrCooperativeLaunch"},
    {"launches by pointer and with attributes", approximate,
     "attributes other than clusters, cooperative launches and events are accepted and change nothing",
     "tests/programs/launch_api.cu", "cudaLaunchKernel cudaLaunchKernelEx cudaLaunchKernelExC cudaLaunchConfig_t"},
    {"attributes and names of kernels", approximate,
     "registers are those passed to nvcc; cache preferences change nothing", "tests/programs/occupancy.cu",
     "cudaFuncGet* cudaFuncSet* cudaGetFuncBySymbol cudaGetKernel cudaKernelSetAttributeForDevice"},
    {"occupancy", exact, "for the registers passed to nvcc; the simulator's compiler allocates none",
     "tests/conformance/cooperative_groups/occupancy.cu", "cudaOccupancy*"},

    // Memory in kernels.
    {"shared memory", exact, "results; bank conflicts are not modelled", "tests/programs/top_k.cu",
     "__shared__ warpfiber::shared warpfiber::dynamic_shared"},
    {"variables of the device, constant memory", exact, "", "tests/programs/symbols.cu",
     "device~variable __constant__ cudaMemcpyToSymbol* cudaMemcpyFromSymbol* cudaGetSymbol*"},
    {"address spaces", exact, "addresses are the host's", "tests/programs/cluster_mail.cu",
     "__isGlobal __isShared __isCtaShared __isConstant __isLocal __isClusterShared __cvta_generic_to_shared "
     "__cvta_generic_to_global __cvta_generic_to_local __cvta_generic_to_constant __cvta_shared_to_generic "
     "__cvta_global_to_generic __cvta_local_to_generic __cvta_constant_to_generic"},
    {"__grid_constant__ parameters", exact, "one object for all threads of the grid",
     "tests/programs/grid_constants.cu",
     "__grid_constant__ __isGridConstant __cvta_generic_to_grid_constant __cvta_grid_constant_to_generic"},
    {"fences", approximate, "memory is as ordered as the host's: reorderings that a weaker model allows do not occur",
     "tests/programs/threadfence_reduction.cu", "__threadfence*"},
    {"loads and stores with cache hints", exact, "hints change nothing",
     "tests/unit/execution/intrinsics/cache_access_test.cpp",
     "__ldg __ldca __ldcg __ldcs __ldlu __ldcv __stwb __stcg __stcs __stwt"},
    {"atomics on integers", exact, "the order of threads is unspecified, as on a device",
     "tests/conformance/atomics.cpp",
     "atomicAdd atomicAdd_* atomicSub* atomicExch* atomicMin* atomicMax* atomicInc* atomicDec* atomicCAS* atomicAnd* "
     "atomicOr* atomicXor* __nv_atomic_*"},
    {"atomics on floats", approximate, "the sum depends on the order, on a device in every run",
     "tests/conformance/atomic_contention.cpp", "float~atomic"},
    {"cuda::atomic, barriers and pipelines of libcu++", exact, "results; weaker memory orders have no visible effect",
     "tests/programs/scoped_atomics.cu", "cuda::* nvcuda::experimental* __pipeline_* __mbarrier_*"},

    // Functions of one thread.
    {"integer, bit and conversion intrinsics", exact, "", "tests/conformance/intrinsics.cpp",
     "__popc* __clz* __ffs* __brev* __byte_perm __funnelshift* __dp4a __dp2a* __mulhi __umulhi __mul64hi __umul64hi "
     "__mul24 __umul24 __fns __rhadd __urhadd __uhadd __float2* __double2* __int2* __uint2* __ll2* __ull2* __int_as* "
     "__uint_as* "
     "__float_as* __double_as* __longlong_as* __hiloint2double __vadd* __vsub* __vabs* __vavg* __vmax* __vmin* __vcmp* "
     "__vset* __vsad* __vneg* __vhadd* __vimax* __vimin* __vibm* __viadd* __sad __usad"},
    {"arithmetic with a rounding in its name", exact, "", "tests/unit/execution/intrinsics/rounding_test.cpp",
     "__fadd_r* __fsub_r* __fmul_r* __fmaf_r* __fdiv_r* __frcp_r* __fsqrt_r* __frsqrt_rn __dadd_r* __dsub_r* __dmul_r* "
     "__fma_r* __ddiv_r* __drcp_r* __dsqrt_r*"},
    {"vectors", exact, "", "tests/unit/execution/intrinsics/vector_types_test.cpp",
     "char1 char2 char3 char4 uchar1 uchar2 uchar3 uchar4 short1 short2 short3 short4 ushort1 ushort2 ushort3 ushort4 "
     "int1 int2 int3 int4 uint1 uint2 uint3 uint4 long1 long2 long3 long4 ulong1 ulong2 ulong3 ulong4 longlong1 "
     "longlong2 longlong3 longlong4 ulonglong1 ulonglong2 ulonglong3 ulonglong4 float1 float2 float3 float4 double1 "
     "double2 double3 double4 make_char* make_uchar* make_short* make_ushort* make_int* make_uint* make_long* "
     "make_ulong* make_float* make_double*"},
    {"half and bfloat16", approximate, "arithmetic is exact; a NaN's bits and fast functions differ",
     "tests/conformance/cooperative_groups/half.cu",
     "half~type half2 __half* __nv_bfloat* nv_bfloat16 nv_bfloat162 __hadd __hadd2* __hadd_* __hmul* __hfma* __hsub* "
     "__hdiv* "
     "__hcmadd __heq* __hne* __hlt* __hle* __hgt* __hge* __habs* __hmax* __hmin* __hb* __his* __low2* __high2* "
     "__lows2* "
     "__highs2* __lowhigh2highlow __floats2* __short2half* __ushort2half* __short2bfloat16* __ushort2bfloat16* "
     "__short_as_* __ushort_as_* __bfloat16* __h2div"},
    {"floating-point numbers of 4 bits", exact, "", "tests/unit/arithmetic/fp4_test.cpp", "__nv_fp4* <cuda_fp4.h>"},
    {"floating-point numbers of 6 bits", exact, "", "tests/programs/narrow_formats.cu", "__nv_fp6* <cuda_fp6.h>"},
    {"floating-point numbers of 8 bits", exact, "", "tests/unit/arithmetic/fp8_test.cpp",
     "__nv_fp8_e4m3 __nv_fp8_e5m2 __nv_fp8_e8m0 __nv_fp8x* __nv_fp8_storage_t __nv_fp8_interpretation_t __nv_cvt_*"},
    {"functions of the mathematical library", approximate, "last bits differ (docs/intrinsics.md, \"Errors\")",
     "tests/conformance/mathematics.cpp",
     "@sin( @cos( @tan( @asin( @acos( @atan( @atan2( @sinh( @cosh( @tanh( @asinh( @acosh( @atanh( @sincos( @sinpi( "
     "@cospi( @sincospi( @tanpi( @exp( @exp2( @exp10( @expm1( @log( @log2( @log10( @log1p( @pow( @cbrt( @rcbrt( "
     "@rsqrt( @hypot( @rhypot( @norm( @rnorm( @norm3d( @norm4d( @rnorm3d( @rnorm4d( @norm3df( @norm4df( @rnorm3df( "
     "@rnorm4df( @erf( @erfc( @erfinv( @erfcinv( @erfcx( @normcdf( @normcdfinv( @tgamma( @lgamma( @j0( @j1( @jn( @y0( "
     "@y1( @yn( @cyl_bessel_i0( @cyl_bessel_i1( @powi("},
    {"functions that round at most once", exact, "square roots and quotients without -use_fast_math",
     "tests/conformance/mathematics.cpp",
     "@sqrt( @fma( @fmod( @remainder( @remquo( @floor( @ceil( @trunc( @round( @rint( @nearbyint( @lround( @llround( "
     "@lrint( @llrint( @fabs( @fdim( @fmax( @fmin( @ldexp( @scalbn( @scalbln( @frexp( @modf( @logb( @ilogb( @copysign( "
     "@nextafter( @nan( @isnan( @isinf( @isfinite( @signbit( __isnan* __isinf* __finite* __isfinite* __signbit* "
     "__saturatef"},
    {"fast functions", approximate, "computed exactly and rounded, where the hardware approximates",
     "tests/conformance/mathematics.cpp",
     "__sinf __cosf __tanf __tanhf __sincosf __expf __exp10f __logf __log2f __log10f __powf __fdividef"},
    {"fused multiply-add by the compiler", approximate,
     "nvcc contracts a * b + c, the simulator's compiler does not: nvcc -fmad=false for equal bits",
     "tests/programs/matrix_mul.cu", "@float @double"},
    {"Thrust", exact, "NVIDIA's own headers, compiled and checked like the program",
     "tests/programs/thrust_algorithms.cu", "thrust <thrust/*"},
    {"CUB", exact, "NVIDIA's own headers, compiled and checked like the program", "tests/programs/cub_primitives.cu",
     "cub <cub/*"},
    {"cuBLAS", approximate, "sums in another order than a device's, so other last digits (docs/cublas.md)",
     "tests/programs/cublas_functions.cu", "<cublas_v2.h> <cublas_api.h> <cublas.h> <cublasXt.h> cublas* cublasXt*"},
    {"cuBLAS: other functions", not_modelled, "CUBLAS_STATUS_NOT_SUPPORTED (docs/cublas.md)", "",
     "cublasXtSspmm cublasXtDspmm cublasXtCspmm cublasXtZspmm cublasXtSetCpu* cublasCgemm3m* cublasZgemm3m "
     "cublasCsyrk3mEx cublasCherk3mEx cublasGemmGroupedBatchedEx cublasSgemmGroupedBatched cublasDgemmGroupedBatched "
     "cublasSgemvBatched cublasSgemvStridedBatched cublasSgeqrfBatched cublasSgelsBatched cublasDgemvBatched "
     "cublasDgemvStridedBatched cublasDgeqrfBatched cublasDgelsBatched cublasCgemvBatched cublasCgemvStridedBatched "
     "cublasCgeqrfBatched cublasCgelsBatched cublasZgemvBatched cublasZgemvStridedBatched cublasZgeqrfBatched "
     "cublasZgelsBatched cublasHSHgemv* cublasHSSgemv* cublasTSTgemv* cublasTSSgemv* cublasCsyrkEx cublasCherkEx "
     "cublasCgemmEx cublasUint8gemmBias cublas*SmCountTarget cublas*LoggerCallback cublasLoggerConfigure "
     "cublas*Emulation*"},
    {"cuBLASLt: products and their epilogues", approximate,
     "sums in another order than a device's, so other last digits (docs/cublas.md)", "tests/cublas/matmul.cu",
     "<cublasLt.h> cublasLtCreate cublasLtDestroy cublasLtGet* cublasLtHandle_t cublasLtMatmul cublasLtMatmulDesc* "
     "cublasLtMatrixLayout* cublasLtMatmulPreference* cublasLtMatmulAlgo* "
     "cublasLtMatmulHeuristicResult_t"},
    {"cuBLASLt: transforms of matrices, logging", not_modelled, "CUBLAS_STATUS_NOT_SUPPORTED", "",
     "cublasLtMatrixTransform* cublasLtLogger* cublasLtHeuristicsCache* cublasLtEmulationDesc*"},
    {"cuFFT", approximate, "within 2e-6 (float) or 4e-15 (double) of a device's, relative to the mean (docs/cufft.md)",
     "tests/cufft/transforms.cu",
     "cufftHandle cufftPlan* cufftMakePlan* cufftExec* cufftCreate cufftDestroy cufftSet* cufftGet* cufftEstimate* "
     "cufftXtMakePlanMany cufftXtGetSizeMany cufftXtExec* cufftXtSetCallback* cufftXtClearCallback cufftXtMalloc "
     "cufftXtMemcpy cufftXtFree cufftXtSetGPUs cufftXtSetWorkArea cudaLibXtDesc cufftCallback* <cufft.h> <cufftXt.h>"},
    {"cuFFT: several devices, queries, half precision", not_modelled, "CUFFT_NOT_SUPPORTED", "",
     "cufftXt* cufft*PlanProperty*"},
    {"cuSPARSE", approximate, "values are rounded once; statuses and patterns equal a device's (docs/cusparse.md)",
     "tests/cusparse/sparse_results.cu",
     "cusparseHandle_t <cusparse.h> cusparseCreate* cusparseDestroy* cusparseSpMV* cusparseSpMM cusparseSpMM_* "
     "cusparseSpGEMM* cusparseSpSV* cusparseSpSM* cusparseSDDMM* cusparseSpVV* cusparseAxpby cusparseGather "
     "cusparseScatter cusparseRot cusparseSparseToDense* cusparseDenseToSparse* cusparseCsr2csc* cusparseXcoo* "
     "cusparseXcsr2coo cusparseXcsrsort* cusparseXcscsort* cusparseXcsrgeam* cusparseXcsrilu02* cusparseXcsric02* "
     "cusparseScsrgeam* cusparseDcsrgeam* cusparseCcsrgeam* cusparseZcsrgeam* cusparseSnnz cusparseDnnz "
     "cusparseCnnz cusparseZnnz cusparseScsrilu02* cusparseDcsrilu02* cusparseCcsrilu02* cusparseZcsrilu02* "
     "cusparseScsric02* cusparseDcsric02* cusparseCcsric02* cusparseZcsric02* cusparseSgtsv* cusparseDgtsv* "
     "cusparseCgtsv* cusparseZgtsv* cusparseSgpsv* cusparseDgpsv* cusparseCgpsv* cusparseZgpsv*"},
    {"cuSPARSE: BSR arrays, colouring, pruning, operators", not_modelled, "CUSPARSE_STATUS_NOT_SUPPORTED", "",
     "cusparseSpMMOp* cusparseXbsr* cusparseXgebsr* cusparseXcsr2bsr* cusparseXcsr2gebsr* cusparseSbsr* "
     "cusparseDbsr* cusparseCbsr* cusparseZbsr* cusparseSgebsr* cusparseDgebsr* cusparseCgebsr* cusparseZgebsr* "
     "cusparseScsr2bsr cusparseDcsr2bsr cusparseCcsr2bsr cusparseZcsr2bsr cusparseScsr2gebsr* cusparseDcsr2gebsr* "
     "cusparseCcsr2gebsr* cusparseZcsr2gebsr* cusparseScsrcolor cusparseDcsrcolor cusparseCcsrcolor "
     "cusparseZcsrcolor cusparseSprune* cusparseDprune* cusparseCprune* cusparseZprune* cusparseSgemvi* "
     "cusparseDgemvi* cusparseCgemvi* cusparseZgemvi*"},
    {"cuSPARSE: functions that CUDA has removed", not_modelled, "CUSPARSE_STATUS_NOT_SUPPORTED", "",
     "cusparseHybMat_t cusparseSolveAnalysisInfo_t csrsv2Info_t csrsm2Info_t csrgemm2Info_t cusparseXcsrgemm* "
     "cusparseConstrainedGeMM* cusparseScsrmv* cusparseScsrmm* cusparseScsrgemm* cusparseScsrsv* cusparseScsrsm* "
     "cusparseShyb* cusparseSdense2* cusparseScsr2dense cusparseScsr2csc cusparseSgthr* cusparseSsctr "
     "cusparseSaxpyi cusparseSdoti cusparseScsrilu0 cusparseScsric0 cusparseDcsrmv* cusparseDcsrmm* "
     "cusparseDcsrgemm* cusparseDcsrsv* cusparseDcsrsm* cusparseDhyb* cusparseDdense2* cusparseDcsr2dense "
     "cusparseDcsr2csc cusparseDgthr* cusparseDsctr cusparseDaxpyi cusparseDdoti cusparseDcsrilu0 cusparseDcsric0 "
     "cusparseCcsrmv* cusparseCcsrmm* cusparseCcsrgemm* cusparseCcsrsv* cusparseCcsrsm* cusparseChyb* "
     "cusparseCdense2* cusparseCcsr2dense cusparseCcsr2csc cusparseCgthr* cusparseCsctr cusparseCaxpyi "
     "cusparseCdoti cusparseCcsrilu0 cusparseCcsric0 cusparseZcsrmv* cusparseZcsrmm* cusparseZcsrgemm* "
     "cusparseZcsrsv* cusparseZcsrsm* cusparseZhyb* cusparseZdense2* cusparseZcsr2dense cusparseZcsr2csc "
     "cusparseZgthr* cusparseZsctr cusparseZaxpyi cusparseZdoti cusparseZcsrilu0 cusparseZcsric0"},
    {"cuSOLVER: factors, eigenvalues, singular values of dense matrices", approximate,
     "residuals near a type's precision, other last digits than a device's (docs/cusolver.md)",
     "tests/programs/cusolver_functions.cu",
     "<cusolverDn.h> <cusolver_common.h> cusolverDnHandle_t cusolverDnCreate cusolverDnDestroy "
     "cusolverDnSetStream syevjInfo_t gesvdjInfo_t cusolverDnSpotr* cusolverDnSgetr* cusolverDnSgeqrf* "
     "cusolverDnSorgqr* cusolverDnSormqr* cusolverDnSsye* cusolverDnSsyg* cusolverDnSgesvd "
     "cusolverDnSgesvd_bufferSize cusolverDnSgesvdj* cusolverDnSgesvda* cusolverDnDpotr* cusolverDnDgetr* "
     "cusolverDnDgeqrf* "
     "cusolverDnDorgqr* cusolverDnDormqr* cusolverDnDsye* cusolverDnDsyg* cusolverDnDgesvd "
     "cusolverDnDgesvd_bufferSize cusolverDnDgesvdj* cusolverDnDgesvda* cusolverDnCpotr* cusolverDnCgetr* "
     "cusolverDnCgeqrf* "
     "cusolverDnCungqr* cusolverDnCunmqr* cusolverDnChee* cusolverDnCheg* cusolverDnCgesvd "
     "cusolverDnCgesvd_bufferSize cusolverDnCgesvdj* cusolverDnCgesvda* cusolverDnZpotr* cusolverDnZgetr* "
     "cusolverDnZgeqrf* "
     "cusolverDnZungqr* cusolverDnZunmqr* cusolverDnZhee* cusolverDnZheg* cusolverDnZgesvd "
     "cusolverDnZgesvd_bufferSize cusolverDnZgesvdj* cusolverDnZgesvda* cusolverDnXpotr* cusolverDnXgetr* "
     "cusolverDnXgeqrf* "
     "cusolverDnXsyevd* cusolverDnXgesvd cusolverDnXgesvd_bufferSize cusolverDnXgesvdp* cusolverDnXtrtri*"},
    {"cuSOLVER: sparse systems", approximate, "their orders and pivots are other than a device's (docs/cusolver.md)",
     "tests/programs/cusolver_sparse.cu",
     "<cusolverSp.h> <cusolverRf.h> <cusolverSp_LOWLEVEL_PREVIEW.h> cusolverSpHandle_t cusolverSpCreate* "
     "cusolverSpDestroy* cusolverSpSetStream cusolverSpGetStream cusolverSpX* cusolverSpScsrlsv* cusolverSpDcsrlsv* "
     "cusolverSpCcsrlsv* cusolverSpZcsrlsv* cusolverSpScsreigvsi* cusolverSpDcsreigvsi* cusolverSpCcsreigvsi* "
     "cusolverSpZcsreigvsi* cusolverSpScsrqr* cusolverSpDcsrqr* cusolverSpCcsrqr* cusolverSpZcsrqr* "
     "cusolverSpScsrlu* cusolverSpDcsrlu* cusolverSpCcsrlu* cusolverSpZcsrlu* cusolverSpScsrchol* "
     "cusolverSpDcsrchol* cusolverSpCcsrchol* cusolverSpZcsrchol* cusolverRfHandle_t cusolverRfCreate "
     "cusolverRfDestroy cusolverRfGet* cusolverRfSet* cusolverRfReset* cusolverRfAnalyze cusolverRfRefactor "
     "cusolverRfAccess* cusolverRfExtract* cusolverRfSolve"},
    {"other functions of cuSOLVER", not_modelled, "CUSOLVER_STATUS_NOT_SUPPORTED (docs/cusolver.md)", "",
     "cusolverSpScsreigs* cusolverSpDcsreigs* cusolverSpCcsreigs* cusolverSpZcsreigs* cusolverSpScsrlsq* "
     "cusolverSpDcsrlsq* cusolverSpCcsrlsq* cusolverSpZcsrlsq* cusolverSpScsrzfd* cusolverSpDcsrzfd* "
     "cusolverSpCcsrzfd* cusolverSpZcsrzfd* cusolverMg* cusolverRfBatch* "
     "<cusolverMg.h> cusolverDnIRS* cusolverDnPotr* cusolverDnGetr* "
     "cusolverDnGeqrf* cusolverDnGesvd* cusolverDnSyevd* "
     "cusolverDnXgeev* cusolverDnXgesvdr* cusolverDnXlarft* cusolverDnXsyevBatched* "
     "cusolverDnXsytrs* cusolverDnSsytr* cusolverDnSgebrd* cusolverDnSlauum* cusolverDnSlaswp "
     "cusolverDnSorgbr* cusolverDnSorgtr* cusolverDnSormtr* cusolverDnDsytr* cusolverDnDgebrd* cusolverDnDlauum* "
     "cusolverDnDlaswp cusolverDnDorgbr* cusolverDnDorgtr* cusolverDnDormtr* cusolverDnCsytr* "
     "cusolverDnCgebrd* cusolverDnClauum* cusolverDnClaswp cusolverDnChetrd* cusolverDnCungbr* "
     "cusolverDnCungtr* cusolverDnCunmtr* cusolverDnZsytr* cusolverDnZgebrd* cusolverDnZlauum* cusolverDnZlaswp "
     "cusolverDnZhetrd* cusolverDnZungbr* cusolverDnZungtr* cusolverDnZunmtr*"},
    {"cuRAND in kernels: bits, uniform numbers", exact, "", "tests/curand/pseudo.cu",
     "@curand( curand4 curand_init curand_uniform* skipahead skipahead_sequence skipahead_subsequence curandState* "
     "<curand_kernel.h>"},
    {"cuRAND in kernels: MTGP32", exact, "with the parameter sets of a CUDA toolkit (docs/curand.md)",
     "tests/curand/mtgp32.cu",
     "curandStateMtgp32* curandMakeMTGP32* curand_mtgp32_specific mtgp32_kernel_params* mtgp32_params_fast* "
     "<curand_mtgp32*"},
    {"cuRAND in kernels: normal numbers", approximate, "within 3e-6 (docs/curand.md)", "tests/curand/pseudo.cu",
     "curand_normal* curand_log_normal*"},
    {"cuRAND in kernels: Poisson numbers", exact, "", "tests/curand/poisson.cu",
     "curand_poisson* curand_discrete* curandCreatePoissonDistribution"},
    {"cuRAND's tables of direction numbers", approximate, "3667 dimensions equal a device's; scrambled sets differ",
     "tests/curand/quasi.cu", "curandGetDirectionVectors* curandGetScrambleConstants*"},
    {"cuRAND's generators of the host", approximate,
     "orderings, offsets and calls equal a device's; MT19937 does not (docs/curand.md)", "tests/curand/orderings.cu",
     "curandGenerator_t curandCreateGenerator* curandGenerate* curandSet* <curand.h>"},
    {"cuRAND: binomial numbers, methods of Poisson numbers", not_modelled, "CURAND_STATUS_TYPE_ERROR", "",
     "curandGenerateBinomial* curandGeneratePoissonMethod"},
    {"complex numbers of cuComplex.h", exact, "except for fused multiply-add", "tests/unit/arithmetic/complex_test.cpp",
     "cuComplex cuFloatComplex cuDoubleComplex make_cu* cuCadd* cuCsub* cuCmul* cuCdiv* cuCabs* cuCreal* cuCimag* "
     "cuConj* cuCfma*"},
    {"inline PTX", approximate,
     "approximations are computed exactly; an instruction that is not modelled is an error of the build",
     "tests/programs/inline_ptx.cu", "@asm @__asm @__asm__"},
    {"clocks", approximate, "monotonic; nanoseconds of the host, not cycles", "tests/programs/hyperq.cu",
     "@clock( @clock64( @globaltimer( __nanosleep"},
    {"printf, assert and trap of kernels", exact, "", "tests/programs/device_io.cu",
     "@printf( @assert( __trap __brkpt cudaLimitPrintfFifoSize"},
    {"the heap of kernels", exact, "", "tests/programs/device_heap.cu",
     "@malloc( @free( @new @delete __nv_aligned_device_malloc cudaLimitMallocHeapSize"},

    // The host's interface.
    {"memory of devices, copies and fills", exact, "", "tests/cuda_runtime/copies_test.cpp",
     "cudaMalloc cudaMallocPitch cudaMalloc3D cudaFree cudaMemGetInfo cudaMemcpy cudaMemcpyAsync cudaMemcpy2D "
     "cudaMemcpy2DAsync cudaMemcpy3D cudaMemcpy3DAsync cudaMemset* cudaPointerGetAttributes"},
    {"pinned and mapped memory", exact, "same address for host and device", "tests/programs/zero_copy.cu",
     "cudaMallocHost cudaFreeHost cudaHost*"},
    {"managed memory", approximate, "one memory: no migration", "tests/programs/unified_tasks.cu",
     "cudaMallocManaged __managed__ cudaMemPrefetchAsync cudaMemAdvise cudaStreamAttachMemAsync"},
    {"pools of memory", approximate, "freed memory is returned at once, whatever the release threshold",
     "tests/cuda_runtime/pools_test.cpp",
     "cudaMallocAsync cudaFreeAsync cudaMallocFromPoolAsync cudaMemPool* cudaDeviceGetDefaultMemPool "
     "cudaDeviceGetMemPool cudaDeviceSetMemPool"},
    {"several devices and peers", exact, "all of one model, all peers of each other", "tests/programs/peer_ring.cu",
     "cudaMemcpyPeer* cudaMemcpy3DPeer* cudaDeviceEnablePeerAccess cudaDeviceDisablePeerAccess cudaDeviceCanAccessPeer "
     "cudaDeviceGetP2PAttribute cudaSetDevice"},
    {"arrays", exact, "", "tests/cuda_runtime/arrays_test.cpp",
     "cudaMallocArray cudaMalloc3DArray cudaFreeArray cudaArrayGetInfo cudaGetChannelDesc cudaCreateChannelDesc "
     "cudaMemcpyToArray* cudaMemcpyFromArray* cudaMemcpyArrayToArray cudaMemcpy2DToArray* cudaMemcpy2DFromArray* "
     "cudaMemcpy2DArrayToArray"},
    {"textures", approximate, "the filter's weights have the device's 9 bits; coordinates may round otherwise",
     "tests/programs/texture_filter.cu",
     "tex1D tex1DLayered tex1Dfetch tex2D tex2DLayered tex2Dgather tex3D texCubemap texCubemapLayered "
     "cudaTextureObject_t cudaCreateTextureObject cudaDestroyTextureObject cudaGetTextureObject*"},
    {"buffers and textures of OpenGL", approximate,
     "copied while they are mapped, and freed when they are not (docs/opengl.md)", "tests/programs/gl_buffers.cu",
     "cudaGL* cudaGraphicsGL* cudaGraphicsMapResources cudaGraphicsUnmapResources cudaGraphicsUnregisterResource "
     "cudaGraphicsResourceSetMapFlags cudaGraphicsResourceGetMappedPointer cudaGraphicsSubResourceGetMappedArray "
     "cuGraphicsGL* cuGLGetDevices <cuda_gl_interop.h> <cudaGL.h>"},
    {"surfaces", exact, "", "tests/cuda_runtime/textures_test.cpp",
     "surf1D* surf2D* surf3D* surfCubemap* cudaSurfaceObject_t cudaCreateSurfaceObject cudaDestroySurfaceObject "
     "cudaGetSurfaceObject*"},
    {"streams and events", approximate, "order is kept; times are the host's, and overlap differs from a device",
     "tests/programs/stream_overlap.cu",
     "cudaStream_t cudaStreamCreate* cudaStreamDestroy cudaStreamSynchronize cudaStreamQuery cudaStreamWaitEvent "
     "cudaStreamCopyAttributes cudaStreamGet* cudaStreamSetAttribute cudaDeviceGetStreamPriorityRange cudaEvent*"},
    {"functions of the host in streams", exact, "", "tests/programs/stream_callbacks.cu",
     "cudaLaunchHostFunc cudaStreamAddCallback"},
    {"properties and limits of devices", approximate,
     "the numbers of a model (docs/devices.md); preferences are stored and change nothing",
     "tests/cuda_runtime/devices_test.cpp",
     "cudaGetDevice* cudaDeviceGetAttribute cudaDeviceGetByPCIBusId cudaDeviceGetPCIBusId cudaDeviceGetLimit "
     "cudaDeviceSetLimit cudaDeviceGetCacheConfig cudaDeviceSetCacheConfig cudaDeviceGetSharedMemConfig "
     "cudaDeviceSetSharedMemConfig cudaChooseDevice cudaSetValidDevices cudaSetDeviceFlags cudaInitDevice "
     "cudaDeviceReset cudaCtxResetPersistingL2Cache cudaDriverGetVersion cudaRuntimeGetVersion"},
    {"errors of the runtime", exact, "as measured (docs/cuda-runtime.md)", "tests/cuda_runtime/errors_test.cpp",
     "cudaGetLastError cudaPeekAtLastError cudaGetErrorName cudaGetErrorString cudaDeviceSynchronize"},
    {"marks for profilers", approximate, "accepted; no effect", "tests/programs/matrix_mul.cu",
     "cudaProfilerStart cudaProfilerStop nvtx* __prof_trigger"},
    {"launches that begin before others end", approximate, "accepted; a kernel begins when those before it have ended",
     "tests/programs/launch_api.cu", "cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion"},

    // Not modelled.
    {"launches from inside kernels", not_modelled, kNotSupported, "",
     "@<<< cudaStreamTailLaunch cudaStreamFireAndForget @cudaLaunchDevice* cudaGetParameterBuffer* "
     "__cudaDeviceSynchronizeDeprecationAvoidance"},
    {"tensor maps", not_modelled, kNoFunction, "", "CUtensorMap cuTensorMap* cp_async_bulk_tensor*"},
    {"graphs and stream capture", not_modelled, kNotSupported, "",
     "cudaGraph_t cudaGraphExec_t cudaGraphNode_t cudaGraphA* cudaGraphC* cudaGraphD* cudaGraphE* cudaGraphG* "
     "cudaGraphH* cudaGraphI* cudaGraphK* cudaGraphL* cudaGraphM* cudaGraphN* cudaGraphR* cudaGraphU* "
     "cudaStreamBeginCapture* cudaStreamEndCapture cudaStreamGetCaptureInfo cudaStreamIsCapturing "
     "cudaStreamUpdateCaptureDependencies cudaThreadExchangeStreamCaptureMode cudaUserObject* "
     "cudaDeviceGetGraphMemAttribute cudaDeviceSetGraphMemAttribute cudaDeviceGraphMemTrim"},
    {"the driver API without modules", exact, "contexts of a device share its memory (docs/driver-api.md)",
     "tests/programs/driver_api.cu",
     "cuInit cuDevice* cuCtx* cuLaunch* cuMemA* cuMemF* cuMemG* cuMemH* cuMemP* cuMemc* cuMems* cuFunc* cuKernel* "
     "cuStream* cuEvent* cuGet* cuOccupancy* cuPointer* cuDriver* cudaGetDriverEntryPoint*"},
    {"modules, green contexts and virtual memory of the driver API", not_modelled, "CUDA_ERROR_NOT_SUPPORTED", "",
     "cuModule* cuLibrary* cuLink* cuGreenCtx* cuCtxFromGreenCtx cuKernelGetLibrary cuFuncGetModule cuMemAddress* "
     "cuMemCreate cuMemRelease cuMemMap cuMemUnmap cuMemSetAccess cuMemExport* cuMemImport* cuGraphAddKernelNode "
     "cuGraphKernelNodeSetAttribute"},
    {"arrays, textures and graphs of the driver API", not_modelled, kNoFunction, "",
     "cuArray* cuTex* cuSurf* cuGraph* cuMipmapped* cudaGetExportTable"},
    {"programs compiled at run time", not_modelled, kNoFunction, "", "<nvrtc.h> nvrtc* nvJitLink* nvPTXCompiler*"},
    {"NVIDIA's libraries", not_modelled, kNoFunction, "",
     "<cudnn* <nccl* <nvshmem* <npp* <cutlass/* <cute/* "
     "cudnn* cutensor* nccl* nvshmem* npp* nvjpeg* cutlass cute"},
    {"MTGP32 on the host", not_modelled, kNoFunction, "", "CURAND_RNG_PSEUDO_MTGP32 curand_mtgp32_single*"},
    {"texture references", not_modelled, "removed in CUDA 12; the program does not build", "",
     "cudaBindTexture* cudaUnbindTexture cudaBindSurface* textureReference surfaceReference"},
    {"mipmapped and sparse arrays, planes", not_modelled, kNotSupported, "",
     "cudaMallocMipmappedArray cudaFreeMipmappedArray cudaGetMipmappedArrayLevel cudaMipmapped* tex1DLod tex2DLod "
     "tex3DLod texCubemapLod tex1DGrad tex2DGrad tex3DGrad cudaArrayGetMemoryRequirements cudaArrayGetPlane "
     "cudaArrayGetSparseProperties cudaGetTextureObjectResourceViewDesc cudaDeviceGetTexture1DLinearMaxWidth"},
    {"batches of copies, questions about ranges", not_modelled, kNotSupported, "",
     "cudaMemcpyBatchAsync cudaMemcpy3DBatchAsync cudaMemPrefetchBatchAsync cudaMemDiscard* cudaMemRangeGetAttribute* "
     "cudaMemGetDefaultMemPool cudaMemGetMemPool cudaMemSetMemPool cudaDeviceGetHostAtomicCapabilities "
     "cudaDeviceGetP2PAtomicCapabilities"},
    {"memory of other processes and of graphics other than OpenGL", not_modelled, kNotSupported, "",
     "cudaIpc* cudaGraphicsEGL* cudaGraphicsD3D* cudaGraphicsVDPAU* cudaEGL* cudaD3D* cudaVDPAU* "
     "cudaGraphicsResourceGetMappedMipmappedArray cuGraphicsSubResourceGetMappedArray cudaImportExternal* "
     "cudaDestroyExternal* "
     "cudaExternalMemory* cudaSignalExternal* cudaWaitExternal* cudaMemPoolExport* cudaMemPoolImport* "
     "cudaDeviceFlushGPUDirectRDMAWrites cudaDeviceGetNvSciSyncAttributes"},
    {"libraries loaded at run time", not_modelled, kNotSupported, "", "cudaLibrary* cudaKernel_t"},
    {"the runtime's logs and notifications", not_modelled, kNotSupported, "",
     "cudaLogs* cudaDeviceRegisterAsyncNotification cudaDeviceUnregisterAsyncNotification"},
};

/// Whether one of the signs, which blanks separate, is among the words.
bool uses(const ProgramWords& words, std::string_view signs) {
  while (!signs.empty()) {
    const std::size_t blank = std::min(signs.find(' '), signs.size());
    std::string sign(signs.substr(0, blank));
    signs.remove_prefix(std::min(blank + 1, signs.size()));
    std::ranges::replace(sign, '~', ' ');
    const bool is_beginning = sign.ends_with('*');
    if (is_beginning) sign.pop_back();
    const auto first = words.lower_bound(sign);
    if (first == words.end()) continue;
    if (is_beginning ? first->starts_with(sign) : *first == sign) return true;
  }
  return false;
}

}  // namespace

std::span<const Feature> features() {
  return kFeatures;
}

std::string_view name_of(Fidelity fidelity) {
  return fidelity == exact ? "exact" : fidelity == approximate ? "approximate" : "not modelled";
}

std::vector<const Feature*> used_in(const std::vector<std::string>& files) {
  const ProgramWords words = words_of(files);
  std::vector<const Feature*> used;
  for (const Feature& feature : features()) {
    if (uses(words, feature.signs)) used.push_back(&feature);
  }
  return used;
}

}  // namespace warpfiber::tools::fidelity
