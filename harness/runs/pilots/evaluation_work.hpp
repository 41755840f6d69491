#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>

#include "core/manifest.hpp"
#include "evolve/evaluation_backend.hpp"
#include "evolve/local_backend.hpp"
#include "process/temporary_directory.hpp"
#include "runs/pilots/evaluation_session.hpp"
#include "runs/pilots/pilot_loop.hpp"
#include "runs/pilots/shared_folder.hpp"
#include "runs/pilots/source_tree.hpp"

namespace robust_kbench {

// A pilot's evaluations of candidates, and of files as `rkb evaluate` would do them. A candidate's
// job says which session it is of, by whose file a backend is made here. Candidates' files lie in a
// directory of this machine, so neither compilers nor kernels see the run directory.
class EvaluationWork : public PilotWork {
 public:
  // Makes what evaluates on this machine. `options` say how it ends.
  using MakeBackend = std::function<std::unique_ptr<EvaluationBackend>(
      const EvaluationSession& session, const LocalBackendOptions& options)>;

  // The references outlive this object. A stop ends all evaluations.
  EvaluationWork(const Manifest& manifest, const SharedFolder& folder, int side_by_side,
                 MakeBackend make_backend, std::stop_token stop);
  ~EvaluationWork() override;

  nlohmann::json work(const nlohmann::json& job) override;
  void look() override;
  void end() override { m_end.request_stop(); }

 private:
  struct Session {
    EvaluationSession description;
    std::unique_ptr<MovedSources> sources;
    std::stop_source stop, search, first_races;
    std::unique_ptr<EvaluationBackend> backend;
  };

  std::shared_ptr<Session> session_of(const std::string& name);
  static void stop_what_is_over(Session& session, const EvaluationSession& now);
  void end_sessions();

  const Manifest& m_manifest;
  const SharedFolder& m_folder;
  const int m_side_by_side;
  const MakeBackend m_make_backend;
  const TemporaryDirectory m_directory{"pilot"};
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::map<std::string, std::shared_ptr<Session>> m_sessions;  // at most one, and those that end
  std::set<std::string> m_busy;  // hashes of candidates that are evaluated now
  std::stop_source m_end;
  const std::stop_callback<std::function<void()>> m_stopping;
  const std::stop_callback<std::function<void()>> m_ending;
};

}  // namespace robust_kbench
