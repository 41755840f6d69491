#pragma once

#include <string>

#include "core/descriptor.hpp"

namespace robust_kbench {

// Opens, or creates, a file that stands for a resource of the whole machine. So every user's
// processes may lock and write it. Throws HarnessError.
Descriptor open_shared_file(const std::string& path);

// False if the file was removed after it was opened, so that there may be a new one at its path.
bool is_still_at(int fd, const std::string& path);

// The path of a file for GPU 0: "/tmp/robust-kbench-0000:17:00.0.<name>". It contains the PCI
// address, since other processes may number the same GPU differently. Makes no context. Throws
// HarnessError where there is no GPU.
std::string shared_file_of_gpu(const std::string& name);

}  // namespace robust_kbench
