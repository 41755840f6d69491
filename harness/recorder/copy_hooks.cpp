#include <cstddef>
#include <cstdint>
#include <string>

#include "recorder/capture.hpp"
#include "recorder/hooks.hpp"
#include "recorder/log.hpp"
#include "recorder/real_driver.hpp"
#include "recording/layout.hpp"

// Copies and fills. Each exists for the legacy default stream and for the thread's, and the
// asynchronous ones take a stream.
namespace robust_kbench::recorder {
namespace {

RecordedPlace place_at(std::uint64_t address) {
  return {RecordedPlace::Kind::absolute, 0, address};
}

bool is_of_gpu(std::uint64_t address) {
  constexpr int memory_type = 2;  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
  constexpr std::uint32_t of_gpu = 2;
  static const auto ask = real<int (*)(void*, int, std::uint64_t)>("cuPointerGetAttribute");
  std::uint32_t type = 0;
  return ask(&type, memory_type, address) == 0 && type == of_gpu;
}

void add_upload(StreamName stream, std::uint64_t to, const void* from, std::size_t bytes) {
  if (bytes > recording_layout::most_upload_bytes) {
    log().refuse(ReplayObstacle::Kind::foreign_memory,
                 "an upload of " + std::to_string(bytes) + " bytes; the limit is " +
                     std::to_string(recording_layout::most_upload_bytes));
    return;
  }
  const auto* begin = static_cast<const std::uint8_t*>(from);
  log().add(stream,
            RecordedUpload{.to = place_at(to),
                           .content = {.bytes = {begin, begin + bytes}, .relocations = {}}});
}

void add_copy(StreamName stream, std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  log().add(stream, RecordedCopy{.to = place_at(to), .from = place_at(from), .bytes = bytes});
}

// A copy whose direction its addresses tell.
void add_any_copy(StreamName stream, std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  const bool to_gpu = is_of_gpu(to);
  const bool from_gpu = is_of_gpu(from);
  if (to_gpu && from_gpu) {
    add_copy(stream, to, from, bytes);
  } else if (to_gpu) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): one address space of host and GPU
    add_upload(stream, to, reinterpret_cast<const void*>(from), bytes);
  } else if (from_gpu) {
    log().refuse(ReplayObstacle::Kind::host_reads, "a copy to the host");
  }
}

template <typename Next, typename Record>
int copy_on(StreamName stream, const Next& next, const Record& record) {
  const int result = next();
  if (result == 0 && log().is_on() && !is_captured(stream)) record();
  return result;
}

template <bool per_thread>
int copy_any(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  static const auto next =
      real<decltype(&copy_any<per_thread>)>(per_thread ? "cuMemcpy_ptds" : "cuMemcpy");
  const StreamName stream{nullptr, per_thread};
  return copy_on(
      stream, [&] { return next(to, from, bytes); },
      [&] { add_any_copy(stream, to, from, bytes); });
}

template <bool per_thread>
int copy_any_async(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* handle) {
  static const auto next = real<decltype(&copy_any_async<per_thread>)>(
      per_thread ? "cuMemcpyAsync_ptsz" : "cuMemcpyAsync");
  const StreamName stream{handle, per_thread};
  return copy_on(
      stream, [&] { return next(to, from, bytes, handle); },
      [&] { add_any_copy(stream, to, from, bytes); });
}

template <bool per_thread>
int upload(std::uint64_t to, const void* from, std::size_t bytes) {
  static const auto next =
      real<decltype(&upload<per_thread>)>(per_thread ? "cuMemcpyHtoD_v2_ptds" : "cuMemcpyHtoD_v2");
  const StreamName stream{nullptr, per_thread};
  return copy_on(
      stream, [&] { return next(to, from, bytes); }, [&] { add_upload(stream, to, from, bytes); });
}

template <bool per_thread>
int upload_async(std::uint64_t to, const void* from, std::size_t bytes, void* handle) {
  static const auto next = real<decltype(&upload_async<per_thread>)>(
      per_thread ? "cuMemcpyHtoDAsync_v2_ptsz" : "cuMemcpyHtoDAsync_v2");
  const StreamName stream{handle, per_thread};
  return copy_on(
      stream, [&] { return next(to, from, bytes, handle); },
      [&] { add_upload(stream, to, from, bytes); });
}

template <bool per_thread>
int copy_within(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  static const auto next = real<decltype(&copy_within<per_thread>)>(
      per_thread ? "cuMemcpyDtoD_v2_ptds" : "cuMemcpyDtoD_v2");
  const StreamName stream{nullptr, per_thread};
  return copy_on(
      stream, [&] { return next(to, from, bytes); }, [&] { add_copy(stream, to, from, bytes); });
}

template <bool per_thread>
int copy_within_async(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* handle) {
  static const auto next = real<decltype(&copy_within_async<per_thread>)>(
      per_thread ? "cuMemcpyDtoDAsync_v2_ptsz" : "cuMemcpyDtoDAsync_v2");
  const StreamName stream{handle, per_thread};
  return copy_on(
      stream, [&] { return next(to, from, bytes, handle); },
      [&] { add_copy(stream, to, from, bytes); });
}

