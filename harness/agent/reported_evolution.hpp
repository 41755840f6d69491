#pragma once

#include <functional>
#include <string>

#include "runs/run_listener.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Hands all on to another listener, and has the page of the run renewed with each new generation. A
// page that cannot be written is noted, and the run goes on.
class ReportedEvolution : public RunListener {
 public:
  using Renew = std::function<void(const std::string& run)>;

  // The listener outlives this object.
  ReportedEvolution(RunListener& listener, Renew renew);

  void begins(const std::string& run) override;
  void show(const nlohmann::json& event) override;
  void progress(const std::string& text) override { m_listener.progress(text); }
  void answered(const std::string& call) override { m_listener.answered(call); }
  void note(const std::string& text) override { m_listener.note(text); }
  void spends(const std::function<std::string()>& spending) override {
    m_listener.spends(spending);
  }

 private:
  RunListener& m_listener;
  const Renew m_renew;
  std::string m_run;
  int m_generation = -1;  // events come one at a time
};

}  // namespace robust_kbench
