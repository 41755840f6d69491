#include "llm/helper_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "core/error.hpp"
#include "llm/key_pipe.hpp"
#include "process/json_lines.hpp"
#include "process/socket_pair.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int keys_descriptor = 3;    // of the child
constexpr int no_id = 0;              // of the first request's answer, which has none
constexpr timeval send_limit{60, 0};  // for which the helper may leave its stdin unread
constexpr std::chrono::milliseconds end_limit{2000};
// Most bytes of a line. An answer of the longest context has some hundred thousand.
constexpr std::size_t longest_line = std::size_t{16} << 20;

const std::string who = "the helper for language models";

std::string ended_as(int wait_status) {
  if (WIFSIGNALED(wait_status))
    return "was killed by signal " + std::to_string(WTERMSIG(wait_status));
  return "ended with exit status " + std::to_string(WEXITSTATUS(wait_status));
}

}  // namespace

HelperProcess::HelperProcess(const HelperStart& start) : m_last_exchange(Clock::now()) {
  std::promise<void> started;
  m_reader = std::jthread([&] { run(start, started); });
  started.get_future().get();
}

HelperProcess::~HelperProcess() {
  shutdown(m_to.get(), SHUT_WR);
  pollfd end{m_child->pidfd(), POLLIN, 0};
  if (poll(&end, 1, static_cast<int>(end_limit.count())) == 0) m_child->kill();
}

void HelperProcess::run(const HelperStart& start, std::promise<void>& started) {
  try {
    auto [to, stdin_end] = make_socket_pair();
    auto [from, stdout_end] = make_socket_pair();
    setsockopt(to.get(), SOL_SOCKET, SO_SNDTIMEO, &send_limit, sizeof(send_limit));
    const Descriptor keys = key_pipe(start.keys);
    const std::string marker = new_process_tree_marker();
    SpawnOptions options{.arguments = start.arguments,
                         .environment = start.environment,
                         .descriptors = {{stdin_end.get(), STDIN_FILENO},
                                         {stdout_end.get(), STDOUT_FILENO},
                                         {keys.get(), keys_descriptor}},
                         .untrusted = true};
    options.arguments.insert(options.arguments.end(),
                             {"--keys-fd", std::to_string(keys_descriptor)});
    options.environment->push_back(marker);
    m_child = std::make_unique<ChildProcess>(options, marker);
    m_to = std::move(to);
    m_from = std::move(from);
  } catch (...) {
    started.set_exception(std::current_exception());
    return;
  }
  // Variables captured by reference no longer exist after this.
  started.set_value();
  read_until_end();
}

void HelperProcess::read_until_end() {
  JsonLines lines(longest_line);
  std::string failure;
  fcntl(m_from.get(), F_SETFL, O_NONBLOCK);
  try {
    while (true) {
      // A program that the helper has started may keep its stdout open, so the helper's end is
      // watched, too.
      std::array<pollfd, 2> fds{{{m_from.get(), POLLIN, 0}, {m_child->pidfd(), POLLIN, 0}}};
      poll(fds.data(), fds.size(), -1);
      const ssize_t n = lines.read_some(m_from.get());
      while (auto event = lines.next()) deliver(std::move(*event));
      if (n == 0 || (n < 0 && fds[1].revents != 0)) break;
    }
  } catch (const BadLine& bad) {
    failure = std::string("it has written ") + bad.what();
  }
  if (failure.empty()) m_child->exits_within(end_limit);
  m_child->end();
  fail(failure.empty() ? "it " + ended_as(m_child->wait_status()) : failure);
}

void HelperProcess::deliver(json event) {
  const std::scoped_lock lock(m_mutex);
  m_last_exchange = Clock::now();
  const json id = event.value("id", json(no_id));
  const auto waiting = id.is_number_integer() ? m_waiting.find(id.get<int>()) : m_waiting.end();
  // An event may have no waiter, if its request ended by an exception.
  if (waiting != m_waiting.end()) waiting->second.events.push_back(std::move(event));
  m_changed.notify_all();
}

void HelperProcess::send(const json& object) {
  const std::scoped_lock lock(m_send_mutex);
  if (!send_json_line(m_to.get(), object)) {
    // The reader reports why a helper has ended. A helper that got half a line is killed, since no
    // line may follow it.
    if (errno == EAGAIN) fail("it does not read its requests");
    m_child->kill();
    return;
  }
  const std::scoped_lock lock_of_time(m_mutex);
  m_last_exchange = Clock::now();
}

void HelperProcess::fail(const std::string& why) {
  const std::scoped_lock lock(m_mutex);
  if (!m_failure) m_failure = who + " has failed: " + why;
  m_changed.notify_all();
}

void HelperProcess::refuse(const std::string& what) {
  fail(what);
  m_child->kill();
  throw HarnessError(who + " has failed: " + what);
}

HelperProcess::Seconds HelperProcess::longest_patience() const {
  Seconds longest{};
  for (const auto& [id, waiting] : m_waiting) longest = std::max(longest, waiting.patience);
  return longest;
}

HelperProcess::Request::Request(HelperProcess& process, json request, Seconds patience)
    : m_process(process), m_id([&] {
        const std::scoped_lock lock(process.m_mutex);
        const int id = request["op"] == "open" ? no_id : ++process.m_last_id;
        process.m_waiting[id].patience = patience;
        return id;
      }()) {
  send(std::move(request));
}

HelperProcess::Request::~Request() {
  const std::scoped_lock lock(m_process.m_mutex);
  m_process.m_waiting.erase(m_id);
}

json HelperProcess::Request::next() {
  std::unique_lock lock(m_process.m_mutex);
  std::deque<json>& events = m_process.m_waiting[m_id].events;
  while (events.empty()) {
    if (m_process.m_failure) throw HarnessError(*m_process.m_failure);
    // Requests wait for each other in the helper, so one is only late when all are silent.
    const Seconds silence = m_process.longest_patience();
    const auto deadline =
        m_process.m_last_exchange + std::chrono::duration_cast<Clock::duration>(silence);
    if (Clock::now() >= deadline) {
      lock.unlock();
      m_process.refuse("it has said nothing for " + json(silence.count()).dump() + " s");
    }
    m_process.m_changed.wait_until(lock, deadline);
  }
  json event = std::move(events.front());
  events.pop_front();
  return event;
}

void HelperProcess::Request::send(json object) {
  if (m_id != no_id) object["id"] = m_id;
  m_process.send(object);
}

void HelperProcess::Request::be_patient(Seconds patience) {
  const std::scoped_lock lock(m_process.m_mutex);
  m_process.m_waiting[m_id].patience = patience;
}

}  // namespace robust_kbench
