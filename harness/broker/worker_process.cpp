#include "broker/worker_process.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>

#include "broker/broker_channel.hpp"
#include "broker/worker_end.hpp"
#include "broker/worker_files.hpp"
#include "broker/worker_launch.hpp"
#include "broker/worker_use.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "ipc/message_fields.hpp"
#include "process/child_process.hpp"
#include "process/run_delay.hpp"
#include "process/threads.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr std::chrono::microseconds settle_interval{200};

std::string seconds(std::chrono::milliseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", std::chrono::duration<double>(time).count());
  return text.data();
}

std::string frame_of(const char* request, std::uint64_t nonce, const json& body) {
  return frame({{"request", request}, {"nonce", nonce}, {"body", body}});
}

// Names are escaped, since the kernel chooses them.
void escape_names(Loaded::Parameters& parameters) {
  for (Loaded::Parameter& parameter : parameters) parameter.name = escaped(parameter.name);
}

}  // namespace

struct WorkerProcess::State {
  explicit State(const WorkerOptions& worker_options)
      : options(worker_options),
        arena(options.gpu && options.tool.empty() ? Arena::create_on_gpu(options.arena_bytes)
                                                  : Arena::create(options.arena_bytes)),
        marker(new_process_tree_marker()),
        process(launch_options(options, files, marker, channel.worker_end(), arena), marker) {
    channel.forget_worker_end();
  }

  // The body of the answer `expected`, or the judgement of a failure.
  Outcome<json> request(const char* name, const json& body, const char* expected);

  // The answer converted by `convert`. The answer is malformed if `convert` throws HarnessError.
  template <typename Answer, typename Convert>
  Outcome<Answer> ask(const char* name, const json& body, const char* expected, Convert convert) {
    Outcome<json> outcome = request(name, body, expected);
    if (auto* judgement = std::get_if<Judgement>(&outcome)) return std::move(*judgement);
    try {
      return convert(std::get<json>(outcome));
    } catch (const HarnessError& error) {
      return malformed(name, error.what());
    }
  }

  Outcome<Done> ask(const char* name, const json& body, const char* expected) {
    return ask<Done>(name, body, expected, [](const json&) { return Done{}; });
  }

  // No kernel code runs before this answer, so a failure is the harness's.
  void greet() {
    if (std::exchange(greeted, true)) return;
    const Outcome<Done> outcome = ask("greet", nullptr, "greeted");
    if (const auto* judgement = std::get_if<Judgement>(&outcome)) {
      throw HarnessError("the worker cannot start: " + with_output(*judgement));
    }
    // Threads that exist now are the GPU driver's, which never park.
    restless_threads = robust_kbench::thread_count(process.pid());
  }

  [[nodiscard]] std::chrono::milliseconds limit_of(std::string_view request) const {
    const Limits& limits = options.limits;
    return request == "greet" ? std::max(limits.call_timeout, limits.start_timeout)
                              : limits.call_timeout;
  }

  // False once the worker takes too much of the machine. Then `excess` says of what.
  bool stays_within_limits() {
    if (options.tool.empty() && !excess) excess = use.excess();
    return !excess;
  }

  Judgement ended(BrokerChannel::Result result, const char* request);
  Judgement malformed(const char* request, const std::string& what);
  void ask_to_exit();
  void require_wanted() const {
    if (options.stop.stop_requested()) throw Cancelled();
  }

  WorkerOptions options;
  WorkerFiles files;
  Arena arena;
  std::string marker;  // in the environment of the worker and its children
  BrokerChannel channel;
  ChildProcess process;
  WorkerUse use{process, files.directory(), options.limits};
  std::optional<std::string> excess;
  std::optional<Judgement> end;
  bool greeted = false;
  int restless_threads = 0;                      // threads that settle() does not wait for
  std::chrono::nanoseconds ran_while_stopped{};  // before the last request
  // Declared last, so that the callback is destroyed before the process that it uses.
  std::stop_callback<std::function<void()>> on_stop{options.stop, [this] { process.kill(); }};
};

