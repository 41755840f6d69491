#include "device/cuda_activities.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>

namespace robust_kbench {
namespace {

// Numbers of cupti_activity.h, and the fields that these kinds of records have shared since CUDA 9.
constexpr std::uint32_t copies = 1;    // CUPTI_ACTIVITY_KIND_MEMCPY
constexpr std::uint32_t memsets = 2;   // CUPTI_ACTIVITY_KIND_MEMSET
constexpr std::uint32_t kernels = 10;  // CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
constexpr std::uint32_t forced = 1;    // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED
struct Record {
  std::uint32_t kind;
  std::uint8_t copy_kind;
  std::array<std::uint8_t, 3> other;
  std::uint64_t bytes;
  std::uint64_t start_ns;
  std::uint64_t end_ns;
};
constexpr std::size_t kernel_name_offset = 104;
constexpr std::array<const char*, 11> copy_kinds{
    "unknown",          "host to device", "device to host",          "host to array",
    "array to host",    "array to array", "array to device",         "device to array",
    "device to device", "host to host",   "device to another device"};

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::size_t buffer_alignment = 8;

using Request = void (*)(std::uint8_t** buffer, std::size_t* bytes, std::size_t* max_records);
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
    for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so",
                             "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"}) {
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
std::mutex activities_mutex;
std::vector<CudaActivity> the_activities;

CudaActivity activity_of(const Record& record) {
  CudaActivity activity{.start_ns = record.start_ns, .end_ns = record.end_ns};
  if (record.kind == kernels) {
    const char* name = nullptr;
    std::memcpy(&name, reinterpret_cast<const std::byte*>(&record) + kernel_name_offset,
                sizeof name);
    activity.name = name == nullptr ? "" : name;
    return activity;
  }
  activity.bytes = record.bytes;
  activity.kind = record.kind == copies ? CudaActivity::Kind::copy : CudaActivity::Kind::memset;
  if (record.kind == copies) {
    activity.name = copy_kinds.at(record.copy_kind < copy_kinds.size() ? record.copy_kind : 0);
  }
  return activity;
}

void give_buffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* max_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
  *bytes = buffer_bytes;
  *max_records = 0;
}

void take_buffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid_bytes) {
  const std::scoped_lock lock(activities_mutex);
  Record* record = nullptr;
  while (cupti().get_next(buffer, valid_bytes, &record) == 0) {
    the_activities.push_back(activity_of(*record));
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
  recorded();
  const std::scoped_lock lock(activities_mutex);
  the_activities.clear();
}

std::vector<CudaActivity> CudaActivities::recorded() {
  cupti().flush(forced);
  const std::scoped_lock lock(activities_mutex);
  std::stable_sort(
      the_activities.begin(), the_activities.end(),
      [](const CudaActivity& a, const CudaActivity& b) { return a.start_ns < b.start_ns; });
  return the_activities;
}

}  // namespace robust_kbench
