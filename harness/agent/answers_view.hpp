#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "report/progress_display.hpp"
#include "runs/run_listener.hpp"

namespace robust_kbench {

// Shows how many questions of a run are answered. Threads may share it.
class AnswersView : public RunListener {
 public:
  // At most so many questions are to come. Without it the bar stays empty.
  void expect(int questions);
  void spends(const std::function<std::string()>& spending) override { m_spending = spending; }
  void answered(const std::string& call) override;
  void note(const std::string& text) override;

  // Returns what models have cost so far, for people; empty where nothing costs anything.
  [[nodiscard]] std::string spending() const { return m_spending ? m_spending() : ""; }
  // Clears the line, before others print.
  void clear();

 private:
  std::function<std::string()> m_spending;
  std::mutex m_mutex;
  ProgressDisplay m_display;
  int m_answered = 0;
  int m_expected = 0;
};

}  // namespace robust_kbench
