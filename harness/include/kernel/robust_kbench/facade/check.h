#pragma once

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <robust_kbench/facade/array_ref.h>
#include <robust_kbench/facade/macros.h>

namespace rkb {

// c10::Error: what a failed TORCH_CHECK and a refused call of the table throw.
class Error : public std::exception {
 public:
  explicit Error(std::string message) : m_message(std::move(message)) {}
  const char* what() const noexcept override { return m_message.c_str(); }
  const char* what_without_backtrace() const noexcept { return m_message.c_str(); }
  const std::string& msg() const noexcept { return m_message; }

 private:
  std::string m_message;
};

class OutOfMemoryError : public Error {
 public:
  using Error::Error;
};
class IndexError : public Error {
 public:
  using Error::Error;
};
class ValueError : public Error {
 public:
  using Error::Error;
};
class TypeError : public Error {
 public:
  using Error::Error;
};
class NotImplementedError : public Error {
 public:
  using Error::Error;
};

// Message parts: texts, numbers, and whatever of the facade has an append_to().
RKB_COLD inline void append_integer(std::string& text, long long value) {
  text += std::to_string(value);
}
RKB_COLD inline void append_unsigned(std::string& text, unsigned long long value) {
  text += std::to_string(value);
}
RKB_COLD inline void append_real(std::string& text, double value) {
  char digits[32];
  text.append(digits, static_cast<std::size_t>(std::snprintf(digits, sizeof digits, "%g", value)));
}

template <typename T>
void append_part(std::string& text, const T& part) {
  if constexpr (std::is_same_v<T, bool>) {
    append_integer(text, part ? 1 : 0);
  } else if constexpr (std::is_same_v<T, char>) {
    text += part;
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    append_integer(text, part);
  } else if constexpr (std::is_integral_v<T>) {
    append_unsigned(text, part);
  } else if constexpr (std::is_floating_point_v<T>) {
    append_real(text, static_cast<double>(part));
  } else if constexpr (std::is_convertible_v<T, const char*>) {
    const char* characters = part;
    text += characters == nullptr ? "(null)" : characters;
  } else if constexpr (std::is_same_v<T, std::string>) {
    text += part;
  } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
    append_to(text, IntArrayRef(part));
  } else {
    append_to(text, part);
  }
}

// By value, so that texts of any length share one instance.
template <typename... Parts>
RKB_COLD std::string str(Parts... parts) {
  std::string text;
  (append_part(text, parts), ...);
  return text;
}

template <typename Exception = Error, typename... Parts>
[[noreturn]] RKB_COLD void fail(Parts... parts) {
  throw Exception(str(parts...));
}

template <typename Exception = Error, typename... Parts>
[[noreturn]] RKB_COLD void check_failed(const char* condition, Parts... parts) {
  if constexpr (sizeof...(Parts) == 0) {
    throw Exception(str("Expected ", condition, " to be true, but got false."));
  } else {
    throw Exception(str(parts...));
  }
}

template <typename... Parts>
RKB_COLD void warn(Parts... parts) {
  std::fprintf(stderr, "Warning: %s\n", str(parts...).c_str());
}

}  // namespace rkb

#define RKB_CHECK_AS(exception, condition, ...)                  \
  do {                                                           \
    if (C10_UNLIKELY(!(condition))) {                            \
      ::rkb::check_failed<exception>(#condition, ##__VA_ARGS__); \
    }                                                            \
  } while (false)

#define TORCH_CHECK(condition, ...) RKB_CHECK_AS(::rkb::Error, condition, ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) RKB_CHECK_AS(::rkb::IndexError, condition, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) RKB_CHECK_AS(::rkb::ValueError, condition, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) RKB_CHECK_AS(::rkb::TypeError, condition, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) \
  RKB_CHECK_AS(::rkb::NotImplementedError, condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...) RKB_CHECK_AS(::rkb::Error, condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) \
  do {                                                   \
  } while (false)
#define AT_ASSERT(condition) RKB_CHECK_AS(::rkb::Error, condition)
#define AT_ASSERTM(condition, ...) RKB_CHECK_AS(::rkb::Error, condition, ##__VA_ARGS__)
#define AT_ERROR(...) ::rkb::fail(__VA_ARGS__)
#define TORCH_WARN(...) ::rkb::warn(__VA_ARGS__)
#define TORCH_WARN_ONCE(...) ::rkb::warn(__VA_ARGS__)

#define RKB_CHECK_COMPARISON(a, comparison, b)                                                 \
  TORCH_CHECK((a)comparison(b), "Check failed: " #a " " #comparison " " #b " (", (a), " vs. ", \
              (b), ")")
#define TORCH_CHECK_EQ(a, b) RKB_CHECK_COMPARISON(a, ==, b)
#define TORCH_CHECK_NE(a, b) RKB_CHECK_COMPARISON(a, !=, b)
#define TORCH_CHECK_LT(a, b) RKB_CHECK_COMPARISON(a, <, b)
#define TORCH_CHECK_LE(a, b) RKB_CHECK_COMPARISON(a, <=, b)
#define TORCH_CHECK_GT(a, b) RKB_CHECK_COMPARISON(a, >, b)
#define TORCH_CHECK_GE(a, b) RKB_CHECK_COMPARISON(a, >=, b)