Outcome<json> WorkerProcess::State::request(const char* name, const json& body,
                                            const char* expected) {
  require_wanted();
  if (end) return *end;
  const std::uint64_t nonce = secret_key();
  const std::string bytes = frame_of(name, nonce, body);
  const BrokerChannel::Wait wait{.process = process.pidfd(),
                                 .deadline = Clock::now() + limit_of(name),
                                 .goes_on = [this] { return stays_within_limits(); }};
  try {
    ran_while_stopped = {};
    const auto go_on = [&] { ran_while_stopped = process.resume(); };
    const BrokerChannel::Result result = channel.exchange(bytes, wait, go_on);
    require_wanted();
    if (result != BrokerChannel::Result::answered || !stays_within_limits()) {
      return ended(result, name);
    }
    json answer = channel.take();
    if (!answer.is_object() || answer.value("nonce", json()) != nonce) {
      return malformed(name, "it answers a request that was not made");
    }
    const json kind = answer.value("answer", json());
    json result_body = answer.value("body", json());
    if (kind == "failed") {
      return judgement_of(result_body.get<Failed>(), options.subject);
    }
    if (kind != expected) return malformed(name, "another answer was expected");
    return result_body;
  } catch (const HarnessError& error) {
    return malformed(name, error.what());
  }
}

Judgement WorkerProcess::State::ended(BrokerChannel::Result result, const char* request) {
  const bool lingers =
      result == BrokerChannel::Result::closed && !process.exits_within(options.limits.exit_timeout);
  process.end();
  const std::string output = files.output_tail(options.output_bytes);
  if (excess) {
    end = worker_end(Verdict::sandbox_violation, *excess, output);
  } else if (result == BrokerChannel::Result::late) {
    const std::string limit = seconds(limit_of(request));
    end = worker_end(Verdict::timeout,
                     "gave no answer within " + limit + " " + std::string(moment_of(request)),
                     output);
  } else if (lingers) {
    end = worker_end(Verdict::crash, "closed its channel and lived on", output);
  } else {
    end = describe_end(process.wait_status(), request, output);
  }
  return *end;
}

Judgement WorkerProcess::State::malformed(const char* request, const std::string& what) {
  process.end();
  const std::string moment(moment_of(request));
  end = worker_end(Verdict::crash, "sent a malformed message " + moment + ": " + escaped(what),
                   files.output_tail(options.output_bytes));
  return *end;
}

void WorkerProcess::State::ask_to_exit() {
  channel.notify(frame_of("stop", secret_key(), nullptr));
  process.exits_within(options.limits.exit_timeout);
  process.end();
  if (!end) end = worker_end(Verdict::crash, "was asked to exit", "");
}

Load load_of(const std::string& library, Direction direction, const WorkerOptions& options) {
  const std::string& own = options.entry_point;
  return {.library = library, .entry = own.empty() ? std::string(to_string(direction)) : own};
}

WorkerProcess::WorkerProcess(const WorkerOptions& options)
    : m_state(std::make_unique<State>(options)) {}

WorkerProcess::~WorkerProcess() = default;

Arena& WorkerProcess::arena() {
  return m_state->arena;
}

int WorkerProcess::pid() const {
  return m_state->process.pid();
}

bool WorkerProcess::alive() const {
  return !m_state->process.exits_within(std::chrono::milliseconds{0});
}

void WorkerProcess::greet() {
  m_state->greet();
}

Outcome<Loaded> WorkerProcess::load(const Load& load) {
  m_state->greet();
  return m_state->ask<Loaded>("load", load, "loaded", [](const json& body) {
    auto loaded = body.get<Loaded>();
    escape_names(loaded.parameters);
    for (Loaded::Parameters& parameters : loaded.overloads) escape_names(parameters);
    return loaded;
  });
}

Outcome<Done> WorkerProcess::prepare(const std::vector<Call>& calls) {
  return m_state->ask("prepare", encode_calls(calls), "prepared");
}

