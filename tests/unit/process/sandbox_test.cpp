#include <arpa/inet.h>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <grp.h>
#include <netinet/in.h>
#include <optional>
#include <sstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "process/landlock.hpp"
#include "process/process_tree.hpp"
#include "process/sandbox_facts.hpp"
#include "process/spawn.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr uid_t nobody = 65534;
constexpr int landlock_for_signals = 6;  // the first version that refuses them

// The available means of the operating system, and the user who makes the sandbox.
struct Means {
  const char* name;
  bool namespaces;
  bool restrictions;  // Landlock and seccomp
  bool as_root;
};

std::ostream& operator<<(std::ostream& out, const Means& means) {
  return out << means.name;
}

// A process of the machine that a sandbox must not see.
class Bystander {
 public:
  Bystander() {
    m_pid = spawn({.arguments = {"/bin/sleep", "1000"},
                   .environment = std::vector<std::string>{"MARKER=of_a_bystander"}})
                .pid;
  }
  ~Bystander() {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
    unregister_child(m_pid);
  }
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;
  [[nodiscard]] std::string pid() const { return std::to_string(m_pid); }
  [[nodiscard]] bool lives() const {
    siginfo_t ended{};
    const int options = WEXITED | WNOHANG | WNOWAIT;
    return waitid(P_PID, static_cast<id_t>(m_pid), &ended, options) == 0 && ended.si_pid == 0;
  }

 private:
  pid_t m_pid = 0;
};

int listen_on_loopback(std::string& port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener, any, size) != 0 || listen(listener, 2) != 0 ||
      getsockname(listener, any, &size) != 0) {
    throw system_failure("listen");
  }
  port = std::to_string(ntohs(address.sin_port));
  return listener;
}

// Connects to a port in a subshell, since bash exits where that fails.
std::string connect_to(const std::string& port) {
  return "(exec 5<>/dev/tcp/127.0.0.1/" + port + ") && echo connected";
}

// True if a script succeeds without a sandbox.
bool succeeds(const std::string& script) {
  const pid_t child = spawn({.arguments = {"/bin/bash", "-c", script}}).pid;
  int status = 0;
  waitpid(child, &status, 0);
  unregister_child(child);
  return status == 0;
}

class Sandbox : public testing::TestWithParam<Means> {
 protected:
  void SetUp() override {
    if (GetParam().as_root && geteuid() != 0) GTEST_SKIP() << "this test is not run by root";
    // Tests run as another user, who must reach these directories.
    for (const fs::path& directory : {m_scratch.path(), m_outside.path(), m_programs.path()}) {
      fs::permissions(directory, fs::perms::all);
    }
    fs::copy_file(RKB_SANDBOX, m_program);
  }

