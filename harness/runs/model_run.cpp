#include "runs/model_run.hpp"

#include <utility>

#include "archive/scrub.hpp"
#include "llm/manual_transport.hpp"
#include "llm/replay_transport.hpp"
#include "prompt/prompt_fence.hpp"
#include "runs/spending_text.hpp"

namespace robust_kbench {
namespace {

// The helper serves all runs of a command.
class HelperRenderer : public Renderer {
 public:
  explicit HelperRenderer(Helper& helper) : m_helper(helper) {}

  Rendered render(const std::string& prompt, const nlohmann::json& data, const std::string& secret,
                  const std::string& call) override {
    return m_helper.render(prompt, data, secret, call);
  }

 private:
  Helper& m_helper;
};

}  // namespace

std::vector<std::string> asking_runs(const Archive& archive, const std::string& run) {
  std::vector<std::string> runs{run};
  if (const auto translation = archive.effect(run, "translation")) {
    runs.push_back(translation->get<std::string>());
  }
  return runs;
}

std::vector<CallRow> calls_of(const CallStore& store, const Archive& archive,
                              const std::string& run) {
  std::vector<CallRow> all;
  for (const std::string& asking : asking_runs(archive, run)) {
    const std::vector<CallRow> calls = store.calls(asking);
    all.insert(all.end(), calls.begin(), calls.end());
  }
  return all;
}

ModelRun::ModelRun(ModelUse& use, const EvolutionSettings& settings, const Archive& archive,
                   const std::string& run, Journal& journal,
                   const std::optional<RecordedRun>& recorded, std::vector<std::string> places,
                   std::function<bool()> stops)
    : m_ledger(use.ledger(archive.directory(), settings)) {
  for (const std::string& asking : asking_runs(archive, run)) m_ledger.cover(asking);
  if (recorded) {
    m_recorded =
        std::make_unique<CallStore>(recorded->archive.directory(), Database::Mode::read_only);
    m_own_transport = std::make_unique<ReplayTransport>(*m_recorded, recorded->run);
  } else if (settings.transport == "manual") {
    m_own_transport = std::make_unique<ManualTransport>(archive.directory() / "runs" / run, stops);
  }
  if (!recorded)
    journal.once("replaced_models", [&] { return use.choices().replaced_models(settings); });
  Transport* transport = m_own_transport.get();
  if (transport == nullptr) transport = &use.helper(settings);
  m_client =
      std::make_unique<ModelClient>(use.store(), m_ledger, *transport, run, std::move(stops));
  m_session = std::make_unique<ModelSession>(
      *m_client, journal, mark_secret_of(journal),
      [&use, &settings] { return std::make_unique<HelperRenderer>(use.helper(settings)); },
      settings.model_seconds, usual_scrubber(archive.directory(), std::move(places)));
}

std::optional<std::string> ModelRun::refused() const {
  return m_own_transport ? std::nullopt : m_ledger.exhausted();
}

std::optional<std::string> ModelRun::stopped() const {
  return m_own_transport ? std::nullopt : m_ledger.stopped();
}

std::string ModelRun::spending() const {
  return m_own_transport ? "" : spending_text(m_ledger.spent(), m_ledger.left());
}

}  // namespace robust_kbench
