#include "broker/worker_end.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <utility>

#include "ipc/crash_trace_text.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

constexpr std::string_view killed_by = "killed by ";

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

// Only the first line counts, since the worker wrote the trace below it.
bool says_killed_by(const Judgement& judgement, int signal) {
  const std::string_view reason = judgement.reason;
  return reason.substr(0, reason.find('\n')).find(std::string(killed_by) + signal_name(signal)) !=
         std::string_view::npos;
}

bool ran_out_of_memory(int signal, const std::string& output) {
  if (signal == SIGKILL) return true;
  return signal == SIGABRT && output.find("bad_alloc") != std::string::npos;
}

// The index at which the trace begins, at the start of a line. Without a trace it is the output's
// length.
std::size_t begin_of_trace(const std::string& output) {
  const std::size_t line = output.rfind("\n" + std::string(crash_trace_begin));
  if (line != std::string::npos) return line + 1;
  return output.starts_with(crash_trace_begin) ? 0 : output.size();
}

std::string without_line_end(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
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

Judgement worker_end(Verdict verdict, const std::string& what, const std::string& output) {
  const std::size_t trace = begin_of_trace(output);
  std::string reason = "the worker " + what;
  if (trace < output.size()) reason += "\n" + without_line_end(output.substr(trace));
  return {.verdict = verdict, .reason = std::move(reason), .output = printed_before_trace(output)};
}

std::string printed_before_trace(const std::string& output) {
  return without_line_end(output.substr(0, begin_of_trace(output)));
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

Judgement describe_end(int wait_status, std::string_view request, const std::string& output) {
  const std::string moment = " " + std::string(moment_of(request));
  if (WIFEXITED(wait_status)) {
    const std::string code = std::to_string(WEXITSTATUS(wait_status));
    return worker_end(Verdict::crash, "exited with code " + code + moment, output);
  }
  const int signal = WTERMSIG(wait_status);
  const Verdict verdict =
      ran_out_of_memory(signal, output) ? Verdict::out_of_memory : Verdict::crash;
  return worker_end(verdict, "was " + std::string(killed_by) + signal_name(signal) + moment,
                    output);
}

bool killed_for_memory(const Judgement& judgement) {
  return judgement.verdict == Verdict::out_of_memory && says_killed_by(judgement, SIGKILL);
}

bool killed_by_access(const Judgement& judgement) {
  return judgement.verdict == Verdict::crash &&
         (says_killed_by(judgement, SIGSEGV) || says_killed_by(judgement, SIGBUS));
}

}  // namespace robust_kbench
