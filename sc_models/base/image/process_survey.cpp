#include "base/image/process_survey.h"

#ifdef WEFT_PROCESS_IMAGE

#include <asm/unistd.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

#include "base/diagnostics.h"

extern "C" {
// The C library's (2.35 and later) place of its restartable sequences.
extern const std::ptrdiff_t __rseq_offset __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
extern const unsigned int __rseq_size __attribute__((weak));      // NOLINT(bugprone-reserved-identifier)
}

namespace weft::image {
namespace {

namespace fs = std::filesystem;

// The whole of a file of /proc; false: it is longer than the buffer, whose last byte is for the end.
bool read_into(const char* path, std::vector<char>& buffer) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) throw RunError(fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
  std::size_t have = 0;
  while (have + 1 < buffer.size()) {
    const ssize_t n = ::read(file, buffer.data() + have, buffer.size() - 1 - have);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    have += static_cast<std::size_t>(n);
  }
  close(file);
  buffer[have] = '\0';
  return have + 1 < buffer.size();
}

std::uint32_t rights_of(const char* text) {
  std::uint32_t out = PROT_NONE;
  if (text[0] == 'r') out |= PROT_READ;
  if (text[1] == 'w') out |= PROT_WRITE;
  if (text[2] == 'x') out |= PROT_EXEC;
  return out;
}

struct Mapping {
  Region region{};
  bool shared = false;
  std::uint64_t inode = 0;
  std::string_view name;
};

// "FROM-TO rwxp OFFSET DEVICE INODE   NAME"; false: a line of another kind.
bool parse_mapping(const char* line, std::size_t size, Mapping& out) {
  unsigned long long from = 0;
  unsigned long long to = 0;
  unsigned long long inode = 0;
  unsigned long long offset = 0;
  std::array<char, 5> rights{};
  int name = 0;
  if (std::sscanf(line, "%llx-%llx %4s %llx %*x:%*x %llu %n", &from, &to, rights.data(), &offset, &inode, &name) < 5)
    return false;
  const std::size_t begin = std::min(static_cast<std::size_t>(name), size);
  out.name = std::string_view(line + begin, size - begin);
  out.region = {from, to, rights_of(rights.data()), inode == 0 ? kAnonymous : 0, offset, -1};
  out.inode = inode;
  if (out.name == "[stack]") out.region.flags |= kFirstStack;
  out.shared = rights[3] == 's';
  return true;
}

}  // namespace

void Mappings::read(const std::vector<KnownFile>* files) {
  constexpr const char* kFile = "/proc/self/smaps";
  constexpr std::size_t kBytesOfOne = 256;  // of text, at least
  for (text_.resize(std::max<std::size_t>(text_.size(), 1U << 20));; text_.resize(2 * text_.size())) {
    own_.clear();
    own_.reserve(text_.size() / kBytesOfOne);
    system_.clear();
    system_.reserve(16);
    if (read_into(kFile, text_)) break;
  }
  parse(text_.data(), files);
}

void Mappings::parse(char* text, const std::vector<KnownFile>* files) {
  bool last_is_own = false;
  char* end = nullptr;
  for (char* line = text; (end = std::strchr(line, '\n')) != nullptr; line = end + 1) {
    *end = '\0';
    const auto size = static_cast<std::size_t>(end - line);
    Mapping m;
    if (parse_mapping(line, size, m)) {
      const bool of_system = m.name.starts_with("[v");
      last_is_own = !of_system;
      if (of_system) {
        if (m.name == "[vsyscall]") continue;
        system_.push_back({m.region.from, m.region.to - m.region.from});
        if (m.name != "[vdso]") continue;
        shared_object_ = m.region;
        shared_object_.flags = kSystem;
        own_.push_back(shared_object_);
      } else {
        if (m.shared && (m.region.rights & PROT_WRITE) != 0 && files != nullptr) {
          const auto file = std::find_if(files->begin(), files->end(),
                                         [&](const KnownFile& f) { return f.inode == m.inode && f.path == m.name; });
          if (file == files->end()) throw RunError(fmt::format("memory is shared with other processes ({})", m.name));
          m.region.flags |= kOfFile;
          m.region.number = file->file.number;
        }
        own_.push_back(m.region);
      }
    } else if (last_is_own && std::string_view(line, size).starts_with("VmFlags:") &&
               std::string_view(line, size).find(" hg") != std::string_view::npos) {
      own_.back().flags |= kLargePages;
    }
  }
}

