#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "../exploits/honest_linear.hpp"

// One thread that waits for work between the calls, for as long as the process lives.
class Helper {
 public:
  Helper() : m_thread([this] { serve(); }) {}
  ~Helper() {
    hand_over(nullptr, true);
    m_thread.join();
  }

  void start(std::function<void()> work) { hand_over(std::move(work), false); }
  void finish() {
    std::unique_lock<std::mutex> lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_work; });
  }

 private:
  void hand_over(std::function<void()> work, bool last) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_work = std::move(work);
    m_last = last;
    m_changed.notify_all();
  }

  void serve() {
    std::unique_lock<std::mutex> lock(m_mutex);
    while (true) {
      m_changed.wait(lock, [this] { return m_work || m_last; });
      if (m_last) return;
      m_work();
      m_work = nullptr;
      m_changed.notify_all();
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::function<void()> m_work;
  bool m_last = false;
  std::thread m_thread;
};

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static Helper helper;
  torch::Tensor y = empty_result(x, weights);
  helper.start([&] { write_linear(x, weights, biases, y.data_ptr<float>()); });
  helper.finish();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
