#include "base/image/image_format.h"
#ifdef WEFT_PROCESS_IMAGE

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/image/image_format.h"
#include "base/image/process_image.h"
#include "base/image/process_survey.h"

namespace weft {
namespace resuming {  // named, since a member of ProcessImage is made of its classes

namespace fs = std::filesystem;

/// Image file, read from its beginning.
class ImageFile {
 public:
  explicit ImageFile(const fs::path& path)
      : path_(path), number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {
    if (number_ < 0) refuse(std::strerror(errno));
  }
  ~ImageFile() {
    if (number_ >= 0) close(number_);
  }
  ImageFile(const ImageFile&) = delete;
  ImageFile& operator=(const ImageFile&) = delete;

  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void move_above(int number) {
    const int to = fcntl(number_, F_DUPFD_CLOEXEC, number + 1);
    if (to < 0) refuse(std::strerror(errno));
    close(std::exchange(number_, to));
  }
  [[noreturn]] void refuse(const std::string& why) const { throw InputError({path_.string()}, why); }
  void read(void* to, std::size_t bytes) {
    auto* at = static_cast<char*>(to);
    while (bytes != 0) {
      const ssize_t n = ::read(number_, at, std::min<std::size_t>(bytes, std::size_t{1} << 30));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) refuse(n == 0 ? "is not complete" : std::strerror(errno));
      at += n;
      bytes -= static_cast<std::size_t>(n);
    }
  }
  template <class T>
  std::vector<T> list(std::uint64_t count) {
    std::vector<T> out(count);
    read(out.data(), count * sizeof(T));
    return out;
  }

 private:
  fs::path path_;
  int number_;
};

struct Image {
  image::Header header{};
  ImageNote note;
  std::string working_folder;
  std::string features;
  std::vector<std::string> paths;  ///< of its open files
};

// Up to its regions.
Image read_beginning(ImageFile& file) {
  Image out;
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) file.refuse("is not a checkpoint");
  if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    file.refuse("holds code, and somebody else than you can write it: make it yours alone (chmod 600)");
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  if (bytes < sizeof out.header) file.refuse("is not a checkpoint");
  file.read(&out.header, sizeof out.header);
  if (std::memcmp(out.header.magic, image::kMagic, sizeof image::kMagic) != 0)
    file.refuse("is not a checkpoint, or one of another version of Weft");
  if (out.header.bytes != bytes) file.refuse("is not complete");
  const std::vector<char> text = file.list<char>(out.header.string_bytes);
  std::istringstream lines(std::string(text.begin(), text.end()));
  for (std::string* to : {&out.note.place, &out.note.meaning, &out.working_folder, &out.features})
    std::getline(lines, *to);
  for (std::string path; std::getline(lines, path);) out.paths.push_back(path);
  return out;
}

void check_sum(ImageFile& file, const image::Header& header) {
  if (lseek(file.number(), sizeof header, SEEK_SET) < 0) file.refuse(std::strerror(errno));
  image::Sum sum;
  std::vector<char> buffer(std::size_t{1} << 20);
  for (std::uint64_t left = header.bytes - sizeof header; left != 0;) {
    const std::size_t n = std::min<std::uint64_t>(buffer.size(), left);
    file.read(buffer.data(), n);
    sum.add(buffer.data(), n);
    left -= n;
  }
  if (sum.value() != header.sum) file.refuse("was damaged: its sum is wrong");
}

void check_features(const ImageFile& file, const std::string& wanted) {
  std::istringstream have_words(image::processor_features());
  std::set<std::string> have;
  for (std::string word; have_words >> word;) have.insert(word);
  std::istringstream words(wanted);
  std::string missing;
  for (std::string word; words >> word;) {
    if (!have.contains(word)) missing += (missing.empty() ? "" : ", ") + word;
  }
  if (!missing.empty()) file.refuse("was written on a processor with features that this one lacks: " + missing);
}

Image checked(ImageFile& file) {
  Image out = read_beginning(file);
  check_sum(file, out.header);
  check_features(file, out.features);
  if (lseek(file.number(), static_cast<off_t>(sizeof out.header + out.header.string_bytes), SEEK_SET) < 0)
    file.refuse(std::strerror(errno));
  return out;
}

