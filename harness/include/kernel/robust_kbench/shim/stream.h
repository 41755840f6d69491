#pragma once

#include <iosfwd>

#include <robust_kbench/shim/options.h>
#include <robust_kbench/shim/scalar.h>

// Prints the shim's types to C++ streams as torch prints them. <ostream> costs more than the whole
// shim, so only a kernel that prints includes it.
namespace rkb {

// Calls `write` with `stream` and the text of a message.
RKB_COLD void write_text(void (*write)(void* stream, const char* text), void* stream,
                         Message message);

template <typename Traits>
std::basic_ostream<char, Traits>& write_message(std::basic_ostream<char, Traits>& out,
                                                Message message) {
  write_text(
      [](void* stream, const char* text) {
        *static_cast<std::basic_ostream<char, Traits>*>(stream) << text;
      },
      &out, message);
  return out;
}

template <typename T, typename... Types>
inline constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);

// A template allows no implicit conversions, so that other types of the kernel are not printed by
// this operator.
template <typename Traits, typename T,
          typename = std::enable_if_t<is_one_of<T, ScalarType, DeviceType, Device, Layout,
                                                MemoryFormat, TensorOptions, Scalar>>>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const T& value) {
  return write_message(out, {value});
}

template <typename Traits, typename T>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             ArrayRef<T> list) {
  const char* before = "[";
  for (const T& item : list) {
    out << before << item;
    before = ", ";
  }
  return out << (list.empty() ? "[]" : "]");
}

}  // namespace rkb
