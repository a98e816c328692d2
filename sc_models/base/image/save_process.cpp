#include "base/image/image_format.h"
#ifdef WEFT_PROCESS_IMAGE

#include <asm/unistd.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csetjmp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "base/diagnostics.h"
#include "base/image/process_image.h"
#include "base/image/process_survey.h"
#include "base/image/run_clock.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// What a process finds again when it goes on: part of the image, like everything else.
struct Resumption {
  jmp_buf registers{};
  sigset_t blocked{};  ///< signals; all of them until the handlers are back
  std::array<struct sigaction, NSIG> actions{};
  stack_t signal_stack{};
  void* plan = nullptr;  ///< memory that the restoring code has left behind
  std::size_t plan_bytes = 0;
  prctl_mm_map layout{};  ///< where the system takes the parts of the process to be
  RunClocks clocks;
  std::vector<int> files;  ///< numbers of those in the image
};
Resumption& resumption() {
  static Resumption r;
  return r;
}

// The first thing that is done in the memory of an image, on a stack below the frame of save_process.
[[noreturn]] void go_on(void* plan, std::size_t bytes) {
  resumption().plan = plan;
  resumption().plan_bytes = bytes;
  longjmp(resumption().registers, 1);
}

std::uint64_t address(const void* at) { return reinterpret_cast<std::uint64_t>(at); }

/// Writes a file and its sum without taking memory: what is written is the memory of this process. It goes through a
/// buffer, since the sum is of what is written: this object and the stack are part of the memory, and change meanwhile.
class Writer {
 public:
  Writer(int file, std::vector<char>& buffer) : file_(file), buffer_(buffer) {}
  void put(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const char*>(data);
    while (bytes != 0 && error_ == 0) {
      const std::size_t n = std::min(bytes, buffer_.size());
      std::memmove(buffer_.data(), at, n);
      sum_.add(buffer_.data(), n);
      written_ += n;
      write_buffer(n);
      at += n;
      bytes -= n;
    }
  }
  void fail(int error) { error_ = error; }
  int error() const { return error_; }
  std::uint64_t written() const { return written_; }
  std::uint64_t sum() const { return sum_.value(); }

 private:
  void write_buffer(std::size_t bytes) {
    for (const char* at = buffer_.data(); bytes != 0;) {
      const ssize_t n = ::write(file_, at, bytes);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        error_ = n == 0 ? ENOSPC : errno;
        return;
      }
      at += n;
      bytes -= static_cast<std::size_t>(n);
    }
  }

  int file_;
  std::vector<char>& buffer_;
  int error_ = 0;
  std::uint64_t written_ = 0;
  image::Sum sum_;
};

