#pragma once

#include <robust_kbench/cold.h>

// The macros of c10/macros/Macros.h that kernels use.

#if defined(__CUDACC__)
#define C10_HOST __host__
#define C10_DEVICE __device__
#define C10_HOST_DEVICE __host__ __device__
#else
#define C10_HOST
#define C10_DEVICE
#define C10_HOST_DEVICE
#endif

#define C10_LIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 1))
#define C10_UNLIKELY(condition) (__builtin_expect(static_cast<bool>(condition), 0))
#define C10_ALWAYS_INLINE __inline__ __attribute__((always_inline))
#define C10_RESTRICT __restrict__
#define C10_UNUSED __attribute__((unused))
#define C10_EXPORT
#define C10_API
#define TORCH_API

#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME robust_kbench_kernel
#endif
