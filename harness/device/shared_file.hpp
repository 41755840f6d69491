#pragma once

#include <string>

#include "core/descriptor.hpp"

namespace robust_kbench {

// A file that every user's processes may lock and write, since it stands for a machine-wide
// resource. Opens it, or makes it where there is none. Throws HarnessError.
Descriptor open_shared_file(const std::string& path);

// False if the file was removed since, so that others may have made a new one at its path.
bool is_still_at(int fd, const std::string& path);

// The path for GPU 0: "/tmp/robust-kbench-0000:17:00.0.<name>". It holds the PCI address, since
// other processes may number the same GPU differently. Makes no context there. Throws HarnessError
// where there is no GPU.
std::string shared_file_of_gpu(const std::string& name);

}  // namespace robust_kbench
