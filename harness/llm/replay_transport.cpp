#include "llm/replay_transport.hpp"

#include <utility>

#include "core/error.hpp"

namespace robust_kbench {

ReplayTransport::ReplayTransport(const CallStore& recorded, std::string run)
    : m_recorded(recorded), m_run(std::move(run)) {}

Answer ReplayTransport::ask(const Question& question, AttemptGate& /*gate*/) {
  const auto answer = m_recorded.answer(m_run, identity_of(question, m_run).request_hash);
  if (answer) return answer_of(*answer, "run " + m_run);
  throw UserError("the recorded run " + m_run + " has no answer to the call " + question.call +
                  " of " + question.model +
                  "; replay it with the settings and the kernels that it was recorded with");
}

}  // namespace robust_kbench