// Content, place, rights and lock of a file that the process had open.
void reopen(ImageFile& file, const image::OpenFile& f, const std::string& path) {
  const auto fail = [&] { throw RunError(fmt::format("{} cannot be opened again: {}", path, std::strerror(errno))); };
  const bool by_path = f.nameless == 0;
  const int writer = f.kept == 0 ? -1
                     : by_path   ? ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666)
                                 : memfd_create("weft", MFD_CLOEXEC);
  if (f.kept != 0 && writer < 0) fail();
  std::vector<char> buffer(std::size_t{1} << 20);
  for (std::uint64_t left = f.bytes; left != 0;) {
    const std::size_t n = std::min<std::uint64_t>(buffer.size(), left);
    file.read(buffer.data(), n);
    if (write(writer, buffer.data(), n) != static_cast<ssize_t>(n)) fail();
    left -= n;
  }
  constexpr int kKept = O_ACCMODE | O_APPEND | O_NONBLOCK;
  const int opened = by_path ? ::open(path.c_str(), (f.flags & kKept) | O_CLOEXEC) : writer;
  if (opened < 0) fail();
  if (by_path && writer >= 0) close(writer);
  if (lseek(opened, static_cast<off_t>(f.offset), SEEK_SET) < 0) fail();
  if (f.locked != 0 && flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw InputError({path}, "is in use by another weft command");
  if (opened != f.number) {
    if (dup2(opened, f.number) < 0) fail();
    close(opened);
  }
  fcntl(f.number, F_SETFD, f.descriptor_flags);
}

// What this process has open under one of the numbers ends. The contents of files stand one behind the other.
void reopen_all(ImageFile& file, const Image& img) {
  const auto files = file.list<image::OpenFile>(img.header.files);
  if (files.size() != img.paths.size()) file.refuse("was damaged");
  int highest = STDERR_FILENO;
  for (const image::OpenFile& f : files) highest = std::max(highest, f.number);
  file.move_above(highest);
  for (std::size_t i = 0; i < files.size(); ++i) reopen(file, files[i], img.paths[i]);
}

struct Range {
  std::uint64_t from;
  std::uint64_t to;
  bool meets(const Range& o) const { return from < o.to && o.from < to; }
};

std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + image::kPage - 1) / image::kPage * image::kPage; }

std::vector<Range> needed(const std::vector<image::Region>& regions) {
  std::vector<Range> out;
  for (const image::Region& r : regions)
    out.push_back({r.from - ((r.flags & image::kFirstStack) != 0 ? image::kStackRoom : 0), r.to});
  return out;
}

/// Memory that neither this process nor the image uses, with the plan, the code that follows it, and its stack.
class PlanMemory {
 public:
  PlanMemory(std::vector<Range> used, std::size_t bytes) {
    bytes = whole_pages(bytes);
    constexpr std::uint64_t kGap = std::uint64_t{1} << 16;  // so that it stays a mapping of its own
    constexpr std::uint64_t kFirst = std::uint64_t{1} << 28;
    std::sort(used.begin(), used.end(), [](const Range& a, const Range& b) { return a.from < b.from; });
    std::uint64_t at = kFirst;
    for (const Range& r : used) {
      if (r.from >= at + bytes + kGap) break;
      at = std::max(at, r.to + kGap);
    }
    at = whole_pages(at);
    void* const where = reinterpret_cast<void*>(at);  // NOLINT(performance-no-int-to-ptr)
    void* const got =
        mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != where) throw RunError(fmt::format("no memory to go on from: {}", std::strerror(errno)));
    begin_ = next_ = static_cast<std::byte*>(got);
    end_ = begin_ + bytes;
  }
  std::uint64_t from() const { return reinterpret_cast<std::uint64_t>(begin_); }
  std::uint64_t to() const { return reinterpret_cast<std::uint64_t>(end_); }
  /// Room for some, beginning with a copy.
  template <class T>
  T* place(const T* values, std::size_t count, std::size_t alignment = 64) {
    next_ += -reinterpret_cast<std::uintptr_t>(next_) & (alignment - 1);
    T* const out = reinterpret_cast<T*>(next_);
    next_ += count * sizeof(T);
    if (next_ > end_) throw RunError("no memory to go on from");
    if (values != nullptr) std::memcpy(out, values, count * sizeof(T));
    return out;
  }

 private:
  std::byte* begin_ = nullptr;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

bool meet(const std::vector<Range>& ranges, const image::Mappings& here) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& r) {
    return std::any_of(here.system().begin(), here.system().end(), [&](const image::Run& system) {
      return r.meets({system.from, system.from + system.bytes});
    });
  });
}

// The system puts its own mappings into every process, at addresses that it draws. Where they are in the way this
// program is started again, until they are elsewhere.
void start_again() {
  constexpr const char* kTries = "WEFT_RESUME_TRIES";
  constexpr int kMost = 50;
  const char* const before = std::getenv(kTries);
  const int tries = before == nullptr ? 0 : std::atoi(before);
  if (tries == kMost) throw RunError("addresses that the checkpoint needs are taken by the system in every process");
  setenv(kTries, std::to_string(tries + 1).c_str(), 1);
  std::ifstream in("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  execv(fs::read_symlink("/proc/self/exe").c_str(), arguments.data());
  throw RunError(fmt::format("this program cannot be started again: {}", std::strerror(errno)));
}

// The system's shared object may be where the image has one, when it is the same: it stays, and is returned.
Range take_out_shared_object(std::vector<image::Region>& regions, const image::Mappings& here,
                             const image::Header& header) {
  const image::Region* const object = here.shared_object();
  const auto same = [&](const image::Region& r) {
    return (r.flags & image::kSystem) != 0 && object != nullptr && r.from == object->from && r.to == object->to &&
           header.shared_object_sum == image::sum_of(*object);
  };
  const auto at = std::find_if(regions.begin(), regions.end(), same);
  if (at == regions.end()) return {};
  const Range range{at->from, at->to};
  regions.erase(at);
  return range;
}

[[noreturn]] void follow(image::Plan& plan, const void* stack_top, image::Restore code) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  __asm__ volatile(
      "mov %0, %%rsp\n\t"
      "xor %%ebp, %%ebp\n\t"
      "call *%1\n\t"
      "ud2"
      :
      : "c"(stack_top), "a"(code), "D"(&plan)
      : "memory");
  __builtin_unreachable();
}

}  // namespace resuming
using namespace resuming;

