#include "llm/model_client.hpp"

#include <utility>

#include "core/cancelled.hpp"
#include "core/error.hpp"

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

ModelClient::ModelClient(Journal& journal, Ledger& ledger, Transport* transport,
                         std::function<bool()> stops)
    : m_journal(journal),
      m_ledger(ledger),
      m_transport(transport),
      m_stops(stops ? std::move(stops) : [] { return false; }) {
  m_ledger.begin(m_journal.run());
}

Answer ModelClient::ask(const Question& question) {
  const CallIdentity identity = identity_of(question, m_journal.run());
  if (const auto known = m_journal.archive().effect(identity.run, identity.answer_key())) {
    return answer_of(*known, "the archive");
  }
  if (m_stops()) throw Cancelled();
  Answer answer = m_journal.replays() ? replayed(question, identity) : asked(question, identity);
  if (!is_failure(answer.outcome)) keep(question, answer);
  return answer;
}

Answer ModelClient::replayed(const Question& question, const CallIdentity& identity) {
  const std::optional<nlohmann::json> answer = m_journal.find(identity.answer_key());
  if (!answer) {
    throw UserError("the recorded run " + m_journal.recorded()->run +
                    " has no answer to the call " + question.call + " of " + question.model +
                    "; replay it with the settings and the kernels that it was recorded with");
  }
  m_ledger.note_unpaid(identity, "replay");
  return answer_of(*answer, "the recorded run");
}

Answer ModelClient::asked(const Question& question, const CallIdentity& identity) {
  LedgerGate gate(m_ledger, identity, m_stops);
  Answer answer = [&] {
    try {
      return m_transport->ask(question, gate);
    } catch (...) {
      gate.abandon();
      throw;
    }
  }();
  if (is_failure(answer.outcome) && m_stops()) throw Cancelled();
  if (!m_transport->is_paid()) m_ledger.note_unpaid(identity, m_transport->name());
  if (!gate.refusal().empty() && answer.outcome == ModelOutcome::not_granted) {
    answer.message = gate.refusal();
  }
  return answer;
}

void ModelClient::keep_failure(const Question& question, const Answer& answer) {
  keep(question, answer);
}

void ModelClient::keep(const Question& question, const Answer& answer) {
  m_journal.archive().put_content(canonical_request(question));
  m_journal.once(identity_of(question, m_journal.run()).answer_key(),
                 [&] { return to_json(answer); });
}

}  // namespace robust_kbench
