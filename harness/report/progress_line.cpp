#include "report/progress_line.hpp"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/terminal.hpp"
#include "core/utf8.hpp"
#include "process/escape.hpp"
#include "report/progress_bar.hpp"

namespace robust_kbench {

namespace {

// Columns of the terminal, or 80 where there is none.
std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// A quarter of the line is the bar's.
std::size_t bar_columns() {
  return terminal_columns() / 4;
}

}  // namespace

std::size_t ProgressLine::room() {
  // A line that fills the last column would begin another one.
  const std::size_t taken = bar_columns() + 2;
  const std::size_t columns = terminal_columns();
  return columns > taken ? columns - taken : 0;
}

ProgressLine::ProgressLine() : m_terminal(can_rewrite(STDERR_FILENO) && !is_quiet()) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::update(const std::string& text, std::optional<double> share) {
  using namespace std::chrono;
  if (!m_terminal || steady_clock::now() - m_last < milliseconds{100}) return;
  m_last = steady_clock::now();
  std::string bar = share ? progress_bar(*share, bar_columns(), has_color(STDERR_FILENO)) : "";
  const std::size_t columns = bar.empty() ? terminal_columns() - 1 : room();
  if (!bar.empty()) bar += " ";
  const std::string shown = first_line(escaped_line(text), columns);
  std::fprintf(stderr, "\r\033[K%s%s", bar.c_str(), shown.c_str());
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
