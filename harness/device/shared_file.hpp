#pragma once

#include <string>

#include "core/descriptor.hpp"

namespace robust_kbench {

// A file that every user's processes may lock and write: what they share is the machine's.
// Opens it, or makes it where there is none. Throws HarnessError.
Descriptor open_shared_file(const std::string& path);

// False where the file was removed since, so that others may have made a new one at its path.
bool is_still_at(int fd, const std::string& path);

// Of GPU 0: "/tmp/robust-kbench-0000:17:00.0.<name>", since the same GPU has other numbers in other
// processes. Makes no context there. Throws HarnessError where there is no GPU.
std::string shared_file_of_gpu(const std::string& name);

}  // namespace robust_kbench
