#include "cli/model_run.hpp"

#include <utility>

#include "llm/manual_transport.hpp"
#include "llm/mark_secret.hpp"
#include "llm/replay_transport.hpp"

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

ModelRun::ModelRun(ModelUse& use, const EvolutionSettings& settings, const Archive& archive,
                   const std::string& run, Journal& journal,
                   const std::optional<RecordedRun>& recorded, std::function<bool()> give_up)
    : m_ledger(use.ledger(archive.directory(), settings)) {
  if (recorded) {
    m_recorded =
        std::make_unique<CallStore>(recorded->archive.directory(), Database::Mode::read_only);
    m_own_transport = std::make_unique<ReplayTransport>(*m_recorded, recorded->run);
  } else if (settings.transport == "manual") {
    m_own_transport =
        std::make_unique<ManualTransport>(archive.directory() / "runs" / run, std::move(give_up));
  }
  Transport* transport = m_own_transport.get();
  if (transport == nullptr) transport = &use.helper(settings);
  const std::string secret =
      journal.once("mark_secret", [] { return nlohmann::json(new_mark_secret()); });
  m_client = std::make_unique<ModelClient>(use.store(), m_ledger, *transport, run);
  m_session = std::make_unique<ModelSession>(
      *m_client, journal, secret,
      [&use, &settings] { return std::make_unique<HelperRenderer>(use.helper(settings)); },
      settings.model_seconds);
}

std::optional<std::string> ModelRun::refused() const {
  return m_own_transport ? std::nullopt : m_ledger.exhausted();
}

std::optional<std::string> ModelRun::stopped() const {
  return m_own_transport ? std::nullopt : m_ledger.stopped();
}

std::string ModelRun::left() const {
  return m_own_transport ? "" : to_text(m_ledger.left());
}

}  // namespace robust_kbench
