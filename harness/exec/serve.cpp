#include "exec/serve.hpp"

#include <array>
#include <cerrno>
#include <ctime>
#include <new>
#include <optional>
#include <sys/socket.h>

#include "core/error.hpp"
#include "exec/channel.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// How long the worker waits for `run` without sleeping: to wake a process up takes a virtual
// machine up to milliseconds, which would count as time of the batch.
constexpr std::uint64_t awake_ns = 20'000'000;

class Server {
 public:
  Server(int channel_fd, Arena& arena, Subject& subject)
      : m_channel_fd(channel_fd), m_arena(arena), m_subject(subject) {}

  int run() {
    while (const auto request = receive()) {
      m_nonce = request->at("nonce");
      const std::string& name = request->at("request").get_ref<const std::string&>();
      if (name == "stop") return ExitCode::pass;
      m_call = 0;
      try {
        handle(name, request->at("body"));
      } catch (const SubjectError& error) {
        fail(error.failure(), error.what());
      } catch (const std::bad_alloc&) {
        fail(Failure::out_of_memory, "std::bad_alloc");
      } catch (const std::exception& error) {
        fail(Failure::exception, error.what());
      } catch (...) {
        fail(Failure::exception, "something that is no std::exception was thrown");
      }
    }
    return ExitCode::pass;
  }

 private:
  void handle(const std::string& request, const json& body) {
    if (request == "load") {
      answer("loaded", m_subject.load(body.get<Load>()));
    } else if (request == "prepare") {
      const auto calls = body.get<std::vector<Call>>();
      m_spans.assign(calls.size(), 0);
      m_subject.prepare(calls);
      m_arena.populate(m_arena.header().poisoned_until);
      answer("prepared", nullptr);
      m_awake_until = monotonic_ns() + awake_ns;
    } else if (request == "run") {
      // Spans without gaps: where the machine takes the processor away, it takes it from a span, so
      // that the claimed sum and the broker's clock still agree.
      std::uint64_t start = monotonic_ns();
      for (m_call = 0; m_call < m_spans.size(); ++m_call) {
        m_subject.call(m_call);
        const std::uint64_t end = monotonic_ns();
        m_spans[m_call] = end - start;
        start = end;
      }
      answer("ran", nullptr);
    } else if (request == "collect") {
      std::vector<std::vector<ResultValue>> outputs = m_subject.collect();
      auto results = json::array();
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        results.push_back(CallResult{std::move(outputs[i]), m_spans.at(i)});
      }
      answer("results", std::move(results));
    } else if (request == "release") {
      m_subject.release();
      answer("released", nullptr);
    } else {
      throw HarnessError("worker: request '" + request + "' is unknown");
    }
  }

  void fail(Failure failure, const std::string& message) {
    answer("failed", Failed{failure, message, m_call});
  }

  void answer(const char* name, json body) {
    const std::string bytes =
        frame({{"answer", name}, {"nonce", m_nonce}, {"body", std::move(body)}});
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t n = send(m_channel_fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n < 0 && errno != EINTR) throw HarnessError("worker: the broker is gone");
      if (n > 0) sent += static_cast<std::size_t>(n);
    }
  }

  std::optional<json> receive() {
    while (!m_reader.complete()) {
      const bool awake = monotonic_ns() < m_awake_until;
      const ssize_t n =
          recv(m_channel_fd, m_buffer.data(), m_buffer.size(), awake ? MSG_DONTWAIT : 0);
      if (n < 0 && (errno == EINTR || (awake && errno == EAGAIN))) continue;
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
  json m_nonce;
  std::uint64_t m_awake_until = 0;
  std::uint64_t m_call = 0;
  std::vector<std::uint64_t> m_spans;  // of each call of the batch, nanoseconds
};

}  // namespace

int serve(int channel_fd, Arena& arena, Subject& subject) {
  return Server(channel_fd, arena, subject).run();
}

}  // namespace robust_kbench
