#pragma once

#include <string>

namespace robust_kbench {

// Throws UserError unless the URL is https, or plain http to this machine itself. It may have
// scheme, host, port and path, and parameters such as Azure's `?api-version`, unless their names
// suggest keys. `who` begins the message.
void require_safe_base_url(const std::string& url, const std::string& who);

}  // namespace robust_kbench
