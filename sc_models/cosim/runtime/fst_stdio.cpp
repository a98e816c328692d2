// The macros of fst_stdio.h are not meant for this file.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "cosim/runtime/fst_errors.h"

namespace weft {
namespace {

thread_local FstErrors* listening = nullptr;

bool checked(bool good) {
  if (!good && listening != nullptr) listening->note(errno != 0 ? errno : EIO);
  return good;
}

}  // namespace

FstErrors::Listening::Listening(FstErrors& errors) : before_(std::exchange(listening, &errors)) {}
FstErrors::Listening::~Listening() { listening = before_; }

namespace fst_stdio {

std::FILE* open(const char* name, const char* mode) {
  std::FILE* const file = std::fopen(name, mode);
  checked(file != nullptr);
  return file;
}

std::FILE* temporary() {
  const int memory = memfd_create("fst", MFD_CLOEXEC);
  std::FILE* const file = memory < 0 ? std::tmpfile() : fdopen(memory, "w+b");
  checked(file != nullptr);
  return file;
}

std::size_t write(const void* data, std::size_t size, std::size_t count, std::FILE* file) {
  errno = 0;
  const std::size_t written = std::fwrite(data, size, count, file);
  checked(written == count || size == 0);
  return written;
}

int put(int byte, std::FILE* file) {
  errno = 0;
  const int result = std::fputc(byte, file);
  checked(result != EOF);
  return result;
}

int flush(std::FILE* file) {
  errno = 0;
  const int result = std::fflush(file);
  checked(result == 0);
  return result;
}

int seek(std::FILE* file, off_t offset, int whence) {
  errno = 0;
  const int result = fseeko(file, offset, whence);
  checked(result == 0 && std::ferror(file) == 0);
  return result;
}

int close(std::FILE* file) {
  errno = 0;
  const bool good = std::ferror(file) == 0;
  const int result = std::fclose(file);
  checked(good && result == 0);
  return result;
}

int truncate(int file, off_t length) {
  errno = 0;
  const int result = ftruncate(file, length);
  checked(result == 0);
  return result;
}

void* map(void* address, std::size_t length, int protection, int flags, int file, off_t offset) {
  errno = 0;
  struct stat found {};
  const bool whole = fstat(file, &found) == 0 && found.st_size >= offset + static_cast<off_t>(length);
  if (checked(whole)) return mmap(address, length, protection, flags, file, offset);
  return mmap(address, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

}  // namespace fst_stdio
}  // namespace weft
