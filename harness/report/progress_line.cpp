#include "report/progress_line.hpp"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/terminal.hpp"
#include "core/utf8.hpp"
#include "process/escape.hpp"

namespace robust_kbench {

std::size_t ProgressLine::width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

ProgressLine::ProgressLine() : m_terminal(isatty(STDERR_FILENO) == 1 && !is_quiet()) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::update(const std::string& text) {
  using namespace std::chrono;
  if (!m_terminal || steady_clock::now() - m_last < milliseconds{100}) return;
  m_last = steady_clock::now();
  const std::string shown = first_line(escaped_line(text), width() - 1);
  std::fprintf(stderr, "\r\033[K%s", shown.c_str());
  m_drawn = true;
}

void ProgressLine::finish(const std::string& text) {
  clear();
  if (!is_quiet()) std::fprintf(stderr, "%s\n", escaped_line(text).c_str());
}

void ProgressLine::clear() {
  if (m_drawn) std::fputs("\r\033[K", stderr);
  m_drawn = false;
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

}  // namespace robust_kbench
