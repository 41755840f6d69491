#pragma once

#include <functional>

#include "runner/captured_graph.hpp"

#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace robust_kbench {

// A stream on which torch's work is captured. The default stream, which all other work of torch
// uses, cannot be captured.
class CaptureStream {
 public:
  CaptureStream();

  // Runs `work` with this stream as torch's current stream, and waits for its end.
  void run(const std::function<void()>& work);
  // Captures `work` as capture_graph() does.
  CapturedGraph capture(const std::function<void()>& work);

 private:
  c10::impl::VirtualGuardImpl m_torch{c10::DeviceType::CUDA};
  c10::Stream m_stream;
  void* m_native;
};

}  // namespace robust_kbench
