#include "baseline/graph_subject.hpp"

#include <utility>
#include <vector>

#include "baseline/capture_stream.hpp"
#include "runner/swept_batch.hpp"
#include "runner/work_graph.hpp"

namespace robust_kbench {
namespace {

class GraphSubject final : public Subject {
 public:
  GraphSubject(std::unique_ptr<Subject> captured, const Arena& arena,
               std::optional<SweepGraph>& sweep)
      : m_arena(arena), m_captured(std::move(captured)), m_sweep(sweep) {}

  Loaded load(const Load& load) override { return m_captured->load(load); }

  void prepare(const std::vector<Call>& calls) override {
    release();  // the batch before may have failed
    m_stream.run([&] {
      m_captured->prepare(calls);
      // A library's setup at its first call cannot be captured.
      if (!m_warm) m_captured->call(0);
    });
    m_warm = true;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      m_graphs.push_back(m_stream.capture([&] { m_captured->call(i); }));
      auto& alone = m_alone.emplace_back(std::make_unique<WorkGraph>());
      alone->append(m_graphs.back().get());
      alone->finish();
    }
  }

  void call(std::size_t index) override { m_alone[index]->launch(); }

  bool prepare_together() override {
    if (m_graphs.empty()) throw SubjectError(Failure::exception, "no batch is prepared");
    const bool fill = begins_with_fill(m_graphs.front());
    m_together.prepare(
        m_sweep, m_arena, fill, m_graphs.size(),
        [&](WorkGraph& batch, std::size_t call) { batch.append(m_graphs[call].get()); });
    return fill;
  }

  void run_together(bool with_calls) override { m_together.run(with_calls); }

  std::vector<std::vector<ResultValue>> collect() override { return m_captured->collect(); }

  void release() override {
    m_together.release();
    m_alone.clear();
    m_graphs.clear();
    m_captured->release();
  }

 private:
  const Arena& m_arena;
  std::unique_ptr<Subject> m_captured;
  CaptureStream m_stream;
  std::vector<CapturedGraph> m_graphs;              // of each call
  std::vector<std::unique_ptr<WorkGraph>> m_alone;  // the same, ready to be launched
  std::optional<SweepGraph>& m_sweep;
  SweptBatch<WorkGraph> m_together;
  bool m_warm = false;
};

}  // namespace

std::unique_ptr<Subject> make_graph_subject(std::unique_ptr<Subject> captured, const Arena& arena,
                                            std::optional<SweepGraph>& sweep) {
  return std::make_unique<GraphSubject>(std::move(captured), arena, sweep);
}

}  // namespace robust_kbench
