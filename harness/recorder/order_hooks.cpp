#include <atomic>

#include "recorder/capture.hpp"
#include "recorder/hooks.hpp"
#include "recorder/log.hpp"
#include "recorder/real_driver.hpp"

// Events, which order streams, and captures, in which streams do nothing.
namespace robust_kbench::recorder {
namespace {

std::atomic<int> captures_begun{0};

template <bool per_thread>
int event_record(void* event, void* stream) {
  static const auto next = real<decltype(&event_record<per_thread>)>(
      per_thread ? "cuEventRecord_ptsz" : "cuEventRecord");
  const int result = next(event, stream);
  if (result == 0 && !is_captured({stream, per_thread})) {
    log().record_event({stream, per_thread}, event);
  }
  return result;
}

template <bool per_thread>
int event_record_with_flags(void* event, void* stream, unsigned flags) {
  static const auto next = real<decltype(&event_record_with_flags<per_thread>)>(
      per_thread ? "cuEventRecordWithFlags_ptsz" : "cuEventRecordWithFlags");
  const int result = next(event, stream, flags);
  if (result == 0 && !is_captured({stream, per_thread})) {
    log().record_event({stream, per_thread}, event);
  }
  return result;
}

template <bool per_thread>
int stream_wait_event(void* stream, void* event, unsigned flags) {
  static const auto next = real<decltype(&stream_wait_event<per_thread>)>(
      per_thread ? "cuStreamWaitEvent_ptsz" : "cuStreamWaitEvent");
  const int result = next(stream, event, flags);
  if (result == 0 && !is_captured({stream, per_thread})) {
    log().wait_for_event({stream, per_thread}, event);
  }
  return result;
}

template <bool per_thread>
int begin_capture(void* stream, int mode) {
  static const auto next = real<decltype(&begin_capture<per_thread>)>(
      per_thread ? "cuStreamBeginCapture_v2_ptsz" : "cuStreamBeginCapture_v2");
  const int result = next(stream, mode);
  if (result == 0) ++captures_begun;
  return result;
}

template <bool per_thread>
int end_capture(void* stream, void** graph) {
  static const auto next = real<decltype(&end_capture<per_thread>)>(
      per_thread ? "cuStreamEndCapture_ptsz" : "cuStreamEndCapture");
  const int result = next(stream, graph);
  if (captures_begun > 0) --captures_begun;
  return result;
}

}  // namespace

bool is_captured(StreamName stream) {
  using Ask = int (*)(void*, int*);
  static const auto ask = real<Ask>("cuStreamIsCapturing");
  static const auto ask_per_thread = real<Ask>("cuStreamIsCapturing_ptsz");
  if (captures_begun == 0) return false;
  int status = 0;
  return (stream.per_thread ? ask_per_thread : ask)(stream.handle, &status) == 0 && status != 0;
}

std::vector<Hook> order_hooks() {
  return {hook("cuEventRecord", &event_record<false>),
          hook("cuEventRecord_ptsz", &event_record<true>),
          hook("cuEventRecordWithFlags", &event_record_with_flags<false>),
          hook("cuEventRecordWithFlags_ptsz", &event_record_with_flags<true>),
          hook("cuStreamWaitEvent", &stream_wait_event<false>),
          hook("cuStreamWaitEvent_ptsz", &stream_wait_event<true>),
          hook("cuStreamBeginCapture_v2", &begin_capture<false>, 10010),
          hook("cuStreamBeginCapture_v2_ptsz", &begin_capture<true>, 10010),
          hook("cuStreamEndCapture", &end_capture<false>),
          hook("cuStreamEndCapture_ptsz", &end_capture<true>)};
}

}  // namespace robust_kbench::recorder
