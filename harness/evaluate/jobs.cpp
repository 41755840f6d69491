#include "evaluate/jobs.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "device/cpu.hpp"

namespace robust_kbench {
namespace {

constexpr int max_jobs = 8;

class Jobs {
 public:
  Jobs(Evaluator& evaluator, const std::vector<KernelSource>& kernels, const JobOptions& options)
      : m_evaluator(evaluator), m_kernels(kernels), m_options(options), m_records(kernels.size()) {}

  std::vector<KernelRecord> run(int jobs) {
    {
      std::vector<std::jthread> others;
      for (int i = 1; i < jobs; ++i) others.emplace_back([this] { submit_in_turn(); });
      submit_in_turn();
    }
    if (m_error) std::rethrow_exception(m_error);
    return std::move(m_records);
  }

 private:
  void submit_in_turn() {
    for (std::size_t i = m_next++; i < m_kernels.size(); i = m_next++) {
      try {
        m_records[i] = m_evaluator.submit(m_kernels[i], m_options.request_of(m_kernels[i]));
      } catch (const UserError&) {
        const std::scoped_lock lock(m_mutex);
        m_error = std::current_exception();
        m_next = m_kernels.size();
        return;
      }
      const std::scoped_lock lock(m_mutex);
      if (m_options.on_done) m_options.on_done(m_kernels[i], m_records[i]);
    }
  }

  Evaluator& m_evaluator;
  const std::vector<KernelSource>& m_kernels;
  const JobOptions& m_options;
  std::atomic<std::size_t> m_next = 0;
  std::mutex m_mutex;
  std::exception_ptr m_error;
  std::vector<KernelRecord> m_records;
};

}  // namespace

int usual_jobs(Device device) {
  if (device != Device::cuda) return 1;
  return std::clamp(static_cast<int>(usable_cpus().size()) / 2, 1, max_jobs);
}

int usual_racing_jobs(Device device) {
  const int jobs = usual_jobs(device);
  return jobs + jobs / 2;
}

std::vector<KernelRecord> evaluate_all(Evaluator& evaluator,
                                       const std::vector<KernelSource>& kernels,
                                       const JobOptions& options) {
  if (kernels.empty()) return {};
  return Jobs(evaluator, kernels, options)
      .run(std::min(options.jobs, static_cast<int>(kernels.size())));
}

}  // namespace robust_kbench
