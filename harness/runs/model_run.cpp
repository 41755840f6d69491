#include "runs/model_run.hpp"

#include <utility>

#include "core/scrub.hpp"
#include "prompt/prompt_fence.hpp"
#include "runs/spending_text.hpp"

namespace robust_kbench {

std::vector<std::string> asking_runs(const Archive& archive, const std::string& run) {
  std::vector<std::string> runs{run};
  if (const auto translation = archive.effect(run, "translation")) {
    runs.push_back(translation->get<std::string>());
  }
  return runs;
}

std::vector<CallRow> calls_of(const Archive& archive, const std::string& run) {
  std::vector<CallRow> all;
  for (const std::string& asking : asking_runs(archive, run)) {
    const std::vector<CallRow> calls = archive.calls(asking);
    all.insert(all.end(), calls.begin(), calls.end());
  }
  return all;
}

ModelRun::ModelRun(ModelUse& use, const EvolutionSettings& settings, Journal& journal,
                   std::vector<std::string> places, std::function<bool()> stops)
    : m_ledger(use.ledger(journal.archive(), settings)),
      m_is_paid(!journal.replays() && settings.transport != "manual") {
  const Archive& archive = journal.archive();
  for (const std::string& run : asking_runs(archive, journal.run())) m_ledger.cover(run);
  Transport* transport = nullptr;
  if (m_is_paid) {
    transport = &use.helper(settings);
  } else if (!journal.replays()) {
    m_person =
        std::make_unique<ManualTransport>(archive.directory() / "runs" / journal.run(), stops);
    transport = m_person.get();
  }
  if (!journal.replays()) {
    journal.once("replaced_models", [&] { return use.choices().replaced_models(settings); });
  }
  m_client = std::make_unique<ModelClient>(journal, m_ledger, transport, std::move(stops));
  m_session = std::make_unique<ModelSession>(
      *m_client, journal, mark_secret_of(journal),
      [&use, &settings]() -> Renderer& { return use.helper(settings); }, settings.model_seconds,
      usual_scrubber(archive.directory(), std::move(places)));
}

std::optional<std::string> ModelRun::refused() const {
  return m_is_paid ? m_ledger.exhausted() : std::nullopt;
}

std::optional<std::string> ModelRun::stopped() const {
  return m_is_paid ? m_ledger.stopped() : std::nullopt;
}

std::string ModelRun::spending() const {
  return m_is_paid ? spending_text(m_ledger.spent(), m_ledger.left()) : "";
}

}  // namespace robust_kbench
