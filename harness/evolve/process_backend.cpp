#include "evolve/process_backend.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "evolve/candidate_json.hpp"
#include "process/json_lines.hpp"

namespace robust_kbench {
namespace {

constexpr const char* end_of_search = "end_of_search";

// The longest line, in bytes. The record of a kernel with thousands of cases has some million.
constexpr std::size_t longest_evaluation = std::size_t{256} << 20;

nlohmann::json answer_to(EvaluationBackend& backend, const nlohmann::json& request) {
  nlohmann::json answer{{"request", request.at("request")}};
  try {
    const AskedEvaluation asked = asked_evaluation(request);
    answer["evaluation"] = backend.evaluate(asked.kind, asked.candidate, asked.named_rivals());
  } catch (const Cancelled&) {
    answer["cancelled"] = true;
  } catch (const std::exception& error) {
    answer["failed"] = error.what();
  }
  return answer;
}

}  // namespace

ProcessBackend::ProcessBackend(const std::vector<std::string>& command,
                               const std::vector<int>& cpus, std::stop_token stop,
                               const std::stop_token& search)
    : m_stop(std::move(stop)), m_process(start_piped(command, cpus)) {
  m_reader = std::thread([this] { read_answers(); });
  m_ending_search.emplace(search, [this] {
    const std::lock_guard lock(m_mutex);
    (void)send_json_line(m_process.requests.get(), {{end_of_search, true}});
  });
}

ProcessBackend::~ProcessBackend() {
  m_ending_search.reset();
  m_process.requests.reset();
  m_reader.join();
  int status = 0;
  waitpid(m_process.pid, &status, 0);
}

void ProcessBackend::read_answers() {
  JsonLines lines(longest_evaluation);
  std::string failure = "has ended before its time";
  try {
    while (lines.read_some(m_process.answers.get()) > 0) {
      while (std::optional<nlohmann::json> answer = lines.next()) {
        const std::lock_guard lock(m_mutex);
        const int request = answer->at("request");
        m_done[request] = *std::move(answer);
        m_changed.notify_all();
      }
    }
  } catch (const BadLine& bad) {
    failure = std::string("has written ") + bad.what();
  } catch (const nlohmann::json::exception& error) {
    failure = std::string("has written what answers no request: ") + error.what();
  }
  const std::lock_guard lock(m_mutex);
  m_failure = failure;
  m_changed.notify_all();
}

Evaluation ProcessBackend::evaluate(EvaluationKind kind, const Candidate& candidate,
                                    const std::map<std::string, const Candidate*>& rivals) {
  nlohmann::json request = evaluation_request(kind, candidate, rivals);
  std::unique_lock lock(m_mutex);
  const int number = ++m_asked;
  request["request"] = number;
  if (!send_json_line(m_process.requests.get(), request)) m_failure = "reads no requests any more";
  m_changed.wait(lock, m_stop, [&] { return !m_failure.empty() || m_done.contains(number); });
  if (m_stop.stop_requested()) throw Cancelled();
  if (!m_done.contains(number)) throw HarnessError("a GPU's process " + m_failure);
  const nlohmann::json answer = m_done.extract(number).mapped();
  if (answer.contains("cancelled")) throw Cancelled();
  if (answer.contains("failed")) throw HarnessError(answer["failed"]);
  return answer.at("evaluation").get<Evaluation>();
}

void serve_evaluations(EvaluationBackend& backend, std::stop_source stop, std::stop_source search) {
  std::mutex writing;
  std::vector<std::thread> threads;
  JsonLines lines(longest_evaluation);
  while (lines.read_some(STDIN_FILENO) > 0) {
    while (const std::optional<nlohmann::json> asked = lines.next()) {
      if (asked->contains(end_of_search)) {
        search.request_stop();
        continue;
      }
      threads.emplace_back([&backend, &writing, request = *asked] {
        const nlohmann::json answer = answer_to(backend, request);
        const std::lock_guard lock(writing);
        // Nobody waits for the answer where the other side has ended.
        (void)send_json_line(STDOUT_FILENO, answer);
      });
    }
  }
  stop.request_stop();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace robust_kbench
