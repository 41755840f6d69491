#include "runs/pilots/evaluation_work.hpp"

#include <memory>
#include <utility>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "evolve/candidate_json.hpp"
#include "runs/pilots/command_work.hpp"
#include "runs/pilots/run_directory.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

EvaluationWork::EvaluationWork(const Manifest& manifest, const SharedFolder& folder,
                               int side_by_side, MakeBackend make_backend, std::stop_token stop)
    : m_manifest(manifest),
      m_folder(folder),
      m_side_by_side(side_by_side),
      m_make_backend(std::move(make_backend)),
      m_stopping(std::move(stop), [this] { m_end.request_stop(); }),
      m_ending(m_end.get_token(), [this] { end_sessions(); }) {}

EvaluationWork::~EvaluationWork() {
  m_end.request_stop();
}

void EvaluationWork::end_sessions() {
  const std::lock_guard lock(m_mutex);
  for (const auto& [name, session] : m_sessions) session->stop.request_stop();
}

void EvaluationWork::stop_what_is_over(Session& session, const EvaluationSession& now) {
  session.description = now;
  if (now.first_races_ended) session.first_races.request_stop();
  if (now.search_ended) session.search.request_stop();
  if (now.ended) session.stop.request_stop();
}

// A backend keeps baselines and memory of its device, so a new session takes the place of the last.
std::shared_ptr<EvaluationWork::Session> EvaluationWork::session_of(const std::string& name) {
  const std::lock_guard lock(m_mutex);
  if (m_end.stop_requested()) throw Cancelled();
  if (const auto known = m_sessions.find(name); known != m_sessions.end()) return known->second;
  const auto text = m_folder.read(run_directory::in(run_directory::sessions, name));
  if (!text) throw Cancelled();  // the run has ended
  auto session = std::make_shared<Session>();
  session->description = parse_json_if_any(*text).get<EvaluationSession>();
  session->description.request.side_by_side = m_side_by_side;
  session->sources = std::make_unique<MovedSources>(m_manifest, session->description.source_root,
                                                    m_directory.path() / name);
  session->backend =
      m_make_backend(session->description, {.stop = session->stop.get_token(),
                                            .search = session->search.get_token(),
                                            .first_races = session->first_races.get_token()});
  m_sessions = {{name, session}};
  return session;
}

void EvaluationWork::look() {
  std::map<std::string, std::shared_ptr<Session>> sessions;
  {
    const std::lock_guard lock(m_mutex);
    if (m_busy.empty()) return;
    sessions = m_sessions;
  }
  for (const auto& [name, session] : sessions) {
    const auto text = m_folder.read(run_directory::in(run_directory::sessions, name));
    if (!text) {
      session->stop.request_stop();
      continue;
    }
    const auto now = parse_json_if_any(*text).get<EvaluationSession>();
    stop_what_is_over(*session, now);
  }
}

// A candidate that is evaluated here already, as another coordinator's job can be, is waited for.
nlohmann::json EvaluationWork::work(const nlohmann::json& job) {
  if (job.contains("file")) return evaluate_file(job["file"], m_end.get_token());
  const std::shared_ptr<Session> session = session_of(job.at("session"));
  AskedEvaluation asked = asked_evaluation(job.at("evaluation"));
  const Candidate sent = asked.candidate;
  {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return !m_busy.contains(sent.hash); });
    m_busy.insert(sent.hash);
  }
  const std::shared_ptr<void> free(nullptr, [&](void*) {
    const std::lock_guard lock(m_mutex);
    m_busy.erase(sent.hash);
    m_changed.notify_all();
  });
  asked.candidate = session->sources->here(sent);
  for (auto& [name, rival] : asked.rivals) rival = session->sources->here(rival);
  const Evaluation evaluation =
      session->backend->evaluate(asked.kind, asked.candidate, asked.named_rivals());
  const std::string text =
      nlohmann::json(evaluation).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return parse_json_if_any(session->sources->theirs(text, sent));
}

}  // namespace robust_kbench
