#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "report/progress_line.hpp"
#include "runs/run_listener.hpp"

namespace robust_kbench {

// Shows a translation to a person: a line for each attempt that has ended, and on a terminal what
// the current one is doing. Threads may share it.
class TranslationView : public RunListener {
 public:
  // `attempts` are made at most.
  explicit TranslationView(int attempts) : m_attempts(attempts) {}

  void spends(const std::function<std::string()>& spending) override { m_spending = spending; }
  void show(const nlohmann::json& event) override;
  void progress(const std::string& text) override;
  void note(const std::string& text) override;

 private:
  void update(const std::string& text);

  const int m_attempts;
  std::function<std::string()> m_spending;
  std::mutex m_mutex;
  int m_attempt = 1;
  ProgressLine m_line;
};

}  // namespace robust_kbench
