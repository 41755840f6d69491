#include "broker/worker_end.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <utility>

#include "process/escape.hpp"

namespace robust_kbench {
namespace {

constexpr std::string_view killed_by = "killed by ";
constexpr std::string_view stderr_follows = "; its stderr ends:\n";

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

// What the worker wrote to its stderr does not count.
bool says_killed_by(const Judgement& judgement, int signal) {
  const std::string_view reason = judgement.reason;
  return reason.substr(0, reason.find(stderr_follows))
             .find(std::string(killed_by) + signal_name(signal)) != std::string_view::npos;
}

bool ran_out_of_memory(int signal, const std::string& stderr_tail) {
  if (signal == SIGKILL) return true;
  return signal == SIGABRT && stderr_tail.find("bad_alloc") != std::string::npos;
}

}  // namespace

std::string_view moment_of(std::string_view request) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> moments{{
      {"greet", "while it started"},
      {"load", "while it was loaded"},
      {"prepare", "while its arguments were prepared"},
      {"run", "in the middle of a call"},
      {"collect", "while its results were collected"},
      {"estimate", "in the middle of a call"},
      {"trace", "in the middle of a call"},
      {"output_sample", "while its results were collected"},
      {"release", "while its results were released"},
  }};
  for (const auto& [name, moment] : moments) {
    if (name == request) return moment;
  }
  return "while it was idle";
}

Judgement worker_end(Verdict verdict, const std::string& what, const std::string& stderr_tail) {
  std::string reason = "the worker " + what;
  if (!stderr_tail.empty()) reason += std::string(stderr_follows) + stderr_tail;
  return {.verdict = verdict, .reason = std::move(reason)};
}

Judgement judgement_of(const Failed& failed, const std::string& subject) {
  const std::string message = escaped(failed.message);
  switch (failed.failure) {
    case Failure::load_error:
      return {.verdict = Verdict::load_error, .reason = message};
    case Failure::out_of_memory:
      return {.verdict = Verdict::out_of_memory,
              .reason = subject + " ran out of memory: " + message};
    case Failure::exception:
      break;
  }
  return {.verdict = Verdict::exception, .reason = subject + " threw: " + message};
}

Judgement describe_end(int wait_status, std::string_view request, const std::string& stderr_tail) {
  const std::string moment = " " + std::string(moment_of(request));
  if (WIFEXITED(wait_status)) {
    const std::string code = std::to_string(WEXITSTATUS(wait_status));
    return worker_end(Verdict::crash, "exited with code " + code + moment, stderr_tail);
  }
  const int signal = WTERMSIG(wait_status);
  const Verdict verdict =
      ran_out_of_memory(signal, stderr_tail) ? Verdict::out_of_memory : Verdict::crash;
  return worker_end(verdict, std::string(killed_by) + signal_name(signal) + moment, stderr_tail);
}

bool killed_for_memory(const Judgement& judgement) {
  return judgement.verdict == Verdict::out_of_memory && says_killed_by(judgement, SIGKILL);
}

bool killed_by_access(const Judgement& judgement) {
  return judgement.verdict == Verdict::crash &&
         (says_killed_by(judgement, SIGSEGV) || says_killed_by(judgement, SIGBUS));
}

}  // namespace robust_kbench
