#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/descriptor.hpp"

namespace robust_kbench {

// A process's claim on memory that several processes share.
struct ClaimRecord {
  enum State : std::uint32_t {
    waiting,  // holds nothing, and waits for `bytes`
    held,
    kept,  // held even while its process waits for other claims, as for a context
  };
  std::uint64_t ticket = 0;  // earlier claims have smaller tickets
  std::uint64_t bytes = 0;
  std::int32_t pid = 0;
  State state = waiting;
};

// A file with one record for each claim. A claiming process locks its record's bytes. The operating
// system drops the lock when the process dies, so an unlocked record is no claim. Each ClaimFile
// object has at most one record. Its lock excludes all other objects, even those of the same
// process.
class ClaimFile {
 public:
  // Throws HarnessError where the file cannot be made.
  explicit ClaimFile(std::string path);

  // A turn in which this process alone reads and writes the file. Throws HarnessError where another
  // process does not end its turn within a minute.
  class Turn {
   public:
    explicit Turn(ClaimFile& file);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    [[nodiscard]] std::vector<ClaimRecord> others() const;
    // Writes the object's own record, which the first call creates.
    void write(const ClaimRecord& record);

   private:
    ClaimFile& m_file;
  };

  [[nodiscard]] const std::string& path() const { return m_path; }
  // False if the file was removed. New claimants then make a new file, and see none of its records.
  [[nodiscard]] bool is_current() const;

 private:
  [[nodiscard]] std::size_t record_count() const;
  void take_free_record();

  std::string m_path;
  Descriptor m_fd;
  std::size_t m_own = 0;  // index of the own record, from 1 on; 0: none
};

}  // namespace robust_kbench