Outcome<bool> WorkerProcess::prepare_together() {
  return m_state->ask<bool>("prepare_together", nullptr, "prepared",
                            [](const json& begins_with_fill) {
                              if (begins_with_fill.is_boolean())
                                return begins_with_fill.get<bool>();
                              throw HarnessError("is no answer of yes or no");
                            });
}

Outcome<Ran> WorkerProcess::run() {
  return run_request("run", nullptr);
}

Outcome<Ran> WorkerProcess::run_together(bool with_calls) {
  return run_request("run_together", with_calls);
}

Outcome<Ran> WorkerProcess::run_request(const char* request, const json& body) {
  const std::uint64_t before = run_delay_ns(pid());
  return m_state->ask<Ran>(request, body, "ran", [&](const json&) {
    const std::uint64_t after = run_delay_ns(pid());
    const std::uint64_t worker_ns = after > before ? after - before : 0;
    return Ran{m_state->channel.wall_ns(), worker_ns + m_state->channel.delayed_ns(),
               static_cast<std::uint64_t>(m_state->ran_while_stopped.count())};
  });
}

Outcome<std::vector<CallResult>> WorkerProcess::collect(std::size_t call_count) {
  using Results = std::vector<CallResult>;
  return m_state->ask<Results>("collect", nullptr, "results", [&](const json& body) {
    Results results = decode_results(body);
    if (results.size() != call_count) {
      throw HarnessError("results of " + std::to_string(call_count) + " calls were expected");
    }
    return results;
  });
}

Outcome<OutputSample> WorkerProcess::output_sample() {
  return m_state->ask<OutputSample>("output_sample", nullptr, "sampled",
                                    [](const json& body) { return body.get<OutputSample>(); });
}

Outcome<std::vector<OutputSample>> WorkerProcess::call_samples(std::size_t call_count) {
  using Samples = std::vector<OutputSample>;
  return m_state->ask<Samples>("call_samples", nullptr, "looked", [&](const json& body) {
    if (!body.is_array() || body.size() > most_looked_at) {
      throw HarnessError("samples of at most " + std::to_string(most_looked_at) +
                         " calls were expected");
    }
    Samples samples;
    for (const json& sample : body) {
      samples.push_back(sample.get<OutputSample>());
      if (samples.back().call >= call_count) throw HarnessError("a sample is of no call");
    }
    return samples;
  });
}

Outcome<Estimate> WorkerProcess::estimate(const std::string& estimator) {
  return m_state->ask<Estimate>("estimate", estimator, "estimated", [](const json& body) {
    auto estimate = body.get<Estimate>();
    estimate.note = escaped(estimate.note);
    return estimate;
  });
}

Outcome<Trace> WorkerProcess::trace() {
  return m_state->ask<Trace>("trace", nullptr, "traced", [](const json& body) {
    auto trace = body.get<Trace>();
    trace.missing = escaped(trace.missing);
    return trace;
  });
}

Outcome<Done> WorkerProcess::release() {
  return m_state->ask("release", nullptr, "released");
}

int WorkerProcess::thread_count() const {
  return alive() ? robust_kbench::thread_count(pid()) : 0;
}

int WorkerProcess::child_count() {
  return m_state->process.child_count();
}

void WorkerProcess::settle(std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (alive()) {
    const int threads = thread_count();
    if (threads <= m_state->restless_threads || threads_parked(pid())) return;
    if (Clock::now() >= deadline) {
      m_state->restless_threads = threads;
      return;
    }
    std::this_thread::sleep_for(settle_interval);
  }
}

void WorkerProcess::pause() {
  m_state->process.pause();
}

std::chrono::nanoseconds WorkerProcess::resume() {
  return m_state->process.resume();
}

void WorkerProcess::kill() const {
  m_state->process.kill();
}

int WorkerProcess::stop() {
  if (!m_state->process.ended()) m_state->ask_to_exit();
  return m_state->process.left();
}

std::string WorkerProcess::output() const {
  return printed_before_trace(m_state->files.output_tail(m_state->options.output_bytes));
}

void WorkerProcess::forget_output() {
  m_state->files.forget_output();
}

}  // namespace robust_kbench
