#pragma once
// Mappings and open files of this process, as /proc lists them, and what else the system knows about it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/image/image_format.h"

namespace weft::image {

struct KnownFile {
  OpenFile file{};
  std::string path;
  std::uint64_t inode = 0;
  int reader = -1;  ///< number under which its content can be read, to be closed
};

/// Regular files that the program has opened: not those of numbers 0 to 2, and none that the process was started with,
/// such as a log or a lock of the shell.
std::vector<KnownFile> open_files();
/// In a process that goes on: all open files but those of these numbers are what it was started with.
void keep_files(const std::vector<int>& own);

/// Mappings of the process. They are read into memory that was there before, so that reading changes none of them.
class Mappings {
 public:
  /// Throws RunError when they cannot be read, or, with the open `files`, for one that others can write and that is
  /// none of theirs.
  void read(const std::vector<KnownFile>* files = nullptr);
  /// Those of the process, with the system's shared object.
  const std::vector<Region>& own() const { return own_; }
  /// The system's shared object and the data of its clocks.
  const std::vector<Run>& system() const { return system_; }
  const Region* shared_object() const { return shared_object_.to == 0 ? nullptr : &shared_object_; }

 private:
  void parse(char* text, const std::vector<KnownFile>* files);
  std::vector<char> text_;
  std::vector<Region> own_;
  std::vector<Run> system_;
  Region shared_object_{};
};

/// System calls in the place of the functions of a shared object at that address, as it lies in memory.
std::vector<Patch> system_calls(std::uint64_t shared_object);

/// Sum of what lies there.
std::uint64_t sum_of(const Region& region);

/// Where the thread has its own data (register FS).
std::uint64_t thread_pointer();

/// Where the kernel writes what the C library's restartable sequences (rseq) need; 0: nowhere.
std::uint64_t restartable_sequences();

/// Features of the processor, as words.
std::string processor_features();

}  // namespace weft::image
