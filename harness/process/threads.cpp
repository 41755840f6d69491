#include "process/threads.hpp"

#include <cstdio>
#include <linux/futex.h>
#include <string>
#include <sys/syscall.h>

#include "process/proc_file.hpp"

namespace robust_kbench {
namespace {

std::string task_directory(pid_t process) {
  return "/proc/" + std::to_string(process) + "/task";
}

// True if the thread waits on a futex without a time limit. Its file has "running", or "number
// argument0 ... argument5 stack program-counter" of the system call that it sleeps in.
bool parked(const std::string& thread) {
  const std::string line = proc_file(thread + "/syscall");
  long number = -1;
  unsigned long address = 0;
  unsigned long operation = 0;
  unsigned long value = 0;
  unsigned long timeout = 0;
  const int fields = std::sscanf(line.c_str(), "%ld %lx %lx %lx %lx", &number, &address, &operation,
                                 &value, &timeout);
  if (fields != 5 || number != SYS_futex || timeout != 0) return false;
  const unsigned long command = operation & FUTEX_CMD_MASK;
  return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

}  // namespace

int thread_count(pid_t process) {
  return static_cast<int>(proc_entries(task_directory(process)).size());
}

bool threads_parked(pid_t process) {
  const std::string directory = task_directory(process);
  for (const std::string& thread : proc_entries(directory)) {
    if (thread != std::to_string(process) && !parked(directory + "/" + thread)) return false;
  }
  return true;
}

}  // namespace robust_kbench
