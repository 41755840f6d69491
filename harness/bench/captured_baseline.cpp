#include "bench/captured_baseline.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "bench/call_source.hpp"
#include "bench/referee.hpp"
#include "bench/together_time.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/empty_call.hpp"
#include "tensor/torch_cuda.hpp"

namespace robust_kbench {
namespace {

class CapturedRun {
 public:
  explicit CapturedRun(const CapturedBaseline& baseline)
      : m_baseline(baseline),
        m_source(baseline.workload, secret_key(), device_for(true)),
        m_referee(baseline.workload, *baseline.limits) {}

  TogetherTime time() {
    run(1, /*compared=*/true);  // also loads what the first graph needs
    const TogetherAnswer one = run(1, false);
    const std::size_t by_content = m_baseline.batch_bytes / m_source.bytes_per_call();
    const std::size_t most = std::min(
        one.max_calls, std::clamp<std::size_t>(by_content, 1, calls_together(m_baseline.workload)));
    const std::size_t calls = enough_calls(most, one.sample.us);
    run(calls, false);
    TogetherTime time = time_batches(calls, [&] { return run(calls, false).sample; });
    time.add_empty_call(empty_call_us(time.begins_with_fill));
    return time;
  }

 private:
  TogetherAnswer run(std::size_t calls, bool compared) {
    const std::vector<Tensors> content = m_source.batch(calls);
    TogetherAnswer answer = m_baseline.subject.workers.front()->time_together(
        {.load = m_baseline.load,
         .workload = {*m_baseline.subject.task, m_baseline.workload.direction,
                      m_baseline.workload.params},
         .calls = content,
         .keep = compared ? std::optional<std::size_t>(0) : std::nullopt});
    if (compared) check(content.front(), answer.outputs);
    return answer;
  }

  void check(const Tensors& content, const std::vector<at::Tensor>& outputs) {
    const std::vector<at::Tensor> expected = m_referee.expected(content);
    Judgement found =
        m_referee.check_baseline(outputs, expected, m_baseline.subject.tolerance_scale).judgement;
    if (found.passes() || !m_referee.fair(content, expected)) return;
    found.reason = "the captured work is wrong: " + found.reason;
    throw Rejection(std::move(found));
  }

  const CapturedBaseline& m_baseline;
  CallSource m_source;
  Referee m_referee;
};

}  // namespace

EstimateRecord time_captured(const CapturedBaseline& baseline) {
  std::string why;
  try {
    return together_estimate(baseline.subject.name, CapturedRun(baseline).time());
  } catch (const Rejection& rejection) {
    why = rejection.what();
  } catch (const HarnessError& error) {
    why = error.what();
  }
  return {.subject = baseline.subject.name,
          .estimator = std::string(replay_estimator),
          .note = std::move(why)};
}

}  // namespace robust_kbench
