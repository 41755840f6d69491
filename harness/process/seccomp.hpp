#pragma once

#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <span>

namespace robust_kbench::seccomp {

// Parts of seccomp filters. Calls by the numbers of another architecture are refused by each
// filter, or by another one installed with it.
#if defined(__x86_64__)
inline constexpr unsigned architecture = AUDIT_ARCH_X86_64;
inline constexpr unsigned first_foreign_call = 0x40000000;  // first call of the x32 interface
#elif defined(__aarch64__)
inline constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
inline constexpr unsigned first_foreign_call = ~0U;
#else
#error "which architecture seccomp tells of is not known here"
#endif

constexpr unsigned refuse_with(unsigned error) {
  return SECCOMP_RET_ERRNO | error;
}
constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
constexpr sock_filter unless_equal(unsigned value, unsigned char skip) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
}
constexpr sock_filter unless_at_least(unsigned value, unsigned char skip) {
  return BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, skip);
}
constexpr sock_filter answer(unsigned value) {
  return BPF_STMT(BPF_RET | BPF_K, value);
}

// Installs a filter for this process and all that it starts. Needs "no new privileges". Throws
// HarnessError.
void install(std::span<sock_filter> program);

}  // namespace robust_kbench::seccomp
