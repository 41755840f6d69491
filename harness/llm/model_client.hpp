#pragma once

#include <functional>
#include <optional>
#include <string>

#include "archive/call_store.hpp"
#include "llm/ledger.hpp"
#include "llm/transport.hpp"

namespace robust_kbench {

// Asks the language models of a run, each question once. An answer is on the disk before it is
// returned. So a run that was killed reads its stored answers, and asks only the rest. Any thread
// may ask.
class ModelClient {
 public:
  // All arguments outlive this object. The run begins in the ledger. Throws as Ledger::begin()
  // does. Once `stops` returns true, as after an interrupt, no attempt begins any more. An empty
  // `stops` never stops.
  ModelClient(CallStore& store, Ledger& ledger, Transport& transport, std::string run,
              std::function<bool()> stops = {});

  // The stored answer to this question, else the transport's answer. Answers that are `ok`,
  // `length` or `refusal` are stored. A failure (`error` or `not_granted`) is not, so that the
  // question is asked again when the run is resumed. Throws Cancelled for a question that `stops`
  // has left without an answer.
  Answer ask(const Question& question);
  // Stores a failure after which the run continues, so that it reads the same when it is resumed.
  void keep_failure(const Question& question, const Answer& answer);

 private:
  void keep(const Question& question, const Answer& answer);

  CallStore& m_store;
  Ledger& m_ledger;
  Transport& m_transport;
  const std::string m_run;
  const std::function<bool()> m_stops;
};

}  // namespace robust_kbench
