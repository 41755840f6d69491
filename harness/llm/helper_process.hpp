#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/descriptor.hpp"
#include "process/child_process.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Limits of the helper's silence.
struct HelperLimits {
  using Seconds = std::chrono::duration<double>;
  // For work without an endpoint: the start of Python, a template, a price. A machine may be busy.
  Seconds own_work{60};
  // Beyond the limit of an attempt, which the helper enforces itself.
  Seconds grace{60};
};

// The arguments and data with which the helper starts.
struct HelperStart {
  std::vector<std::string> arguments;       // of its program; --keys-fd N is added
  std::vector<std::string> environment;     // NAME=value; the whole environment, without keys
  std::map<std::string, std::string> keys;  // by variable; they go through a pipe
  nlohmann::json providers = nlohmann::json::object();  // in the form of docs/llm_helper.md
  int concurrency = 8;                                  // concurrent calls to one host
  HelperLimits limits = {};
};

// The helper as a child process that gets requests and writes events, both as lines of JSON. Any
// thread may call any function. Once the child has died, hung or written invalid output, each call
// throws HarnessError with the reason.
class HelperProcess {
 public:
  explicit HelperProcess(const HelperStart& start);
  ~HelperProcess();
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  using Seconds = HelperLimits::Seconds;

  // A request, which collects its events for its lifetime.
  class Request {
   public:
    // Sends the object with an `id` of its own. The helper may be silent for `patience` at most.
    Request(HelperProcess& process, nlohmann::json request, Seconds patience);
    ~Request();
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    // Waits for the next event.
    nlohmann::json next();
    // Sends a further object about the same request.
    void send(nlohmann::json object);
    void be_patient(Seconds patience);

   private:
    HelperProcess& m_process;
    const int m_id;
  };

  // Ends the helper because of an event that breaks the contract. Throws.
  [[noreturn]] void refuse(const std::string& what);

 private:
  struct Waiting {
    std::deque<nlohmann::json> events;
    Seconds patience{};
  };

  void run(const HelperStart& start, std::promise<void>& started);
  void read_until_end();
  void deliver(nlohmann::json event);
  void send(const nlohmann::json& object);
  void fail(const std::string& why);
  [[nodiscard]] Seconds longest_patience() const;

  Descriptor m_to;
  Descriptor m_from;
  std::unique_ptr<ChildProcess> m_child;
  std::mutex m_send_mutex;
  std::mutex m_mutex;  // guards the members below
  std::condition_variable m_changed;
  std::map<int, Waiting> m_waiting;  // by id
  std::chrono::steady_clock::time_point m_last_exchange;
  std::optional<std::string> m_failure;
  int m_last_id = 0;
  std::jthread m_reader;  // the child dies with this thread
};

}  // namespace robust_kbench
