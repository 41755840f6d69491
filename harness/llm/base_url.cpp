#include "llm/base_url.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

// The host in "host", "host:port" or "[address]:port".
std::string host_of(const std::string& authority) {
  if (!authority.starts_with('[')) return authority.substr(0, authority.find(':'));
  const std::size_t end = authority.find(']');
  return end == std::string::npos ? "" : authority.substr(1, end - 1);
}

bool is_loopback(const std::string& host) {
  constexpr unsigned char loopback_network = 127;
  std::array<unsigned char, sizeof(in6_addr)> address{};
  if (inet_pton(AF_INET, host.c_str(), address.data()) == 1) return address[0] == loopback_network;
  if (inet_pton(AF_INET6, host.c_str(), address.data()) != 1) return host == "localhost";
  return std::equal(address.begin(), address.end(),
                    reinterpret_cast<const unsigned char*>(&in6addr_loopback));
}

}  // namespace

void require_safe_base_url(const std::string& url, const std::string& who) {
  const std::size_t scheme_end = url.find("://");
  const std::string scheme = url.substr(0, scheme_end);
  const std::size_t begin = scheme_end == std::string::npos ? url.size() : scheme_end + 3;
  const std::string authority = url.substr(begin, url.find('/', begin) - begin);
  const std::string host = host_of(authority);
  if ((scheme != "https" && scheme != "http") || host.empty()) {
    throw UserError(who + ": '" + url + "' is no base URL; give one as https://host/v1");
  }
  const bool has_more = authority.find('@') != std::string::npos ||
                        url.find_first_of("?#\\ \t\r\n") != std::string::npos;
  if (has_more) {
    throw UserError(who + ": '" + url +
                    "' has more than scheme, host, port and path; leave the "
                    "rest out, and name a key by its variable");
  }
  if (scheme == "http" && !is_loopback(host)) {
    throw UserError(who + ": '" + url +
                    "' is plain http, by which a key can be read on its way; "
                    "only this machine may be asked so, any other by https");
  }
}

}  // namespace robust_kbench
