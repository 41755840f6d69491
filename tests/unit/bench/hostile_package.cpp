#include <cstdio>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

// A shared object in the place of torch.compile's. When it is loaded, it tries to write a file and
// to make a socket, prints the results, and ends the process.
namespace {

[[gnu::constructor]] void attack() {
  const int file = open(HOSTILE_FILE, O_WRONLY | O_CREAT, 0600);
  const int line = socket(AF_INET, SOCK_STREAM, 0);
  std::printf("file %s, socket %s\n", file < 0 ? "refused" : "written",
              line < 0 ? "refused" : "made");
  std::fflush(stdout);
  _exit(3);
}

}  // namespace