namespace {

struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

// By number, behind standard error.
std::map<int, FileIdentity> regular_files() {
  std::map<int, FileIdentity> out;
  std::error_code no_proc;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", no_proc)) {
    const int number = std::atoi(entry.path().filename().c_str());
    struct stat status {};
    if (number <= STDERR_FILENO || fstat(number, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    out[number] = {status.st_dev, status.st_ino};
  }
  return out;
}

// What the process was started with.
std::map<int, FileIdentity>& foreign_files() {
  static std::map<int, FileIdentity> files = regular_files();
  return files;
}
[[maybe_unused]] const std::size_t kForeignAtStart = foreign_files().size();  // before the program opens any

}  // namespace

void keep_files(const std::vector<int>& own) {
  foreign_files() = regular_files();
  for (const int number : own) foreign_files().erase(number);
}

std::vector<KnownFile> open_files() {
  std::vector<KnownFile> out;
  for (const auto& [number, identity] : regular_files()) {
    const auto foreign = foreign_files().find(number);
    if (foreign != foreign_files().end() && foreign->second == identity) continue;
    struct stat status {};
    if (fstat(number, &status) != 0) continue;
    KnownFile f;
    std::error_code wrong;
    f.path = fs::read_symlink(fmt::format("/proc/self/fd/{}", number), wrong).string();
    f.file.number = number;
    f.inode = status.st_ino;
    f.file.flags = fcntl(number, F_GETFL);
    f.file.descriptor_flags = static_cast<std::uint8_t>(fcntl(number, F_GETFD));
    f.file.offset = static_cast<std::uint64_t>(std::max<off_t>(0, lseek(number, 0, SEEK_CUR)));
    f.file.nameless = status.st_nlink == 0 ? 1 : 0;
    f.file.kept = f.file.nameless != 0 || (f.file.flags & O_ACCMODE) != O_RDONLY ? 1 : 0;
    if (f.file.kept != 0) f.reader = ::open(fmt::format("/proc/self/fd/{}", number).c_str(), O_RDONLY | O_CLOEXEC);
    f.file.bytes = f.file.kept != 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
    std::ifstream info(fmt::format("/proc/self/fdinfo/{}", number));
    for (std::string line; std::getline(info, line);) {
      if (line.starts_with("lock:") && line.find("FLOCK") != std::string::npos) f.file.locked = 1;
    }
    out.push_back(std::move(f));
  }
  return out;
}

std::vector<Patch> system_calls(std::uint64_t shared_object) {
  struct Function {
    std::string_view name;
    std::uint32_t call;
  };
  constexpr std::array kFunctions{Function{"__vdso_gettimeofday", 96},   Function{"__vdso_time", 201},
                                  Function{"__vdso_clock_gettime", 228}, Function{"__vdso_clock_getres", 229},
                                  Function{"__vdso_getcpu", 309},        Function{"__vdso_getrandom", 318}};
  std::vector<Patch> out;
  if (shared_object == 0) return out;
  const auto at = [&](std::uint64_t offset) {
    return reinterpret_cast<const char*>(shared_object + offset);  // NOLINT(performance-no-int-to-ptr)
  };
  const auto* const header = reinterpret_cast<const Elf64_Ehdr*>(at(0));
  const auto* const parts = reinterpret_cast<const Elf64_Phdr*>(at(header->e_phoff));
  const Elf64_Dyn* dynamic = nullptr;
  std::uint64_t base = 0;
  for (int i = 0; i < header->e_phnum; ++i) {
    if (parts[i].p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const Elf64_Dyn*>(at(parts[i].p_offset));
    if (parts[i].p_type == PT_LOAD) base = parts[i].p_vaddr - parts[i].p_offset;
  }
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    const char* const to = at(dynamic->d_un.d_ptr - base);
    if (dynamic->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const Elf64_Sym*>(to);
    if (dynamic->d_tag == DT_STRTAB) names = to;
  }
  if (symbols == nullptr || names == nullptr) return out;
  // The table of names stands behind that of symbols.
  for (const Elf64_Sym* s = symbols; reinterpret_cast<const char*>(s + 1) <= names; ++s) {
    const std::string_view name = names + s->st_name;
    for (const Function& f : kFunctions) {
      if (f.name != name) continue;
      const auto byte = [&](int k) { return static_cast<std::uint8_t>(f.call >> (8 * k)); };
      out.push_back({shared_object + s->st_value - base,
                     {0xb8, byte(0), byte(1), byte(2), byte(3), 0x0f, 0x05, 0xc3}});  // mov eax, call; syscall; ret
    }
  }
  return out;
}

std::uint64_t sum_of(const Region& region) {
  Sum sum;
  sum.add(reinterpret_cast<const void*>(region.from), region.to - region.from);  // NOLINT(performance-no-int-to-ptr)
  return sum.value();
}

std::uint64_t thread_pointer() {
  constexpr long kGetFs = 0x1003;
  std::uint64_t out = 0;
  syscall(__NR_arch_prctl, kGetFs, &out);
  return out;
}

std::uint64_t restartable_sequences() {
  if (&__rseq_size == nullptr || __rseq_size == 0) return 0;
  return thread_pointer() + static_cast<std::uint64_t>(__rseq_offset);
}

std::string processor_features() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("flags")) return line.substr(std::min(line.size(), line.find(':') + 1));
  }
  return {};
}

}  // namespace weft::image

#endif  // WEFT_PROCESS_IMAGE
