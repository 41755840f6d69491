#include "baseline/capture_stream.hpp"

#include "device/cuda_driver.hpp"

namespace robust_kbench {
namespace {

// Lets other threads go on during a capture, since torch's autograd has a thread of its own.
constexpr int relaxed_capture = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED

}  // namespace

void DestroysGraph::operator()(void* graph) const {
  cuda_driver().destroy_graph(graph);
}

CaptureStream::CaptureStream()
    : m_stream(m_torch.getStreamFromGlobalPool(c10::Device(c10::kCUDA, 0))),
      m_native(m_stream.native_handle()) {}

void CaptureStream::run(const std::function<void()>& work) {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.synchronize(), "cuCtxSynchronize");
  const c10::Stream before = m_torch.exchangeStream(m_stream);
  try {
    work();
  } catch (...) {
    m_torch.exchangeStream(before);
    throw;
  }
  m_torch.exchangeStream(before);
  driver.check(driver.synchronize(), "cuCtxSynchronize");
}

CapturedGraph CaptureStream::capture(const std::function<void()>& work) {
  const CudaDriver& driver = cuda_driver();
  CudaDriver::Graph graph = nullptr;
  run([&] {
    driver.check(driver.begin_capture(m_native, relaxed_capture), "cuStreamBeginCapture");
    try {
      work();
    } catch (...) {
      // A stream whose capture has failed captures until it is told to end.
      if (driver.end_capture(m_native, &graph) == 0) driver.destroy_graph(graph);
      throw;
    }
    driver.check(driver.end_capture(m_native, &graph), "cuStreamEndCapture");
  });
  return CapturedGraph(graph);
}

}  // namespace robust_kbench
