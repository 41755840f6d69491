#pragma once

#include <functional>
#include <optional>
#include <string>

#include "archive/journal.hpp"
#include "llm/ledger.hpp"
#include "llm/transport.hpp"

namespace robust_kbench {

// Asks the language models of a run, each question once. An answer is an effect of the run, which
// the journal has before it is returned. So a run that was killed reads its stored answers, and
// asks only the rest. Any thread may ask.
class ModelClient {
 public:
  // All arguments outlive this object. The journal's run begins in the ledger. Throws as
  // Ledger::begin() does. A journal that replays needs no transport, which may be null then. Once
  // `stops` returns true, as after an interrupt, no attempt begins any more. An empty `stops` never
  // stops.
  ModelClient(Journal& journal, Ledger& ledger, Transport* transport,
              std::function<bool()> stops = {});

  // The stored answer to this question, else that of the recorded run or the transport. Answers
  // that are `ok`, `length` or `refusal` are stored. A failure (`error` or `not_granted`) is not,
  // so that the question is asked again when the run is resumed. Throws Cancelled for a question
  // that `stops` has left without an answer, and UserError where the recorded run has asked no such
  // question.
  Answer ask(const Question& question);
  // Stores a failure after which the run continues, so that it reads the same when it is resumed.
  void keep_failure(const Question& question, const Answer& answer);

 private:
  Answer replayed(const Question& question, const CallIdentity& identity);
  Answer asked(const Question& question, const CallIdentity& identity);
  void keep(const Question& question, const Answer& answer);

  Journal& m_journal;
  Ledger& m_ledger;
  Transport* m_transport;
  const std::function<bool()> m_stops;
};

}  // namespace robust_kbench
