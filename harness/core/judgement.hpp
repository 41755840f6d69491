#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "core/example.hpp"
#include "core/verdict.hpp"

namespace robust_kbench {

// The outcome for a kernel, one of its cases or one of its calls, and the reason.
struct Judgement {
  Verdict verdict = Verdict::harness_error;  // until something else is known
  CheatClass cheat_class = CheatClass::none;
  std::string reason;  // for a person; empty for a pass
  // The places where a result is wrong: up to three elements of each output, the largest errors
  // first.
  std::vector<Example> examples = {};
  // The end of the kernel's output to stdout and stderr, escaped. The kernel controls this text, so
  // it decides nothing.
  std::string output = {};

  [[nodiscard]] bool passes() const { return verdict == Verdict::pass; }
  bool operator==(const Judgement&) const = default;
};

Judgement passed();
Judgement wrong_result(std::string reason);
Judgement cheat(CheatClass cheat_class, std::string reason);

// "cheat (timing)": the verdict, and the class of a cheat.
std::string label(const Judgement& judgement);

// The reason, and below it what the kernel printed. Each printed line is marked, so that a kernel
// cannot forge a line of ours.
std::string with_output(const Judgement& judgement);

// Thrown to stop work on a kernel or a baseline that failed or was caught.
class Rejection : public std::exception {
 public:
  explicit Rejection(Judgement judgement) : m_judgement(std::move(judgement)) {}
  [[nodiscard]] const Judgement& judgement() const { return m_judgement; }
  [[nodiscard]] const char* what() const noexcept override { return m_judgement.reason.c_str(); }

 private:
  Judgement m_judgement;
};

}  // namespace robust_kbench
