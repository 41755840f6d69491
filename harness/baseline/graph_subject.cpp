#include "baseline/graph_subject.hpp"

#include <utility>
#include <vector>

#include "device/cuda_driver.hpp"

#include <c10/core/impl/VirtualGuardImpl.h>

namespace robust_kbench {
namespace {

// Lets other threads go on during a capture, since torch's autograd has a thread of its own.
constexpr int relaxed_capture = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED

// A capture cannot be made on the default stream, which all other work of torch uses.
class CaptureStream {
 public:
  CaptureStream()
      : m_stream(m_torch.getStreamFromGlobalPool(c10::Device(c10::kCUDA, 0))),
        m_native(m_stream.native_handle()) {}

  // Runs `work` with this stream as torch's current stream.
  template <typename Work>
  void run(const Work& work) {
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

  // Captures `work` as a graph that is ready to be launched.
  template <typename Work>
  CudaDriver::Graph capture(const Work& work) {
    const CudaDriver& driver = cuda_driver();
    CudaDriver::Graph graph = nullptr;
    run([&] {
      driver.check(driver.begin_capture(m_native, relaxed_capture), "cuStreamBeginCapture");
      work();
      driver.check(driver.end_capture(m_native, &graph), "cuStreamEndCapture");
    });
    CudaDriver::Graph executable = nullptr;
    driver.check(driver.instantiate_graph(&executable, graph, 0), "cuGraphInstantiateWithFlags");
    driver.check(driver.destroy_graph(graph), "cuGraphDestroy");
    return executable;
  }

 private:
  c10::impl::VirtualGuardImpl m_torch{c10::DeviceType::CUDA};
  c10::Stream m_stream;
  void* m_native;
};

class GraphSubject final : public Subject {
 public:
  explicit GraphSubject(std::unique_ptr<Subject> captured) : m_captured(std::move(captured)) {}

  Loaded load(const Load& load) override { return m_captured->load(load); }

  void prepare(const std::vector<Call>& calls) override {
    release();  // the batch before may have failed
    m_stream.run([&] {
      m_captured->prepare(calls);
      // A library's setup at its first call cannot be captured.
      if (!std::exchange(m_warm, true)) m_captured->call(0);
    });
    for (std::size_t i = 0; i < calls.size(); ++i) {
      m_graphs.push_back(m_stream.capture([&] { m_captured->call(i); }));
    }
  }

  void call(std::size_t index) override {
    const CudaDriver& driver = cuda_driver();
    driver.check(driver.launch_graph(m_graphs[index], nullptr), "cuGraphLaunch");
  }

  std::vector<std::vector<ResultValue>> collect() override { return m_captured->collect(); }

  void release() override {
    const CudaDriver& driver = cuda_driver();
    for (const CudaDriver::Graph graph : m_graphs) {
      driver.check(driver.destroy_executable(graph), "cuGraphExecDestroy");
    }
    m_graphs.clear();
    m_captured->release();
  }

 private:
  std::unique_ptr<Subject> m_captured;
  CaptureStream m_stream;
  std::vector<CudaDriver::Graph> m_graphs;  // of each call
  bool m_warm = false;
};

}  // namespace

std::unique_ptr<Subject> make_graph_subject(std::unique_ptr<Subject> captured) {
  return std::make_unique<GraphSubject>(std::move(captured));
}

}  // namespace robust_kbench
