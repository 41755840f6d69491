// Loads no kernel. The name of the "library" that it has to load says what the call does.

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <map>
#include <new>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "ipc/arena.hpp"
#include "runner/allocate.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {
namespace {

constexpr int channel_fd = 3;

void sleep_for_ever() {
  while (true) pause();
}

// Starts a process that does not end. On request it leaves the session, and its parent.
void leave_child(bool own_session, bool orphan) {
  if (const pid_t child = fork(); child != 0) {
    if (orphan) waitpid(child, nullptr, 0);  // until then there are two processes
    return;
  }
  if (own_session) setsid();
  if (orphan && fork() != 0) _exit(0);
  sleep_for_ever();
}

// Starts an orphan in a session of its own, which nobody has seen as a child. `live` is the
// orphan's code. It is ready once it closes the descriptor that it gets, for example by an exec.
void leave_unseen_orphan(const std::function<void(int)>& live) {
  std::array<int, 2> alive{};
  if (pipe2(alive.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    close(alive[0]);
    live(alive[1]);
  }
  close(alive[1]);
  waitpid(child, nullptr, 0);
  char nothing = 0;
  if (read(alive[0], &nothing, 1) != 0) throw std::runtime_error("it wrote");
  close(alive[0]);
}

void claim_to_be_anothers(int) {
  std::array<char, 32> forged{"RKB_WORKER=0123456789abcdef"};
  std::array<char*, 2> environment{forged.data(), nullptr};
  execle("/bin/sleep", "sleep", "1000", nullptr, environment.data());
}

void live_in_second_thread(int alive) {
  clearenv();
  std::thread([alive] {
    std::array<char, 512> stat{};
    while (std::strstr(stat.data(), ") Z ") == nullptr) {
      const int fd = open("/proc/self/stat", O_RDONLY);
      if (read(fd, stat.data(), stat.size() - 1) < 0) break;
      close(fd);
    }
    close(alive);
    sleep_for_ever();
  }).detach();
  syscall(SYS_exit, 0);
}

void wait_for_child() {
  if (std::system("exit 0") != 0) throw std::runtime_error("no shell");
}

// Dies while a child keeps the channel open, so that there is no end of file.
void die_holding_channel() {
  leave_child(true, false);
  _exit(5);
}

void close_channel_and_live() {
  close(channel_fd);
  sleep_for_ever();
}

// Answers the next request before it is made.
void answer_ahead() {
  const char body[] = R"({"answer":"results","nonce":1,"body":{"layouts":[[]],"calls":[[1,0]]}})";
  const auto length = static_cast<unsigned>(sizeof(body) - 1);
  send(channel_fd, &length, sizeof(length), 0);
  send(channel_fd, body, length, 0);
}

void announce_too_much() {
  const unsigned length = 0xffffffffU;
  send(channel_fd, &length, sizeof(length), 0);
  sleep_for_ever();
}

void allocate_for_ever() {
  while (true) std::memset(::operator new (std::size_t{64} << 20), 1, std::size_t{64} << 20);
}

void print_for_ever() {
  while (std::fputs("text\n", stdout) >= 0) {
  }
}

// Its working directory is its temporary one. In a sandbox not all of it may fit.
void write_files() {
  const std::array<char, 1 << 20> content{};
  for (const char* name : {"one", "two", "three"}) {
    const int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    (void)!write(file, content.data(), content.size());
    close(file);
  }
  sleep_for_ever();
}

void start_threads() {
  for (int i = 0; i < 20; ++i) std::thread(sleep_for_ever).detach();
  sleep_for_ever();
}

void print_to_both() {
  std::puts("one");
  std::fputs("two\n", stderr);
  std::printf("three");
}

void complain_and_abort() {
  std::fputs("[  PASSED  ] \x1b[2J bad \xff\n", stderr);
  std::abort();
}

// Each broken promise about the worker's surroundings has an exit code of its own.
void check_surroundings() {
  const auto is = [](const char* name, const char* value) {
    const char* found = std::getenv(name);
    return found != nullptr && std::strcmp(found, value) == 0;
  };
  rlimit core{};
  getrlimit(RLIMIT_CORE, &core);
  if (!is("LC_ALL", "C") || !is("OMP_NUM_THREADS", "3") || !is("OMP_PROC_BIND", "true")) _exit(10);
  if (!is("OMP_WAIT_POLICY", "passive")) _exit(10);
  if (std::getenv("RKB_TEST_SECRET") != nullptr) _exit(11);
  if (core.rlim_cur != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) _exit(12);
  if (getsid(0) != getpid() || getpgrp() != getpid()) _exit(13);
  if (fcntl(5, F_GETFD) != -1 || fcntl(99, F_GETFD) != -1) _exit(14);
  char byte = 0;
  if (read(STDIN_FILENO, &byte, 1) != 0) _exit(15);
  if (std::getenv("HOME") == nullptr || access(std::getenv("HOME"), W_OK) != 0) _exit(16);
}

// NOLINTNEXTLINE(misc-no-recursion): the script overflows the stack by recursion
int overflow_stack(int depth) {
  std::array<volatile char, 4096> page{};
  page[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow_stack(depth + 1) + page[0];
}

void start_idle_thread() {
  static std::atomic<int> never{0};
  std::thread([] { never.wait(0); }).detach();
}

void start_sleeping_thread() {
  std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
}

const std::map<std::string, std::function<void()>>& scripts() {
  static const std::map<std::string, std::function<void()>> scripts{
      {"nothing", [] {}},
      {"segfault", [] { raise(SIGSEGV); }},
      {"write to null", [] { *static_cast<volatile int*>(nullptr) = 1; }},
      {"overflow the stack", [] { overflow_stack(0); }},
      {"kill", [] { raise(SIGKILL); }},
      {"abort", complain_and_abort},
      {"exit 0", [] { _exit(0); }},
      {"exit 77",
       [] {
         std::puts("[  SKIPPED ]");
         std::exit(77);
       }},
      {"hang", sleep_for_ever},
      {"stop", [] { raise(SIGSTOP); }},
      {"throw", [] { throw std::runtime_error("kernel says \x1b[31mno"); }},
      {"no memory", [] { throw std::bad_alloc(); }},
      {"allocate", allocate_for_ever},
      {"allocate in a thread", [] { std::thread(allocate_for_ever).join(); }},
      {"print", print_for_ever},
      {"write files", write_files},
      {"start threads", start_threads},
      {"print to both", print_to_both},
      {"child", [] { leave_child(false, false); }},
      {"orphan", [] { leave_child(false, true); }},
      {"session", [] { leave_child(true, false); }},
      {"orphan session", [] { leave_child(true, true); }},
      {"forged orphan", [] { leave_unseen_orphan(claim_to_be_anothers); }},
      {"orphan's thread", [] { leave_unseen_orphan(live_in_second_thread); }},
      {"waited child", wait_for_child},
      {"hold channel", die_holding_channel},
      {"close channel", close_channel_and_live},
      {"answer ahead", answer_ahead},
      {"announce", announce_too_much},
      {"surroundings", check_surroundings},
      {"idle thread", start_idle_thread},
      {"sleeping thread", start_sleeping_thread},
  };
  return scripts;
}

class ScriptedSubject : public Subject {
 public:
  explicit ScriptedSubject(Arena& arena) : m_arena(arena) {}

  Loaded load(const Load& load) override {
    if (load.library == "exit in load") _exit(0);
    if (!scripts().contains(load.library)) {
      throw SubjectError(Failure::load_error, "there is no library '" + load.library + "'");
    }
    m_script = scripts().at(load.library);
    return {.parameters = {{.name = "x", .kind = 1}}, .headers = KernelHeaders::shim};
  }

  void prepare(const std::vector<Call>& calls) override { m_calls = calls.size(); }
  void call(std::size_t) override { m_script(); }

  std::vector<std::vector<ResultValue>> collect() override {
    const std::uint64_t offset = *m_arena.offset_of(arena_allocate(m_arena, 4), 4);
    return {m_calls, {TensorRef{.offset = offset, .sizes = {1}, .strides = {1}}}};
  }

  void release() override {}

 private:
  Arena& m_arena;
  std::function<void()> m_script;
  std::size_t m_calls = 0;
};

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  if (argc > 1 && argv[1] == std::string_view("never-starts")) robust_kbench::sleep_for_ever();
  robust_kbench::Arena arena = robust_kbench::Arena::attach(4);
  robust_kbench::ScriptedSubject subject(arena);
  return robust_kbench::serve(robust_kbench::channel_fd, arena, subject);
}
