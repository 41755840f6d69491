#include "llm/model_client.hpp"

#include <utility>

#include "core/cancelled.hpp"

namespace robust_kbench {
namespace {

// Records the attempts of one question in the ledger.
class LedgerGate : public AttemptGate {
 public:
  LedgerGate(Ledger& ledger, CallIdentity identity, const std::function<bool()>& stops)
      : m_ledger(ledger), m_identity(std::move(identity)), m_stops(stops) {}

  bool grant(const std::string& host, const Reservation& reservation) override {
    if (m_stops()) return false;
    CallRow row = m_ledger.reserve(m_identity, host, reservation);
    const bool granted = row.state == CallState::reserved;
    if (granted && m_stops()) {  // it may have waited for room
      m_ledger.settle(row, {.status = "interrupted", .is_billable = false});
      return false;
    }
    if (!granted) m_refusal = row.message;
    if (granted) m_open = std::move(row);
    return granted;
  }

  void ended(const AttemptEnd& end) override {
    m_ledger.settle(*m_open, end);
    m_open.reset();
  }

  // Closes the open attempt of a transport that has failed.
  void abandon() {
    if (m_open) m_ledger.abandon(*m_open, "the helper ended before the attempt did");
  }

  // The reason why the last attempt was not granted.
  [[nodiscard]] const std::string& refusal() const { return m_refusal; }

 private:
  Ledger& m_ledger;
  const CallIdentity m_identity;
  const std::function<bool()>& m_stops;
  std::optional<CallRow> m_open;
  std::string m_refusal;
};

bool is_failure(ModelOutcome outcome) {
  return outcome == ModelOutcome::error || outcome == ModelOutcome::not_granted;
}

}  // namespace

ModelClient::ModelClient(CallStore& store, Ledger& ledger, Transport& transport, std::string run,
                         std::function<bool()> stops)
    : m_store(store),
      m_ledger(ledger),
      m_transport(transport),
      m_run(std::move(run)),
      m_stops(stops ? std::move(stops) : [] { return false; }) {
  m_ledger.begin(m_run);
}

Answer ModelClient::ask(const Question& question) {
  const CallIdentity identity = identity_of(question, m_run);
  if (const auto known = m_store.answer(m_run, identity.request_hash)) {
    return answer_of(*known, "the archive");
  }
  if (m_stops()) throw Cancelled();
  LedgerGate gate(m_ledger, identity, m_stops);
  Answer answer = [&] {
    try {
      return m_transport.ask(question, gate);
    } catch (...) {
      gate.abandon();
      throw;
    }
  }();
  if (is_failure(answer.outcome) && m_stops()) throw Cancelled();
  if (!m_transport.is_paid()) m_ledger.note_unpaid(identity, m_transport.name());
  if (!gate.refusal().empty() && answer.outcome == ModelOutcome::not_granted) {
    answer.message = gate.refusal();
  }
  if (!is_failure(answer.outcome)) keep(question, answer);
  return answer;
}

void ModelClient::keep_failure(const Question& question, const Answer& answer) {
  keep(question, answer);
}

void ModelClient::keep(const Question& question, const Answer& answer) {
  m_store.keep_answer(identity_of(question, m_run), canonical_request(question), to_json(answer));
}

}  // namespace robust_kbench
