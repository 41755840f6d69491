#include "device/cuda_activities.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

namespace robust_kbench {
namespace {

// cupti_activity.h's numbers, and what all records of these kinds begin with since CUDA 8.
constexpr std::uint32_t copies = 1;    // CUPTI_ACTIVITY_KIND_MEMCPY
constexpr std::uint32_t memsets = 2;   // CUPTI_ACTIVITY_KIND_MEMSET
constexpr std::uint32_t kernels = 10;  // CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
constexpr std::uint32_t forced = 1;    // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED
struct Record {
  std::uint32_t kind;
  std::array<std::uint32_t, 3> other;
  std::uint64_t start_ns;
  std::uint64_t end_ns;
};

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::size_t buffer_alignment = 8;

using Request = void (*)(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
using Complete = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer,
                          std::size_t bytes, std::size_t valid_bytes);

struct Cupti {
  int (*enable)(std::uint32_t kind) = nullptr;
  int (*disable)(std::uint32_t kind) = nullptr;
  int (*register_callbacks)(Request, Complete) = nullptr;
  int (*flush)(std::uint32_t flags) = nullptr;
  int (*get_next)(std::uint8_t* buffer, std::size_t bytes, Record** record) = nullptr;
  std::string missing;

  Cupti() {
    void* library = nullptr;
    for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
      if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) {
      missing = "CUPTI is missing; put its directory into LD_LIBRARY_PATH";
      return;
    }
    const auto find = [&](auto& function, const char* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (function == nullptr) missing = std::string("CUPTI has no ") + name;
    };
    find(enable, "cuptiActivityEnable");
    find(disable, "cuptiActivityDisable");
    find(register_callbacks, "cuptiActivityRegisterCallbacks");
    find(flush, "cuptiActivityFlushAll");
    find(get_next, "cuptiActivityGetNextRecord");
  }
};

const Cupti& cupti() {
  static const Cupti functions;
  return functions;
}

// CUPTI completes buffers on a thread of its own.
std::mutex sum_mutex;
CudaActivities::Sum the_sum;

void give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *bytes = buffer_bytes;
  *most_records = 0;
}

void take_buffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid_bytes) {
  const std::scoped_lock lock(sum_mutex);
  Record* record = nullptr;
  while (cupti().get_next(buffer, valid_bytes, &record) == 0) {
    the_sum.microseconds += 1e-3 * static_cast<double>(record->end_ns - record->start_ns);
    ++the_sum.count;
  }
  std::free(buffer);
}

}  // namespace

CudaActivities::CudaActivities() : m_missing(cupti().missing) {
  if (!m_missing.empty()) return;
  int error = cupti().register_callbacks(give_buffer, take_buffer);
  for (const std::uint32_t kind : {kernels, copies, memsets}) error |= cupti().enable(kind);
  if (error != 0) m_missing = "CUPTI refuses to record; may this user read performance counters?";
}

CudaActivities::~CudaActivities() {
  if (!m_missing.empty()) return;
  for (const std::uint32_t kind : {kernels, copies, memsets}) cupti().disable(kind);
}

void CudaActivities::forget() {
  sum();
  const std::scoped_lock lock(sum_mutex);
  the_sum = {};
}

CudaActivities::Sum CudaActivities::sum() {
  cupti().flush(forced);
  const std::scoped_lock lock(sum_mutex);
  return the_sum;
}

}  // namespace robust_kbench
