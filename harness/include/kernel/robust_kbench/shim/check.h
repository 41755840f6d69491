#pragma once

#include <exception>

#include <robust_kbench/shim/macros.h>
#include <robust_kbench/shim/message.h>

namespace rkb {

// c10::Error, which a failed TORCH_CHECK and a failed call of the table throw.
class Error : public std::exception {
 public:
  explicit Error(const char* message);
  Error(const Error& other) noexcept;
  Error& operator=(const Error& other) noexcept;
  ~Error() override;

  const char* what() const noexcept override;
  const char* what_without_backtrace() const noexcept { return what(); }
#ifndef RKB_WITHOUT_STRING
  explicit Error(const std::string& message) : Error(message.c_str()) {}
  std::string msg() const {
    return what();
  }
#endif

 private:
  struct Text;
  Text* m_text;  // shared by all copies of a thrown error
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

enum class ErrorType { error, index, value, type, not_implemented };

// Throws an error of this type. An empty message is replaced by one that quotes the condition.
[[noreturn]] RKB_COLD void check_failed(ErrorType type, const char* condition, Message message);
[[noreturn]] RKB_COLD void fail(Message message);
RKB_COLD void warn(Message message);

}  // namespace rkb

#define RKB_CHECK_AS(error_type, condition, ...)                                    \
  do {                                                                              \
    if (C10_UNLIKELY(!(condition))) {                                               \
      ::rkb::check_failed(::rkb::ErrorType::error_type, #condition, {__VA_ARGS__}); \
    }                                                                               \
  } while (false)

#define TORCH_CHECK(condition, ...) RKB_CHECK_AS(error, condition, ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) RKB_CHECK_AS(index, condition, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) RKB_CHECK_AS(value, condition, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) RKB_CHECK_AS(type, condition, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) \
  RKB_CHECK_AS(not_implemented, condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...) RKB_CHECK_AS(error, condition, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) \
  do {                                                   \
  } while (false)
#define AT_ASSERT(condition) RKB_CHECK_AS(error, condition)
#define AT_ASSERTM(condition, ...) RKB_CHECK_AS(error, condition, ##__VA_ARGS__)
#define AT_ERROR(...) ::rkb::fail({__VA_ARGS__})
#define TORCH_WARN(...) ::rkb::warn({__VA_ARGS__})
#define TORCH_WARN_ONCE(...) ::rkb::warn({__VA_ARGS__})

#define RKB_CHECK_COMPARISON(a, comparison, b)                                                 \
  TORCH_CHECK((a)comparison(b), "Check failed: " #a " " #comparison " " #b " (", (a), " vs. ", \
              (b), ")")
#define TORCH_CHECK_EQ(a, b) RKB_CHECK_COMPARISON(a, ==, b)
#define TORCH_CHECK_NE(a, b) RKB_CHECK_COMPARISON(a, !=, b)
#define TORCH_CHECK_LT(a, b) RKB_CHECK_COMPARISON(a, <, b)
#define TORCH_CHECK_LE(a, b) RKB_CHECK_COMPARISON(a, <=, b)
#define TORCH_CHECK_GT(a, b) RKB_CHECK_COMPARISON(a, >, b)
#define TORCH_CHECK_GE(a, b) RKB_CHECK_COMPARISON(a, >=, b)
