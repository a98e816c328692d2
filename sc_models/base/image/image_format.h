#pragma once
// Format of process images (process_image.h), and the plan by which one gets its memory back. All numbers are those of
// the processor. A file is: header, lines of text (the note,
// the working folder, features of the processor, paths of open files), regions, patches, open files, their contents,
// memory.

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && defined(__linux__)
#define WEFT_PROCESS_IMAGE 1  // elsewhere: no_process_image.cpp
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEFT_SANITIZERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WEFT_SANITIZERS 1
#endif
#endif

namespace weft::image {

inline constexpr char kMagic[8] = {'w', 'e', 'f', 't', 'i', 'm', 'g', '1'};
inline constexpr std::uint64_t kPage = 4096;
/// Addresses below the first stack that stay free for it to grow.
inline constexpr std::uint64_t kStackRoom = std::uint64_t{8} << 20;
/// From the top of the frame that is gone on with to the stack on which that begins.
inline constexpr std::uint64_t kBelowFrame = 4096;

struct Region {
  std::uint64_t from;
  std::uint64_t to;
  std::uint32_t rights;  ///< PROT_*
  std::uint32_t flags;
  std::uint64_t offset;  ///< in the open file of that number, of memory that is the file's (kOfFile)
  std::int64_t number;
};
inline constexpr std::uint32_t kAnonymous = 1;   ///< no file behind it: what was never touched is zero
inline constexpr std::uint32_t kLargePages = 2;  ///< MADV_HUGEPAGE
inline constexpr std::uint32_t kFirstStack = 4;
inline constexpr std::uint32_t kOfFile = 16;
inline constexpr std::uint32_t kSystem = 8;  ///< the shared object that the system puts into every process

/// Code in the place of a function of the system's shared object, whose data is not part of the process: a system call.
struct Patch {
  std::uint64_t at;
  std::uint8_t code[8];
};

/// Content of memory from an address on, followed by it; no bytes: the end.
struct Run {
  std::uint64_t from;
  std::uint64_t bytes;
};

struct OpenFile {
  std::int32_t number;
  std::int32_t flags;  ///< O_*
  std::uint64_t offset;
  std::uint64_t bytes;  ///< of its content
  std::uint8_t locked;
  std::uint8_t nameless;  ///< in memory, or removed while open
  std::uint8_t kept;      ///< has content to be written back
  std::uint8_t descriptor_flags;
};

struct Header {
  char magic[8];
  std::uint64_t bytes;  ///< of the whole file
  std::uint64_t sum;    ///< of all behind the header
  std::uint64_t string_bytes;
  std::uint64_t regions;
  std::uint64_t patches;
  std::uint64_t files;
  std::uint64_t thread_pointer;
  std::uint64_t thread_number_at;  ///< where the C library keeps the number of the thread
  std::uint64_t robust_list;
  std::uint64_t sequences_at;  ///< restartable sequences (rseq) of the C library, 0: none
  std::uint64_t shared_object_sum;
  std::uint64_t stack;
  std::uint64_t entry;
};

/// The plan, complete and without pointers into memory that ends.
struct Plan {
  std::int32_t file;  ///< at its memory
  std::uint32_t sequence_bytes;
  std::uint64_t own_from;  ///< memory of the plan itself
  std::uint64_t own_to;
  const Run* old;  ///< mappings of this process that end
  std::uint64_t old_count;
  const Region* regions;
  std::uint64_t region_count;
  const Patch* patches;
  std::uint64_t patch_count;
  std::uint64_t old_sequences_at;
  std::uint64_t skipped_from;  ///< memory of the image that is there already
  std::uint64_t skipped_to;
  char* message;  ///< for when there is no memory; the third from the end says where
  std::uint64_t message_bytes;
  Header header;
};

/// Sum of a stream of bytes, order and all.
class Sum {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (; held_bytes_ != 0 && bytes != 0; --bytes) take(*at++);
    for (; bytes >= 8; bytes -= 8, at += 8) {
      std::uint64_t word = 0;
      __builtin_memcpy(&word, at, 8);
      mix(word);
    }
    for (; bytes != 0; --bytes) take(*at++);
  }
  std::uint64_t value() const { return (sum_ ^ held_) * kFactor ^ held_bytes_; }

 private:
  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  void mix(std::uint64_t word) {
    sum_ = (sum_ ^ word) * kFactor;
    sum_ ^= sum_ >> 29;
  }
  void take(unsigned char byte) {
    held_ |= std::uint64_t{byte} << (8 * held_bytes_);
    if (++held_bytes_ < 8) return;
    mix(held_);
    held_ = held_bytes_ = 0;
  }
  std::uint64_t sum_ = 1;
  std::uint64_t held_ = 0;
  std::uint64_t held_bytes_ = 0;
};

/// Code that ends all memory of this process but its own, gets that of the image and goes on there. It is copied to a
/// place of its own before it is called; these are its first byte and the one behind its last.
using Restore = void (*)(const Plan*);
const unsigned char* restore_begin();
const unsigned char* restore_end();
std::uint64_t restore_offset();  ///< of the function from the first byte

}  // namespace weft::image
