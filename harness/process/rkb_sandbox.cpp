#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

#include "core/error.hpp"
#include "process/call_filter.hpp"
#include "process/file_view.hpp"
#include "process/landlock.hpp"
#include "process/namespaces.hpp"
#include "process/privileges.hpp"
#include "process/sandbox_policy.hpp"
#include "process/socket_filter.hpp"

// usage: RKB_SANDBOX_POLICY=... rkb_sandbox PROGRAM ARGUMENT...
//
// Enters the sandbox that the policy describes (process/sandbox_policy.hpp), then executes the
// program. It is a separate program, since namespaces must not be made by a fork of a process with
// threads and secrets. `rkb_sandbox --able` exits with 0 if the policy can be enforced.
namespace robust_kbench {
namespace {

void enclose(const SandboxPolicy& policy) {
  if (!policy.network_namespace && !policy.view && !policy.process_namespace) return;
  enter_namespaces(policy);
  if (policy.view) enter_view(policy);
}

void restrict(const SandboxPolicy& policy) {
  if (policy.view) close_view(policy.process_namespace);
  refuse_new_privileges();
  if (!policy.tool) drop_capabilities();
  if (policy.landlock) restrict_files(policy);
  if (policy.socket_filter) refuse_sockets_and_tracing(policy.gpu);
  // The last, since it refuses further filters.
  if (policy.call_filter) allow_calls_of_kernels();
}

void report(int descriptor, const std::string& text) {
  const int to = descriptor >= 0 ? descriptor : STDERR_FILENO;
  if (write(to, text.data(), text.size()) < 0) _exit(ExitCode::harness_error);
}

SandboxPolicy policy_of_environment() {
  const char* text = std::getenv(sandbox_policy_variable);
  if (text == nullptr) {
    throw UserError(std::string(sandbox_policy_variable) +
                    " is not set; the harness starts this program, nobody else need");
  }
  SandboxPolicy policy = decode_sandbox_policy(text);
  unsetenv(sandbox_policy_variable);
  // The descriptor closes on exec, which tells the reader that the program has begun.
  if (policy.report >= 0) fcntl(policy.report, F_SETFD, FD_CLOEXEC);
  return policy;
}

// True in the process that is to become the program.
bool enter(const SandboxPolicy& policy) {
  const std::string directory = std::filesystem::current_path();
  enclose(policy);
  if (policy.process_namespace) {
    if (const auto started = start_processes(policy.lifeline)) {
      report(policy.report, sandbox_started + std::to_string(started->worker) + " " +
                                std::to_string(started->init) + "\n");
      return false;
    }
  }
  restrict(policy);
  if (chdir(directory.c_str()) != 0) throw system_failure("chdir to " + directory);
  return true;
}

int run(int argc, char** argv) {
  SandboxPolicy policy;
  try {
    policy = policy_of_environment();
    if (argc < 2) throw UserError("there is no program to run");
    if (!enter(policy)) return ExitCode::pass;
    if (std::string_view(argv[1]) == "--able") return ExitCode::pass;
    execvp(argv[1], argv + 1);
    throw system_failure(std::string("exec ") + argv[1]);
  } catch (const std::exception& error) {
    report(policy.report, std::string(sandbox_failed) + error.what() + "\n");
    return ExitCode::harness_error;
  }
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::run(argc, argv);
}
