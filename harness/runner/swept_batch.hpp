#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "ipc/arena.hpp"
#include "runner/serve.hpp"
#include "runner/sweep_graph.hpp"
#include "runner/work_graph.hpp"

namespace robust_kbench {

// A batch of calls as one work of the GPU, with a sweep before each call. Beside it are as many
// empty calls, also behind sweeps. `Graph` is the kind of WorkGraph that holds the calls.
template <typename Graph>
class SweptBatch {
 public:
  // Makes the process's sweep where there is none yet. `append_call` appends the call with this
  // index to a graph. Throws HarnessError where the driver fails.
  template <typename AppendCall>
  void prepare(std::optional<SweepGraph>& sweep, const Arena& arena, bool calls_begin_with_fill,
               std::size_t calls, const AppendCall& append_call) {
    if (!sweep) sweep.emplace();
    sweep->prepare(arena, calls_begin_with_fill);
    m_calls = std::make_unique<Graph>();
    for (std::size_t i = 0; i < calls; ++i) {
      m_calls->append(sweep->alone());
      append_call(*m_calls, i);
    }
    m_calls->finish();
    m_empty_calls = sweep->with_empty_calls(calls);
  }

  // Enqueues the calls, or the empty ones. Throws SubjectError if none are prepared.
  void run(bool with_calls) const {
    if (!m_empty_calls) {
      throw SubjectError(Failure::exception, "the batch was not prepared to run together");
    }
    const WorkGraph& batch = with_calls ? *m_calls : *m_empty_calls;
    batch.launch();
  }

  void release() {
    m_calls.reset();
    m_empty_calls.reset();
  }

 private:
  std::unique_ptr<Graph> m_calls;
  std::unique_ptr<WorkGraph> m_empty_calls;
};

}  // namespace robust_kbench
