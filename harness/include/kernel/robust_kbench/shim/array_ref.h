#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#ifndef RKB_WITHOUT_TUPLE
#include <array>
#endif
#ifndef RKB_WITHOUT_VECTOR
#include <vector>
#endif

namespace rkb {

// A borrowed array of T. Its elements must outlive it.
template <typename T>
class ArrayRef {
 public:
  using value_type = T;
  using iterator = const T*;
  using const_iterator = const T*;
  using size_type = std::size_t;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T& one) : m_data(&one), m_size(1) {}
  constexpr ArrayRef(const T* data, std::size_t size) : m_data(data), m_size(size) {}
  constexpr ArrayRef(const T* begin, const T* end)
      : m_data(begin), m_size(static_cast<std::size_t>(end - begin)) {}
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  // Valid only for the length of one call, as in empty({2, 3}).
  constexpr ArrayRef(const std::initializer_list<T>& list)
      : m_data(list.size() == 0 ? nullptr : list.begin()), m_size(list.size()) {}
#pragma GCC diagnostic pop
#ifndef RKB_WITHOUT_VECTOR
  template <typename Allocator>
  ArrayRef(const std::vector<T, Allocator>& vector) : m_data(vector.data()), m_size(vector.size()) {
    static_assert(!std::is_same_v<T, bool>, "a vector<bool> has no array to refer to");
  }
  std::vector<T> vec() const {
    return {begin(), end()};
  }
#endif
#ifndef RKB_WITHOUT_TUPLE
  template <std::size_t N>
  constexpr ArrayRef(const std::array<T, N>& array) : m_data(array.data()), m_size(N) {}
#endif
  template <std::size_t N>
  constexpr ArrayRef(const T (&array)[N]) : m_data(array), m_size(N) {}

  constexpr const T* begin() const {
    return m_data;
  }
  constexpr const T* end() const {
    return m_data + m_size;
  }
  constexpr const T* data() const {
    return m_data;
  }
  constexpr std::size_t size() const {
    return m_size;
  }
  constexpr bool empty() const {
    return m_size == 0;
  }
  constexpr const T& operator[](std::size_t index) const {
    return m_data[index];
  }
  constexpr const T& at(std::size_t index) const {
    return m_data[index];
  }
  constexpr const T& front() const {
    return m_data[0];
  }
  constexpr const T& back() const {
    return m_data[m_size - 1];
  }
  constexpr ArrayRef slice(std::size_t from, std::size_t count) const {
    return {m_data + from, count};
  }
  constexpr ArrayRef slice(std::size_t from) const {
    return {m_data + from, m_size - from};
  }
  bool equals(ArrayRef other) const {
    return *this == other;
  }

  friend bool operator==(ArrayRef a, ArrayRef b) {
    if (a.m_size != b.m_size) return false;
    for (std::size_t i = 0; i < a.m_size; ++i) {
      if (!(a.m_data[i] == b.m_data[i])) return false;
    }
    return true;
  }
  friend bool operator!=(ArrayRef a, ArrayRef b) {
    return !(a == b);
  }

 private:
  const T* m_data = nullptr;
  std::size_t m_size = 0;
};

using IntArrayRef = ArrayRef<std::int64_t>;

}  // namespace rkb