  // The output of a script in the sandbox. Nothing if this machine does not allow the sandbox.
  std::optional<std::string> shell(const std::string& script) {
    const fs::path output = m_outside.path() / "output";
    std::ofstream(output).close();
    fs::permissions(output, fs::perms::all);
    int status = 0;
    const pid_t child = fork();
    if (child == 0) _exit(run_or_say_why(script, output));
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == missing) return std::nullopt;
    EXPECT_EQ(status, 0);
    std::stringstream text;
    text << std::ifstream(output).rdbuf();
    return text.str();
  }

  const TemporaryDirectory m_scratch{"scratch"};
  const TemporaryDirectory m_outside{"outside"};
  Enclosed m_enclosed = Enclosed::worker;
  bool m_gpu = false;

 private:
  static constexpr int missing = 77;

  // A copy of the program, since the other user may not read the build's directory.
  const TemporaryDirectory m_programs{"programs"};
  const fs::path m_program = m_programs.path() / "rkb_sandbox";

  // In the child, an exception would continue with the next test.
  int run_or_say_why(const std::string& script, const fs::path& output) {
    try {
      return run(script, output);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  }

  // Called in a child process, which may become another user for good.
  int run(const std::string& script, const fs::path& output) {
    if (!GetParam().as_root && geteuid() == 0) {
      if (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0) return 1;
    }
    const SandboxFacts facts = sandbox_facts(m_program);
    SandboxPolicy policy = sandbox_policy(m_enclosed, m_gpu, facts);
    if (GetParam().namespaces && !policy.process_namespace) return missing;
    const bool restricts = policy.landlock && (policy.socket_filter || policy.tool);
    if (GetParam().restrictions && !restricts) return missing;
    if (!GetParam().namespaces) {
      policy.user_namespace = policy.network_namespace = policy.process_namespace = policy.view =
          false;
    }
    if (!GetParam().restrictions) policy.landlock = policy.socket_filter = false;
    policy.writable = {m_scratch.path()};
    const int file = open(output.c_str(), O_WRONLY);
    const Spawned spawned = spawn({.arguments = {"/bin/bash", "-c", script},
                                   .environment = std::vector<std::string>{"PATH=/usr/bin:/bin"},
                                   .working_directory = m_scratch.path(),
                                   .descriptors = {{file, STDOUT_FILENO}, {file, STDERR_FILENO}},
                                   .untrusted = true,
                                   .sandbox = Enclosure{m_program, policy}});
    waitpid(spawned.pid, nullptr, 0);
    return 0;
  }
};

#define IN_SANDBOX(output, script)                         \
  const std::optional<std::string> output = shell(script); \
  if (!(output)) GTEST_SKIP() << "this machine does not have these means"

TEST_P(Sandbox, SeesNoOtherProcess) {
  const Bystander bystander;
  IN_SANDBOX(output, "cat /proc/[0-9]*/environ /proc/" + bystander.pid() +
                         "/{environ,cmdline}; kill " + bystander.pid() +
                         " && echo killed; echo done");
  EXPECT_THAT(*output, HasSubstr("done"));
  EXPECT_THAT(*output, Not(HasSubstr("MARKER")));
  EXPECT_THAT(*output, Not(HasSubstr("1000")));
  if (GetParam().namespaces || landlock_version() >= landlock_for_signals) {
    EXPECT_THAT(*output, Not(HasSubstr("killed")));
    EXPECT_TRUE(bystander.lives());
  }
}

TEST_P(Sandbox, ReachesNoListener) {
  std::string port;
  const int listener = listen_on_loopback(port);
  EXPECT_TRUE(succeeds(connect_to(port)));
  IN_SANDBOX(output, connect_to(port) + "; echo done");
  close(listener);
  EXPECT_THAT(*output, HasSubstr("done"));
  EXPECT_THAT(*output, Not(HasSubstr("connected")));
}

TEST_P(Sandbox, ReadsNoFileOfTheUser) {
  const fs::path secret = m_outside.path() / "secret";
  std::ofstream(secret) << "of the user\n";
  fs::permissions(secret, fs::perms::all);
  IN_SANDBOX(output, "cat " + secret.string() +
                         " /etc/passwd /proc/1/root/etc/passwd; "
                         "ls " +
                         m_outside.path().string() + "; echo done");
  EXPECT_THAT(*output, HasSubstr("done"));
  EXPECT_THAT(*output, Not(HasSubstr("of the user")));
  EXPECT_THAT(*output, Not(HasSubstr("root:")));
}

TEST_P(Sandbox, WritesOnlyInItsScratchDirectory) {
  IN_SANDBOX(output, "echo inside > " + m_scratch.path().string() + "/file; cat file; echo x > " +
                         m_outside.path().string() +
                         "/file; echo x > /usr/rkb_test; echo x > "
                         "/tmp/rkb_test; echo x > /dev/null && echo done");
  EXPECT_THAT(*output, HasSubstr("inside"));
  EXPECT_THAT(*output, HasSubstr("done"));
  for (const fs::path& file :
       {m_outside.path() / "file", fs::path("/usr/rkb_test"), fs::path("/tmp/rkb_test")}) {
    EXPECT_FALSE(fs::remove(file)) << file << " was written";
  }
}

