#include "compile/audit/symbol_lists.hpp"

namespace robust_kbench {
namespace {

constexpr SymbolList harmless_lists[] = {
    // what compilers refer to by themselves
    {std::nullopt, R"(
      _GLOBAL_OFFSET_TABLE_ __dso_handle __gmon_start__ _ITM_* __TMC_END__ __tls_get_addr
      __stack_chk_fail __stack_chk_guard __assert_fail __assert __assert_perror_fail __errno_location
      __cxa_* __gxx_personality_v0 __gcc_personality_v0 __dynamic_cast __cxxabiv1::* _Unwind_Resume
      _Unwind_Resume_or_Rethrow _Unwind_RaiseException _Unwind_DeleteException __emutls_get_address
      __cpu_model __cpu_indicator_init __cpu_features2 __atomic_* __sync_* __popcount* __clz* __ctz*
      __ffs* __parity* __bswap* __mul* __div* __udiv* __mod* __umod* __powi* __addtf3 __subtf3
      __negtf2 __negdi2 __negti2 __addv* __subv* __negv* __eqtf2 __eqhf2 __netf2 __nehf2 __lttf2
      __letf2 __gttf2 __getf2 __cmpti2 __ucmpti2 __unordtf2 __ashl* __ashr* __lshr* __extend*
      __truncsf* __truncdf* __truncxf* __trunctf* __fix* __float* __libc_single_threaded
      operator* _ZGV*)"},
    // memory, strings, numbers and printing of the C library
    {std::nullopt, R"(
      malloc calloc realloc reallocarray free aligned_alloc posix_memalign memalign valloc
      malloc_usable_size memcpy memmove memset memcmp memchr memrchr memmem mempcpy memccpy rawmemchr
      bcopy bzero bcmp explicit_bzero str* stpcpy stpncpy wcs* wmem* wcp* mb* wc* btowc isw* tow*
      isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper
      isxdigit toascii tolower toupper __ctype_* ato* a64l l64a sscanf vsscanf swscanf abs labs llabs
      imaxabs div ldiv lldiv imaxdiv qsort qsort_r bsearch lfind lsearch tsearch tfind rand rand_r
      srand random srandom random_r srandom_r initstate setstate drand48 erand48 lrand48 nrand48
      mrand48 jrand48 srand48 seed48 lcong48 drand48_r lrand48_r mrand48_r srand48_r
      printf fprintf sprintf snprintf asprintf vprintf vfprintf vsprintf vsnprintf vasprintf wprintf
      fwprintf swprintf puts fputs fputs_unlocked putc putc_unlocked putchar putchar_unlocked fputc
      fputc_unlocked fputws fputwc putwchar fwrite fwrite_unlocked fflush fflush_unlocked perror
      stdout stderr ferror clearerr setvbuf setbuf setlinebuf localeconv setlocale
      abort exit atexit sysconf getpagesize get_nprocs get_nprocs_conf
      pthread_mutex_* pthread_mutexattr_* pthread_rwlock_* pthread_rwlockattr_* pthread_spin_*
      pthread_once pthread_key_* __pthread_key_create pthread_getspecific pthread_setspecific
      pthread_self pthread_equal mtx_* call_once tss_*)"},
    // mathematics; f and l may follow these names
    {std::nullopt, R"(
      acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2
      expm1 fabs fdim finite floor fma fmax fmin fmaximum fminimum fmod frexp gamma hypot ilogb isinf
      isnan j0 j1 jn ldexp lgamma lgamma_r llrint llround log log10 log1p log2 logb lrint lround modf
      nan nearbyint nextafter nextdown nexttoward nextup pow pow10 remainder remquo rint round
      roundeven scalb scalbln scalbn signbit significand sin sincos sinh sqrt tan tanh tgamma trunc
      y0 y1 yn cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog clog10
      conj cpow cproj creal csin csinh csqrt ctan ctanh signgam fegetround fesetround fegetenv
      fesetenv fegetexcept fedisableexcept feclearexcept feraiseexcept fetestexcept feholdexcept
      feupdateenv __signbit __fpclassify __isnan __isinf __finite __issignaling __iseqsig)"},
    // C++, torch and the headers that stand for it
    {std::nullopt, R"(
      std::* __gnu_cxx::* abi::* rkb::* at::* c10::* torch::* caffe2::* pybind11::*
      std::thread::hardware_concurrency std::this_thread::yield __once_proxy)"},
    // CUDA's runtime and libraries
    {std::nullopt, R"(
      __cudaRegister* __cudaUnregisterFatBinary __cudaInitModule __cudaPushCallConfiguration
      __cudaPopCallConfiguration __cudaLaunchKernel* __cudaGetKernel cudaLaunchKernel*
      cudaLaunchCooperativeKernel* cudaMalloc cudaMallocAsync cudaMallocFromPoolAsync cudaMallocPitch
      cudaMalloc3D cudaMallocArray cudaMalloc3DArray cudaMallocMipmappedArray cudaFree cudaFreeAsync
      cudaFreeArray cudaFreeMipmappedArray cudaMemcpy* cudaMemset* cudaMemGetInfo cudaMemPoolCreate
      cudaMemPoolDestroy cudaMemPoolSet* cudaMemPoolGet* cudaMemPoolTrimTo cudaDeviceGetDefaultMemPool
      cudaDeviceGetMemPool cudaDeviceSetMemPool cudaGetLastError cudaPeekAtLastError
      cudaGetErrorString cudaGetErrorName cudaFuncSet* cudaFuncGet* cudaOccupancy*
      cudaDeviceGetAttribute cudaGetDeviceProperties* cudaGetDevice cudaSetDevice cudaGetDeviceCount
      cudaChooseDevice cudaDeviceSynchronize cudaThreadSynchronize cudaDeviceSetLimit
      cudaDeviceGetLimit cudaDeviceSetCacheConfig cudaDeviceGetCacheConfig
      cudaDeviceSetSharedMemConfig cudaDeviceGetSharedMemConfig cudaDeviceGetStreamPriorityRange
      cudaDeviceCanAccessPeer cudaCtxResetPersistingL2Cache cudaStream*
      cudaThreadExchangeStreamCaptureMode cudaEvent* cudaGraph* cudaCreateTextureObject
      cudaDestroyTextureObject cudaGetTextureObject* cudaCreateSurfaceObject cudaDestroySurfaceObject
      cudaCreateChannelDesc cudaGetChannelDesc cudaArrayGet* cudaGetSymbolAddress cudaGetSymbolSize
      cudaPointerGetAttributes cudaRuntimeGetVersion cudaDriverGetVersion cuTensorMap* cublas* cudnn*
      cufft* curand* cusparse* cusolver* cutensor* cusparseLt*)"},
};

}  // namespace

std::span<const SymbolList> lists_of_harmless_symbols() {
  return harmless_lists;
}

}  // namespace robust_kbench
