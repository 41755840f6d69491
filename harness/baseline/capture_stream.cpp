#include "baseline/capture_stream.hpp"

#include "device/cuda_driver.hpp"

namespace robust_kbench {

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
  CapturedGraph graph;
  run([&] { graph = capture_graph(m_native, work); });
  return graph;
}

}  // namespace robust_kbench
