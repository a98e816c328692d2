// The macros of fst_stdio.h are not meant for this file.
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <semaphore>
#include <utility>

#include "cosim/runtime/fst_errors.h"

namespace weft {
namespace {

thread_local FstErrors* listening = nullptr;
thread_local std::binary_semaphore* first_lock = nullptr;  // to be released with this thread's first mutex

// The writer's buffers of changes are larger, nothing else of it.
constexpr std::size_t kBuffer = std::size_t{64} << 20;
std::atomic<void*> spare{nullptr};

struct Start {
  void* (*work)(void*);
  void* context;
  FstErrors* listening;
  std::binary_semaphore locked{0};
};

void* run(void* argument) {
  Start& start = *static_cast<Start*>(argument);  // of the starter, which waits for `locked`
  listening = start.listening;
  first_lock = &start.locked;
  return start.work(start.context);
}

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

int start(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* context) {
  Start start{work, context, listening};
  sigset_t all;
  sigset_t before;
  sigfillset(&all);  // signals are for the threads that simulate
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(thread, attributes, run, &start);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error == 0) {
    start.locked.acquire();
  } else {
    work(context);
  }
  return 0;
}

int lock(pthread_mutex_t* mutex) {
  const int error = pthread_mutex_lock(mutex);
  if (first_lock != nullptr) std::exchange(first_lock, nullptr)->release();
  return error;
}

void* allocate(std::size_t size) {
  void* const block = size < kBuffer ? nullptr : spare.exchange(nullptr);
  if (block != nullptr && malloc_usable_size(block) >= size) return block;
  std::free(block);
  return std::malloc(size);
}

void release(void* block) { std::free(malloc_usable_size(block) < kBuffer ? block : spare.exchange(block)); }

}  // namespace fst_stdio
}  // namespace weft