template <bool per_thread>
int read_back(void* to, std::uint64_t from, std::size_t bytes) {
  static const auto next = real<decltype(&read_back<per_thread>)>(
      per_thread ? "cuMemcpyDtoH_v2_ptds" : "cuMemcpyDtoH_v2");
  log().refuse(ReplayObstacle::Kind::host_reads, "cuMemcpyDtoH");
  return next(to, from, bytes);
}

template <bool per_thread>
int read_back_async(void* to, std::uint64_t from, std::size_t bytes, void* stream) {
  static const auto next = real<decltype(&read_back_async<per_thread>)>(
      per_thread ? "cuMemcpyDtoHAsync_v2_ptsz" : "cuMemcpyDtoHAsync_v2");
  log().refuse(ReplayObstacle::Kind::host_reads, "cuMemcpyDtoHAsync");
  return next(to, from, bytes, stream);
}

// The names of the fills of one width: synchronous and asynchronous, each for both default streams.
template <typename Word>
constexpr std::array<const char*, 4> fill_names() {
  if constexpr (sizeof(Word) == 1) {
    return {"cuMemsetD8_v2", "cuMemsetD8_v2_ptds", "cuMemsetD8Async", "cuMemsetD8Async_ptsz"};
  } else if constexpr (sizeof(Word) == 2) {
    return {"cuMemsetD16_v2", "cuMemsetD16_v2_ptds", "cuMemsetD16Async", "cuMemsetD16Async_ptsz"};
  } else {
    return {"cuMemsetD32_v2", "cuMemsetD32_v2_ptds", "cuMemsetD32Async", "cuMemsetD32Async_ptsz"};
  }
}

template <typename Word>
void add_fill(StreamName stream, std::uint64_t to, Word value, std::size_t elements) {
  log().add(
      stream,
      RecordedFill{
          .to = place_at(to), .value = value, .element_bytes = sizeof(Word), .elements = elements});
}

template <typename Word, bool per_thread>
int fill(std::uint64_t to, Word value, std::size_t elements) {
  static const auto next =
      real<decltype(&fill<Word, per_thread>)>(fill_names<Word>().at(per_thread ? 1 : 0));
  const StreamName stream{nullptr, per_thread};
  return copy_on(
      stream, [&] { return next(to, value, elements); },
      [&] { add_fill(stream, to, value, elements); });
}

template <typename Word, bool per_thread>
int fill_async(std::uint64_t to, Word value, std::size_t elements, void* handle) {
  static const auto next =
      real<decltype(&fill_async<Word, per_thread>)>(fill_names<Word>().at(per_thread ? 3 : 2));
  const StreamName stream{handle, per_thread};
  return copy_on(
      stream, [&] { return next(to, value, elements, handle); },
      [&] { add_fill(stream, to, value, elements); });
}

template <typename Word>
void add_fill_hooks(std::vector<Hook>& hooks) {
  const auto names = fill_names<Word>();
  hooks.push_back(hook(names.at(0), &fill<Word, false>, 3020));
  hooks.push_back(hook(names.at(1), &fill<Word, true>, 7000));
  hooks.push_back(hook(names.at(2), &fill_async<Word, false>));
  hooks.push_back(hook(names.at(3), &fill_async<Word, true>));
}

}  // namespace

std::vector<Hook> copy_hooks() {
  std::vector<Hook> hooks{hook("cuMemcpy", &copy_any<false>),
                          hook("cuMemcpy_ptds", &copy_any<true>),
                          hook("cuMemcpyAsync", &copy_any_async<false>),
                          hook("cuMemcpyAsync_ptsz", &copy_any_async<true>),
                          hook("cuMemcpyHtoD_v2", &upload<false>, 3020),
                          hook("cuMemcpyHtoD_v2_ptds", &upload<true>, 7000),
                          hook("cuMemcpyHtoDAsync_v2", &upload_async<false>, 3020),
                          hook("cuMemcpyHtoDAsync_v2_ptsz", &upload_async<true>, 7000),
                          hook("cuMemcpyDtoD_v2", &copy_within<false>, 3020),
                          hook("cuMemcpyDtoD_v2_ptds", &copy_within<true>, 7000),
                          hook("cuMemcpyDtoDAsync_v2", &copy_within_async<false>, 3020),
                          hook("cuMemcpyDtoDAsync_v2_ptsz", &copy_within_async<true>, 7000),
                          hook("cuMemcpyDtoH_v2", &read_back<false>, 3020),
                          hook("cuMemcpyDtoH_v2_ptds", &read_back<true>, 7000),
                          hook("cuMemcpyDtoHAsync_v2", &read_back_async<false>, 3020),
                          hook("cuMemcpyDtoHAsync_v2_ptsz", &read_back_async<true>, 7000)};
  add_fill_hooks<std::uint8_t>(hooks);
  add_fill_hooks<std::uint16_t>(hooks);
  add_fill_hooks<std::uint32_t>(hooks);
  return hooks;
}

}  // namespace robust_kbench::recorder
