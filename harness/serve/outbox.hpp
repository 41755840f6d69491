#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "core/descriptor.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Lines that wait to be written. Any thread puts them in and waits for nobody; one thread writes.
class Outbox {
 public:
  // Throws HarnessError.
  Outbox();

  void put(const nlohmann::json& line);
  [[nodiscard]] bool empty() const;
  // Returns whether lines were lost, since the client reads less than it is sent.
  [[nodiscard]] bool overflowed() const;

  // A descriptor that is readable from when a line is put in until that is acknowledged.
  [[nodiscard]] int wakeup() const { return m_wakeup.get(); }
  void acknowledge_wakeup() const;

  // Writes so little that a descriptor which poll() calls writable does not block. Returns false
  // where nobody reads any longer.
  bool write_some(int fd);

 private:
  mutable std::mutex m_mutex;
  std::string m_bytes;
  std::size_t m_written = 0;  // of m_bytes
  bool m_overflowed = false;
  Descriptor m_wakeup;
};

}  // namespace robust_kbench
