#include "llm/base_url.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>

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

// Whether the text after `?` has a parameter that may hold a key, which is no part of a URL. The
// helper has the same list (llm/robust_kbench_llm/providers.py).
bool may_hold_key(std::string query) {
  constexpr std::array<const char*, 7> words{"key",  "token", "secret", "password",
                                             "auth", "sig",   "code"};
  std::ranges::transform(query, query.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  std::size_t begin = 0;
  while (begin < query.size()) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string parameter = query.substr(begin, end - begin);
    const std::string name = parameter.substr(0, parameter.find('='));
    if (std::ranges::any_of(words,
                            [&](const char* word) { return name.find(word) != name.npos; })) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

}  // namespace

void require_safe_base_url(const std::string& url, const std::string& who) {
  const std::size_t scheme_end = url.find("://");
  const std::string scheme = url.substr(0, scheme_end);
  const std::size_t begin = scheme_end == std::string::npos ? url.size() : scheme_end + 3;
  const std::string authority = url.substr(begin, url.find_first_of("/?", begin) - begin);
  const std::string host = host_of(authority);
  if ((scheme != "https" && scheme != "http") || host.empty()) {
    throw UserError(who + ": '" + url + "' is no base URL; give one as https://host/v1");
  }
  const std::size_t query = url.find('?');
  const bool has_more = authority.find('@') != std::string::npos ||
                        url.find_first_of("#\\ \t\r\n") != std::string::npos ||
                        (query != std::string::npos && may_hold_key(url.substr(query + 1)));
  if (has_more) {
    throw UserError(who + ": '" + url +
                    "' has more than scheme, host, port and path, and than parameters such as "
                    "api-version; leave the rest out, and name a key by its variable");
  }
  if (scheme == "http" && !is_loopback(host)) {
    throw UserError(who + ": '" + url +
                    "' is plain http, by which a key can be read on its way; "
                    "only this machine may be asked so, any other by https");
  }
}

}  // namespace robust_kbench
