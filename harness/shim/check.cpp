#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "shim/message.hpp"
#include <robust_kbench/shim/check.h>

namespace rkb {

// The header of a message, whose characters follow in the same block of memory.
struct Error::Text {
  std::atomic<int> owners{1};
  char* characters() { return reinterpret_cast<char*>(this + 1); }
};

Error::Error(const char* message) {
  const std::size_t size = std::strlen(message) + 1;
  m_text = new (::operator new(sizeof(Text) + size)) Text;
  std::memcpy(m_text->characters(), message, size);
}
Error::Error(const Error& other) noexcept : m_text(other.m_text) {
  ++m_text->owners;
}
Error& Error::operator=(const Error& other) noexcept {
  Error copy(other);
  std::swap(m_text, copy.m_text);
  return *this;
}
Error::~Error() {
  if (--m_text->owners == 0) ::operator delete(m_text);
}
const char* Error::what() const noexcept {
  return m_text->characters();
}

void check_failed(ErrorType type, const char* condition, Message message) {
  const std::string reason = message.size() == 0
                                 ? text({"Expected ", condition, " to be true, but got false."})
                                 : text(message);
  switch (type) {
    case ErrorType::index:
      throw IndexError(reason);
    case ErrorType::value:
      throw ValueError(reason);
    case ErrorType::type:
      throw TypeError(reason);
    case ErrorType::not_implemented:
      throw NotImplementedError(reason);
    case ErrorType::error:
      break;
  }
  throw Error(reason);
}

void fail(Message message) {
  throw Error(text(message));
}

void warn(Message message) {
  std::fprintf(stderr, "Warning: %s\n", text(message).c_str());
}

}  // namespace rkb