TEST_P(Sandbox, HasNoPrivileges) {
  IN_SANDBOX(output, "mknod device c 1 3; mount -t tmpfs none . && echo mounted; echo done");
  EXPECT_THAT(*output, HasSubstr("done"));
  EXPECT_THAT(*output, Not(HasSubstr("mounted")));
  EXPECT_FALSE(fs::exists(m_scratch.path() / "device"));
}

// A GPU's driver opens this file as fopen(path, "w") does, and cuInit fails if it cannot.
class SandboxOfAGpu : public Sandbox {
 protected:
  // $BASHPID is also the id of the thread in the shell that runs this.
  static constexpr const char* naming =
      "echo driver > /proc/self/task/$BASHPID/comm && read name < /proc/self/comm; "
      "echo name: $name";

  SandboxOfAGpu() { m_gpu = true; }
};

TEST_P(SandboxOfAGpu, LetsTheDriverNameItsThreads) {
  IN_SANDBOX(output, naming);
  EXPECT_THAT(*output, HasSubstr("name: driver"));
}

TEST_P(SandboxOfAGpu, LetsTheDriverBelowAToolNameItsThreads) {
  m_enclosed = Enclosed::tool;
  if (!GetParam().namespaces) GTEST_SKIP() << "there it may write to no process";
  IN_SANDBOX(output, "(" + std::string(naming) + ")");
  EXPECT_THAT(*output, HasSubstr("name: driver"));
}

TEST_P(SandboxOfAGpu, ChangesNoSettingOfTheKernel) {
  IN_SANDBOX(output,
             "for device in /proc/bus/pci/00/*; do exec 3<>$device && echo written; done; "
             "for file in domainname panic; do read value < /proc/sys/kernel/$file; "
             "echo \"$value\" > /proc/sys/kernel/$file && echo written; done; echo done");
  EXPECT_THAT(*output, HasSubstr("done"));
  EXPECT_THAT(*output, Not(HasSubstr("written")));
}

const auto all_means = testing::Values(
    Means{"all_means_as_root", true, true, true}, Means{"all_means_as_user", true, true, false},
    Means{"namespaces_as_root", true, false, true}, Means{"namespaces_as_user", true, false, false},
    Means{"restrictions_as_root", false, true, true},
    Means{"restrictions_as_user", false, true, false});
const auto name_of_means = [](const auto& test) { return std::string(test.param.name); };
INSTANTIATE_TEST_SUITE_P(By, Sandbox, all_means, name_of_means);
INSTANTIATE_TEST_SUITE_P(By, SandboxOfAGpu, all_means, name_of_means);

TEST(SandboxPolicy, RoundTripsThroughItsText) {
  const SandboxPolicy policy{.network_namespace = true,
                             .landlock = true,
                             .readable = {"/a b", "/c"},
                             .writable = {"/d"},
                             .report = 7};
  EXPECT_EQ(encode(decode_sandbox_policy(encode(policy))), encode(policy));
  EXPECT_THROW(decode_sandbox_policy("everything\n"), HarnessError);
  EXPECT_THROW(encode({.readable = {"/a\nlandlock"}}), HarnessError);
  EXPECT_THROW(encode({.readable = {"/usr/.."}}), HarnessError);
}

TEST(SandboxMeans, AreNoneWhereNothingCanBeEnforced) {
  const SandboxFacts& facts = sandbox_facts("/nowhere/rkb_sandbox");
  const SandboxMeans means = sandbox_means(sandbox_policy(Enclosed::worker, false, facts));
  EXPECT_THAT(means.missing(), testing::ElementsAre("network", "files", "processes"));
}

}  // namespace
}  // namespace robust_kbench
