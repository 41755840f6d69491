#include "runs/pilots/recorded_backend.hpp"

#include <chrono>
#include <thread>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "evolve/evolution_plan.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds look_for_a_stop_every{5};

}  // namespace

RecordedBackend::RecordedBackend(const std::filesystem::path& file,
                                 const LocalBackendOptions& options)
    : m_ends(options.stop, options.search, options.first_races),
      m_evaluations(parse_json_if_any(read_text(file).value_or(""))) {
  if (!m_evaluations.is_object()) {
    throw UserError(file.string() + " holds no recorded evaluations; name a JSON object of them");
  }
}

Evaluation RecordedBackend::evaluate(EvaluationKind kind, const Candidate& candidate,
                                     const std::map<std::string, const Candidate*>& rivals) {
  (void)rivals;
  const std::stop_token end = m_ends.of(kind);
  const double until = steady_seconds() + m_evaluations.value("seconds", 0.0);
  do {
    if (end.stop_requested()) throw Cancelled();
    if (steady_seconds() >= until) break;
    std::this_thread::sleep_for(look_for_a_stop_every);
  } while (true);
  const auto found = m_evaluations.find(to_string(kind));
  if (found == m_evaluations.end()) {
    throw HarnessError("no evaluation of the kind " + to_string(kind) + " was recorded");
  }
  auto evaluation = found->get<Evaluation>();
  evaluation.record.name = candidate.name;
  evaluation.record.path = candidate.kernel.sources.front();
  if (!evaluation.object_hash.empty()) evaluation.object_hash = sha256("object " + candidate.hash);
  return evaluation;
}

}  // namespace robust_kbench