void put_content(Writer& out, const image::KnownFile& f) {
  std::array<char, 16384> buffer;
  for (std::uint64_t at = 0; at < f.file.bytes && out.error() == 0;) {
    const std::size_t most = std::min<std::uint64_t>(buffer.size(), f.file.bytes - at);
    const ssize_t n = pread(f.reader, buffer.data(), most, static_cast<off_t>(at));
    if (n <= 0) return out.fail(n == 0 ? EIO : errno);
    out.put(buffer.data(), static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
}

const unsigned char* memory(std::uint64_t at) {
  return reinterpret_cast<const unsigned char*>(at);  // NOLINT(performance-no-int-to-ptr)
}

bool is_zero(std::uint64_t page) {
  const auto* const words = reinterpret_cast<const std::uint64_t*>(memory(page));
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < image::kPage / sizeof *words && any == 0; i += 8) {
    any = words[i] | words[i + 1] | words[i + 2] | words[i + 3] | words[i + 4] | words[i + 5] | words[i + 6] |
          words[i + 7];
  }
  return any == 0;
}

/// Pages that are there or have been moved to a disk, as the system tells; without its word, all.
class TouchedPages {
 public:
  TouchedPages() : file_(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~TouchedPages() {
    if (file_ >= 0) close(file_);
  }
  TouchedPages(const TouchedPages&) = delete;
  TouchedPages& operator=(const TouchedPages&) = delete;
  bool contains(std::uint64_t page) {
    if (file_ < 0) return true;
    const std::uint64_t number = page / image::kPage;
    if (number < first_ || number >= first_ + known_) {
      const ssize_t n = pread(file_, pages_.data(), sizeof pages_, static_cast<off_t>(number * sizeof pages_[0]));
      if (n < static_cast<ssize_t>(sizeof pages_[0])) return true;
      first_ = number;
      known_ = static_cast<std::uint64_t>(n) / sizeof pages_[0];
    }
    constexpr std::uint64_t kThere = std::uint64_t{3} << 62;
    return (pages_[number - first_] & kThere) != 0;
  }

 private:
  int file_;
  std::array<std::uint64_t, 512> pages_{};
  std::uint64_t first_ = 0;
  std::uint64_t known_ = 0;
};

void put_memory(Writer& out, const image::Region& r, TouchedPages& touched) {
  const bool sparse = (r.flags & image::kAnonymous) != 0;
  const auto counts = [&](std::uint64_t page) { return (!sparse || touched.contains(page)) && !is_zero(page); };
  for (std::uint64_t page = r.from; page < r.to && out.error() == 0; page += image::kPage) {
    if (!counts(page)) continue;
    image::Run run{page, image::kPage};
    while (page + run.bytes < r.to && counts(page + run.bytes)) run.bytes += image::kPage;
    out.put(&run, sizeof run);
    out.put(memory(run.from), run.bytes);
    page += run.bytes;
  }
}

/// All that is known before the memory is written.
struct Survey {
  image::Header header{};
  std::string strings;
  std::vector<image::KnownFile> files;
  std::vector<image::Patch> patches;
  image::Mappings mappings;
  std::vector<char> buffer = std::vector<char>(std::size_t{1} << 20);
};

// Takes no memory.
int write_image(int file, Survey& s) {
  Writer out(file, s.buffer);
  if (lseek(file, sizeof s.header, SEEK_SET) < 0) return errno;
  out.put(s.strings.data(), s.strings.size());
  out.put(s.mappings.own().data(), s.mappings.own().size() * sizeof(image::Region));
  out.put(s.patches.data(), s.patches.size() * sizeof(image::Patch));
  for (const image::KnownFile& f : s.files) out.put(&f.file, sizeof f.file);
  for (const image::KnownFile& f : s.files) put_content(out, f);
  TouchedPages touched;
  for (const image::Region& r : s.mappings.own()) {
    if ((r.rights & PROT_READ) != 0 && (r.flags & image::kOfFile) == 0) put_memory(out, r, touched);
  }
  const image::Run end{};
  out.put(&end, sizeof end);
  s.header.bytes = sizeof s.header + out.written();
  s.header.sum = out.sum();
  if (out.error() != 0) return out.error();
  if (pwrite(file, &s.header, sizeof s.header, 0) != sizeof s.header) return errno;
  return fsync(file) == 0 ? 0 : errno;
}

image::Header header_of(const void* frame) {
  image::Header h{};
  std::memcpy(h.magic, image::kMagic, sizeof h.magic);
  h.thread_pointer = image::thread_pointer();
  int* thread_number = nullptr;
  if (prctl(PR_GET_TID_ADDRESS, &thread_number) != 0 || thread_number == nullptr)
    throw RunError("the system does not tell where the number of a thread is kept");
  h.thread_number_at = address(thread_number);
  void* list = nullptr;
  std::size_t list_size = 0;
  syscall(__NR_get_robust_list, 0, &list, &list_size);
  h.robust_list = address(list);
  h.sequences_at = image::restartable_sequences();
  h.stack = (address(frame) - image::kBelowFrame) & ~std::uint64_t{63};
  h.entry = address(reinterpret_cast<const void*>(&go_on));
  return h;
}

// The system's numbers of this process: of the heap above all, which goes on to grow where it was.
prctl_mm_map layout_here() {
  std::ifstream in("/proc/self/stat");
  std::string text;
  std::getline(in, text);
  std::istringstream words(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  constexpr std::size_t kFirst = 3;  // number of the first word, as in proc(5)
  std::array<std::uint64_t, 53> number{};
  std::string word;
  for (std::size_t i = kFirst; i < number.size() && words >> word; ++i)
    number[i] = std::strtoull(word.c_str(), nullptr, 10);
  prctl_mm_map out{};
  out.start_code = number[26];
  out.end_code = number[27];
  out.start_stack = number[28];
  out.start_data = number[45];
  out.end_data = number[46];
  out.start_brk = number[47];
  out.arg_start = number[48];
  out.arg_end = number[49];
  out.env_start = number[50];
  out.env_end = number[51];
  out.exe_fd = static_cast<std::uint32_t>(-1);
  if (!in || out.start_brk == 0) throw RunError("the system does not tell the layout of the process");
  return out;
}

bool can_move_heap() {
  unsigned int size = 0;
  return prctl(PR_SET_MM, PR_SET_MM_MAP_SIZE, &size, 0, 0) == 0 && size == sizeof(prctl_mm_map);
}

/// Of this process; 0: the system does not tell.
std::ptrdiff_t threads() {
  std::error_code wrong;
  const auto all = std::distance(fs::directory_iterator("/proc/self/task", wrong), fs::directory_iterator());
  return wrong ? 0 : all;
}

// Threads that have a piece of work and end with it, such as that of a waveform, which packs a block of changes. None
// begins while this one waits.
void wait_for_helpers() {
  constexpr auto kLongest = std::chrono::seconds(5);
  const auto begin = std::chrono::steady_clock::now();
  while (threads() > 1 && std::chrono::steady_clock::now() - begin < kLongest) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Before anything else: without its heap the process cannot even say what is wrong.
void restore_heap(Resumption& r) {
  if (prctl(PR_SET_MM, PR_SET_MM_MAP, &r.layout, sizeof r.layout, 0) == 0) return;
  constexpr std::string_view kText = "error: the system does not let the heap of the checkpoint grow where it was\n";
  if (write(STDERR_FILENO, kText.data(), kText.size()) < 0) _exit(2);
  _exit(1);
}

void restore_state(const std::function<void()>& before_signals) {
  Resumption& r = resumption();
  restore_heap(r);
  munmap(r.plan, r.plan_bytes);
  for (int signal = 1; signal < NSIG; ++signal)
    sigaction(signal, &r.actions[static_cast<std::size_t>(signal)], nullptr);
  sigaltstack(&r.signal_stack, nullptr);
  continue_clocks(r.clocks);
  image::keep_files(r.files);
  if (before_signals) before_signals();
  sigprocmask(SIG_SETMASK, &r.blocked, nullptr);
}

}  // namespace

std::string no_process_image() {
#ifdef WEFT_SANITIZERS
  return "a program with sanitizers cannot be saved";
#else
  const std::ptrdiff_t all = threads();
  if (all == 0) return "the system has no /proc";
  if (!can_move_heap()) return "the system (its kernel) does not support checkpoints";
  return all == 1 ? "" : "the process has several threads";
#endif
}

ImageMoment save_process(const fs::path& file, const ImageNote& note, const std::function<void()>& before_signals) {
  wait_for_helpers();
  const std::string why = no_process_image();
  if (!why.empty()) throw RunError(why);
  Survey s;
  s.header = header_of(__builtin_frame_address(0));
  for (const std::string& text : {note.place, note.meaning, fs::current_path().string(), image::processor_features()})
    s.strings += text + '\n';
  resumption().layout = layout_here();
  std::fflush(nullptr);
  s.files = image::open_files();
  resumption().files.clear();
  for (const image::KnownFile& f : s.files) resumption().files.push_back(f.file.number);
  for (const image::KnownFile& f : s.files) s.strings += f.path + '\n';
  const fs::path part = file.string() + ".part";
  const int to = ::open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (to < 0) throw RunError(fmt::format("{} cannot be written: {}", part.string(), std::strerror(errno)));
  Resumption& r = resumption();
  for (int signal = 1; signal < NSIG; ++signal)
    sigaction(signal, nullptr, &r.actions[static_cast<std::size_t>(signal)]);
  sigaltstack(nullptr, &r.signal_stack);
  sigprocmask(SIG_BLOCK, nullptr, &r.blocked);
  r.clocks = RunClocks{};
  s.mappings.read(&s.files);
  if (s.mappings.shared_object() != nullptr) {
    s.header.shared_object_sum = image::sum_of(*s.mappings.shared_object());
    s.patches = image::system_calls(s.mappings.shared_object()->from);
  }
  r.layout.brk = address(sbrk(0));
  s.mappings.read(&s.files);  // with what that took
  s.header.string_bytes = s.strings.size();
  s.header.regions = s.mappings.own().size();
  s.header.patches = s.patches.size();
  s.header.files = s.files.size();
  if (_setjmp(r.registers) != 0) {
    restore_state(before_signals);
    return ImageMoment::resumed;
  }
  int error = write_image(to, s);
  for (const image::KnownFile& f : s.files) {
    if (f.reader >= 0) close(f.reader);
  }
  if (close(to) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(part.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(part.c_str());
    throw RunError(fmt::format("{} cannot be written: {}", file.string(), std::strerror(error)));
  }
  return ImageMoment::written;
}

}  // namespace weft

#endif  // WEFT_PROCESS_IMAGE
