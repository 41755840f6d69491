#include "runner/serve.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>

#include "core/cipher.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "device/cpu.hpp"
#include "device/gpu_memory_wait.hpp"
#include "ipc/channel.hpp"
#include "ipc/output_sample.hpp"
#include "process/affinity.hpp"
#include "runner/crash_trace.hpp"
#include "runner/estimators.hpp"
#include "runner/gpu_calls.hpp"
#include "runner/traced_call.hpp"
#include "runner/unwritten_memory.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// The average. Each sample takes a microsecond between two spans, for subjects and for the empty
// call alike.
constexpr std::uint64_t looked_at_per_batch = 2;

// Makes the process write its output line by line, so that a process that dies loses none. Output
// beyond the file's limit is dropped instead of ending the process.
void keep_output() {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  std::signal(SIGXFSZ, SIG_IGN);
}

void flush_output() {
  std::cout.flush();
  std::fflush(stdout);
}

class Server {
 public:
  Server(int channel_fd, Arena& arena, Subject& subject)
      : m_channel_fd(channel_fd), m_arena(arena), m_subject(subject) {
    keep_freed_heap();
    // No kernel code has run yet, so the kernel cannot have caused a failure here.
    if (arena.on_gpu()) wait_for_gpu_memory([&] { m_gpu_calls.emplace(); });
  }

  int run() {
    while (std::optional<json> request = receive()) {
      const json nonce = request->at("nonce");
      const auto name = request->at("request").get<std::string>();
      if (name == "stop") return ExitCode::pass;
      const Answer answer = answer_to(name, request->at("body"));
      // Thousands of calls take long to free. They are freed before answering, since the broker's
      // clock may run from then on.
      request.reset();
      send_bytes(frame({{"answer", answer.name}, {"nonce", nonce}, {"body", answer.body}}));
    }
    return ExitCode::pass;
  }

 private:
  struct Answer {
    const char* name;
    json body;
  };

  Answer answer_to(const std::string& request, const json& body) {
    m_call = 0;
    try {
      return handle(request, body);
    } catch (const SubjectError& error) {
      return failed(error.failure(), error.what());
    } catch (const std::bad_alloc&) {
      return failed(Failure::out_of_memory, "std::bad_alloc");
    } catch (const std::exception& error) {
      return failed(Failure::exception, error.what());
    } catch (...) {
      return failed(Failure::exception, "something that is no std::exception was thrown");
    }
  }

  [[nodiscard]] Answer failed(Failure failure, const std::string& message) const {
    return {"failed", Failed{failure, message, m_call}};
  }

  Answer handle(const std::string& request, const json& body) {
    if (request == "greet") return {"greeted", nullptr};
    if (request == "load") {
      m_waiting_place.reset();
      return {"loaded", m_subject.load(body.get<Load>())};
    }
    if (request == "prepare") return prepare(decode_calls(body));
    if (request == "run") return run_calls();
    if (request == "prepare_together") return prepare_together();
    if (request == "run_together") return run_together(body.get<bool>());
    if (request == "collect") return collect();
    if (request == "output_sample") return {"sampled", output_sample()};
    if (request == "call_samples") return {"looked", m_call_samples};
    if (request == "estimate") {
      return {"estimated", estimate(body.get<std::string>(), repeatable_call())};
    }
    if (request == "trace") return {"traced", trace(repeatable_call())};
    if (request == "release") {
      // Work that the kernel has left on the GPU must not run while other processes have the GPU.
      if (m_arena.on_gpu()) m_arena.synchronize();
      m_waiting_place.reset();
      m_subject.release();
      flush_output();
      return {"released", nullptr};
    }
    throw HarnessError("worker: request '" + request + "' is unknown");
  }

  Answer prepare(const std::vector<Call>& calls) {
    m_spans.assign(calls.size(), 0);
    m_output_sample = {};
    m_call_samples.clear();
    m_chance.resize(m_arena.on_gpu() ? 0 : calls.size());
    for (std::uint64_t& chance : m_chance) chance = m_choices();
    m_subject.prepare(calls);
    fill_free_heap(m_unwritten_keys());
    m_arena.populate(m_arena.header().poisoned_until);
    if (m_gpu_calls) m_gpu_calls->prepare(m_arena);
    // Makes this thread wake up on the CPU where the broker is awake. Waking an idle CPU can take
    // milliseconds on a virtual machine. No kernel code runs until the next request, so no thread
    // inherits this affinity.
    m_waiting_place.emplace(m_first_cpu);
    return {"prepared", nullptr};
  }

  Answer prepare_together() {
    const bool begins_with_fill = m_subject.prepare_together();
    m_arena.synchronize();
    return {"prepared", begins_with_fill};
  }