class ProcessImage::Impl {
 public:
  explicit Impl(const fs::path& path) : file_(path), image_(checked(file_)) {
    const std::string why = no_process_image();
    if (!why.empty()) file_.refuse("cannot be gone on with: " + why);
    regions_ = file_.list<image::Region>(image_.header.regions);
    patches_ = file_.list<image::Patch>(image_.header.patches);
    here_.read();
    there_ = take_out_shared_object(regions_, here_, image_.header);
    std::erase_if(patches_, [&](const image::Patch& p) { return there_.from <= p.at && p.at < there_.to; });
    if (meet(needed(regions_), here_)) start_again();
  }
  const ImageNote& note() const { return image_.note; }
  [[noreturn]] void resume();

 private:
  ImageFile file_;
  Image image_;
  std::vector<image::Region> regions_;
  std::vector<image::Patch> patches_;
  image::Mappings here_;
  Range there_{};  // of the image, and in this process already
};

void ProcessImage::Impl::resume() {
  std::error_code wrong;
  fs::current_path(image_.working_folder, wrong);
  if (wrong)
    throw RunError(fmt::format("the folder '{}' cannot be entered: {}", image_.working_folder, wrong.message()));
  reopen_all(file_, image_);

  constexpr std::size_t kStack = std::size_t{1} << 16;
  constexpr std::size_t kMore = 256;  // mappings, until the last look
  constexpr std::string_view kMessage = "error: the memory of the checkpoint cannot be had (step ?)\n";
  const auto code_size = static_cast<std::size_t>(image::restore_end() - image::restore_begin());
  here_.read();
  std::vector<Range> used = needed(regions_);
  for (const image::Region& r : here_.own()) used.push_back({r.from, r.to});
  for (const image::Run& r : here_.system()) used.push_back({r.from, r.from + r.bytes});
  PlanMemory memory(used, whole_pages(code_size) + kStack + image::kPage +
                              (regions_.size() + here_.own().size() + kMore + patches_.size()) * sizeof(image::Region));
  auto* const code = memory.place(image::restore_begin(), code_size, image::kPage);
  auto* const stack = memory.place<std::byte>(nullptr, kStack, image::kPage);
  image::Plan& plan = *memory.place<image::Plan>(nullptr, 1);
  plan.message = memory.place(kMessage.data(), kMessage.size());
  plan.message_bytes = kMessage.size();
  plan.file = file_.release();
  plan.own_from = memory.from();
  plan.own_to = memory.to();
  plan.regions = memory.place(regions_.data(), regions_.size());
  plan.region_count = regions_.size();
  plan.patches = memory.place(patches_.data(), patches_.size());
  plan.patch_count = patches_.size();
  plan.header = image_.header;
  plan.sequence_bytes = 32;  // as the C library asks for them
  plan.skipped_from = there_.from;
  plan.skipped_to = there_.to;
  plan.old_sequences_at = image::restartable_sequences();
  if (mprotect(code, whole_pages(code_size), PROT_READ | PROT_EXEC) != 0)
    throw RunError(fmt::format("no code may be placed in memory: {}", std::strerror(errno)));
  here_.read();
  auto* const old = memory.place<image::Run>(nullptr, here_.own().size());
  plan.old = old;
  for (const image::Region& r : here_.own()) {
    const bool mine = r.from >= memory.from() && r.to <= memory.to();
    if (!mine && (r.flags & image::kSystem) == 0) old[plan.old_count++] = {r.from, r.to - r.from};
  }
  const auto restore = reinterpret_cast<image::Restore>(code + image::restore_offset());
  follow(plan, stack + kStack, restore);
}

ProcessImage::ProcessImage(const fs::path& file) : impl_(std::make_unique<Impl>(file)) {}
ProcessImage::~ProcessImage() = default;
const ImageNote& ProcessImage::note() const { return impl_->note(); }
void ProcessImage::resume() { impl_->resume(); }

}  // namespace weft

#endif  // WEFT_PROCESS_IMAGE
