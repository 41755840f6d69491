#pragma once

#include <string>

namespace robust_kbench {

// Throws UserError unless the URL is https, or plain http to this machine itself. It consists of
// scheme, host, port and path, and of parameters such as Azure's `?api-version` whose names are
// none of keys. `who` begins the message.
void require_safe_base_url(const std::string& url, const std::string& who);

}  // namespace robust_kbench