  // No kernel's host code runs here, so the thread stays where it waits.
  Answer run_together(bool with_calls) {
    m_subject.run_together(with_calls);
    m_arena.synchronize();
    return {"ran", nullptr};
  }

  Answer run_calls() {
    m_waiting_place.reset();
    if (m_arena.on_gpu()) {
      run_on_gpu();
    } else {
      run_on_cpu();
    }
    return {"ran", nullptr};
  }

  void run_on_gpu() {
    const auto call = [this] {
      fill_stack(m_unwritten_keys());
      m_subject.call(m_call);
    };
    const auto look = [this](void* stream) {
      m_gpu_calls->sample(m_subject.outputs(m_call), secret_key(), stream);
    };
    for (m_call = 0; m_call < m_spans.size(); ++m_call) {
      const bool last = m_call + 1 == m_spans.size();
      m_spans[m_call] = m_gpu_calls->time(call, last ? look : std::function<void(void*)>());
    }
  }

  void run_on_cpu() {
    fill_stack(m_unwritten_keys());
    // Each span begins where the one before ended. So any preemption is within a span, and the
    // claimed sum agrees with the broker's clock.
    std::uint64_t start = monotonic_ns();
    for (m_call = 0; m_call < m_spans.size(); ++m_call) {
      m_subject.call(m_call);
      const std::uint64_t end = monotonic_ns();
      m_spans[m_call] = end - start;
      start = end;
      if (!is_looked_at(end)) continue;
      m_call_samples.push_back(sample(m_subject.outputs(m_call), m_choices()));
      m_call_samples.back().call = m_call;
      start = monotonic_ns();
    }
    if (m_call > 0) m_output_sample = sample(m_subject.outputs(m_call - 1), secret_key());
  }

  // True if the outputs of the call that has just ended are sampled. Its end time and a number
  // drawn before the batch decide this. So a kernel that delays its work until a later call cannot
  // know beforehand which calls are sampled.
  [[nodiscard]] bool is_looked_at(std::uint64_t end_ns) const {
    const std::size_t calls = m_spans.size();
    return calls > 1 && m_call_samples.size() < most_looked_at &&
           (end_ns ^ m_chance[m_call]) % calls < looked_at_per_batch;
  }

  [[nodiscard]] OutputSample output_sample() const {
    return m_arena.on_gpu() ? m_gpu_calls->output_sample() : m_output_sample;
  }

  // Repeats the first call of the batch.
  RepeatableCall repeatable_call() {
    const auto call = [this, cursor = m_arena.header().cursor,
                       allocation_count = m_arena.header().allocation_count] {
      if (m_subject.drop_results(0)) {
        m_arena.header().cursor = cursor;
        m_arena.header().allocation_count = allocation_count;
      }
      m_subject.call(0);
    };
    return {.call = call,
            .use_stream = [this](void* stream) { return m_subject.use_stream(stream); }};
  }

  Answer collect() {
    std::vector<std::vector<ResultValue>> outputs = m_subject.collect();
    std::vector<CallResult> results;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      results.push_back({std::move(outputs[i]), m_spans.at(i)});
    }
    return {"results", encode_results(results)};
  }

  void send_bytes(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = send(m_channel_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n < 0 && errno != EINTR) throw HarnessError("worker: the broker is gone");
      if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  std::optional<json> receive() {
    while (!m_reader.complete()) {
      const ssize_t n = recv(m_channel_fd, m_buffer.data(), m_buffer.size(), 0);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return std::nullopt;
      m_reader.append({m_buffer.data(), static_cast<std::size_t>(n)});
    }
    return m_reader.take();
  }

  int m_channel_fd;
  Arena& m_arena;
  Subject& m_subject;
  FrameReader m_reader{max_request_bytes};
  std::array<char, 1 << 16> m_buffer{};
  const int m_first_cpu = usable_cpus().front();
  std::optional<ScopedAffinity> m_waiting_place;
  std::optional<GpuCalls> m_gpu_calls;
  CipherStream m_unwritten_keys{secret_key()};  // keys of the content of unwritten memory
  CipherStream m_choices{secret_key()};
  std::vector<std::uint64_t> m_chance;  // of each call of the batch on the CPU
  std::uint64_t m_call = 0;
  std::vector<std::uint64_t> m_spans;  // span of each call of the batch, nanoseconds
  OutputSample m_output_sample;        // only of a batch on the CPU
  std::vector<OutputSample> m_call_samples;
};

}  // namespace

int serve(int channel_fd, Arena& arena, Subject& subject) {
  trace_crashes();
  keep_output();
  return Server(channel_fd, arena, subject).run();
}

}  // namespace robust_kbench
