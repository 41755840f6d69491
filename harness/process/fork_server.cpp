#include "process/fork_server.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "process/fork_request.hpp"

namespace robust_kbench {
namespace {

constexpr int idle_limit_ms = 60'000;

struct Run {
  pid_t pid = 0;
  Descriptor client;
};

class ForkServer {
 public:
  ForkServer(Descriptor listening, const std::function<int(std::vector<std::string>)>& run)
      : m_listening(std::move(listening)), m_run(run) {
    sigset_t ends{};
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &m_mask);
    m_ends = Descriptor(signalfd(-1, &ends, SFD_CLOEXEC));
  }

  void serve() {
    while (m_listening.get() >= 0 || !m_runs.empty()) {
      std::vector<pollfd> sources{{m_ends.get(), POLLIN, 0}, {m_listening.get(), POLLIN, 0}};
      for (const Run& run : m_runs) sources.push_back({run.client.get(), POLLIN, 0});
      const int ready = poll(sources.data(), sources.size(), m_runs.empty() ? idle_limit_ms : -1);
      if (ready == 0) return;
      if (ready < 0) continue;
      // A client says nothing more, so it has ended.
      for (std::size_t i = 0; i < m_runs.size(); ++i) {
        if (sources[i + 2].revents != 0) kill(-m_runs[i].pid, SIGKILL);
      }
      if (sources[0].revents != 0) tell_ends();
      if (sources[1].revents != 0) accept_one();
    }
  }

 private:
  void tell_ends() {
    signalfd_siginfo unused{};
    (void)!read(m_ends.get(), &unused, sizeof unused);
    int status = 0;
    for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
      const auto run = std::ranges::find(m_runs, pid, &Run::pid);
      if (run == m_runs.end()) continue;
      (void)send(run->client.get(), &status, sizeof status, MSG_NOSIGNAL);
      m_runs.erase(run);
    }
  }

  void accept_one() {
    Descriptor client(accept4(m_listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.get() < 0 || !is_of_this_user(client.get())) return;
    const std::optional<ForkRequest> request = receive_request(client.get());
    if (!request) return;
    if (request->arguments.empty()) {
      m_listening.reset();
      return;
    }
    const pid_t pid = fork();
    if (pid == 0) become(*request);
    if (pid > 0) m_runs.push_back({pid, std::move(client)});
  }

  [[noreturn]] void become(const ForkRequest& request) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    sigprocmask(SIG_SETMASK, &m_mask, nullptr);
    for (int i = 0; i < 3; ++i) dup2(request.descriptors[static_cast<std::size_t>(i)].get(), i);
    m_runs.clear();
    m_listening.reset();
    m_ends.reset();
    clearenv();
    for (const std::string& variable : request.environment) {
      const std::size_t equals = variable.find('=');
      if (equals != std::string::npos) {
        setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
      }
    }
    int code = ExitCode::harness_error;
    if (chdir(request.directory.c_str()) == 0) code = m_run(request.arguments);
    std::fflush(nullptr);
    _exit(code);
  }

  Descriptor m_listening;
  Descriptor m_ends;
  sigset_t m_mask{};
  const std::function<int(std::vector<std::string>)>& m_run;
  std::vector<Run> m_runs;
};

// Leaves the caller's session and terminal, so that the caller need not wait.
void detach() {
  setsid();
  (void)!chdir("/");
  const Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int i = 0; i < 3; ++i) dup2(nothing.get(), i);
}

}  // namespace

int serve_forks(const std::filesystem::path& program,
                const std::function<int(std::vector<std::string> arguments)>& run) {
  std::optional<Descriptor> listening = listen_at(fork_server_address(program));
  if (!listening) return ExitCode::pass;
  const pid_t pid = fork();
  require_call(pid >= 0, "cannot start the fork server of " + program.string());
  if (pid == 0) {
    detach();
    ForkServer(std::move(*listening), run).serve();
    _exit(ExitCode::pass);
  }
  return ExitCode::pass;
}

}  // namespace robust_kbench
