#include "cosim/common/fst_wave_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtkwave/fstapi.h>
#include <sys/file.h>
#include <unistd.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/diagnostics.h"
#include "base/files.h"
#include "base/output_folder.h"
#include "cosim/runtime/fst_errors.h"
#include "observe/user_signals.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

// Verilator's writer has no text signals, the FST format below it has. This reads its handle to the FST writer, a
// private member: explicit instantiations are exempt from access checks, so no layout is assumed, and a Verilator
// without that member does not compile here instead of failing at run time.
template <void* VerilatedFst::*kMember>
struct Handle {
  friend void* fst_handle(VerilatedFst& trace) { return trace.*kMember; }
};
template struct Handle<&VerilatedFst::m_fst>;
void* fst_handle(VerilatedFst& trace);

// In the header of the file, after the type and length of the block, nine numbers of 64 bits and the unit of time.
constexpr char kWriter[] = "weft";
constexpr std::size_t kWriterAt = 74;

std::uint32_t words_for(std::uint32_t width) { return (width + 31) / 32; }

}  // namespace

struct FstWaveFile::Impl {
  struct Signal {
    std::string path;  // scopes and name, separated by blanks
    std::string name;
    std::uint32_t width = 1;     // 0: text
    std::uint32_t code = 0;      // offset among our codes
    std::size_t first_word = 0;  // of its 32-bit words in the value store; text: index in the text store
    fstHandle handle = 0;        // text
    bool dirty = false;
  };

  explicit Impl(const fs::path& path) : output(path) {}
  ~Impl() {
    if (lock >= 0) ::close(lock);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  OutputFile output;
  int lock = -1;  // on the half-written file
  VerilatedFstC fst;
  std::vector<Signal> signals;
  std::vector<std::uint32_t> values;
  std::vector<std::string> texts;
  std::vector<WaveSignal> changed;
  struct User {
    WaveSignal signal = 0;
    WaveSignal valid = 0;  // of a text
  };
  std::vector<User> user;       // those of user_signals()
  void* writer = nullptr;       // of the FST format
  std::size_t blocks = 0;       // Verilated, which trace into the file
  std::size_t since_flush = 0;  // value changes
  std::uint32_t base = 0;
  std::uint32_t codes = 0;
  bool open = false;
  FstErrors errors;
  bool told = false;  // of an error, which comes when the writer's thread has it

  /// Throws when something could not be written. What there is of the file keeps its temporary name.
  void check() {
    if (errors.first() == 0) return;
    told = true;
    throw RunError(fmt::format("{}: the waveform cannot be written: {}; what there is of it is in {}",
                               output.path().string(), std::strerror(errors.first()), output.temporary().string()));
  }

  void finish() {
    {
      const FstErrors::Listening listening(errors);
      fst.close();
    }
    open = false;
    std::error_code ec;
    fs::remove(output.temporary().string() + ".hier", ec);
  }

  WaveSignal add(const std::vector<std::string>& scopes, const std::string& name, std::uint32_t width) {
    Signal s;
    for (const std::string& scope : scopes) s.path += scope + " ";
    s.path += name;
    s.name = name;
    s.width = width;
    if (width == 0) {
      s.first_word = texts.size();
      texts.emplace_back();
    } else {
      s.code = codes;
      s.first_word = values.size();
      codes += std::max<std::uint32_t>(2, words_for(width));
      values.resize(values.size() + words_for(width), 0);
    }
    signals.push_back(std::move(s));
    return static_cast<WaveSignal>(signals.size() - 1);
  }

  void mark(WaveSignal id) {
    if (signals[id].dirty) return;
    signals[id].dirty = true;
    changed.push_back(id);
  }

  template <class Emit>
  void emit(const Signal& s, VerilatedFst::Buffer* buffer, Emit&& call) {
    if (s.width == 0) {
      const std::string& text = texts[s.first_word];
      fstWriterEmitVariableLengthValueChange(writer, s.handle, text.data(), static_cast<std::uint32_t>(text.size()));
      return;
    }
    std::uint32_t* old = buffer->oldp(base + s.code);
    const std::uint32_t* value = &values[s.first_word];
    if (s.width == 1) {
      call.bit(old, static_cast<CData>(value[0] & 1U));
    } else if (s.width <= 32) {
      call.word(old, value[0], static_cast<int>(s.width));
    } else {
      call.wide(old, value, static_cast<int>(s.width));
    }
  }

  struct Full {
    VerilatedFst::Buffer* b;
    void bit(std::uint32_t* o, CData v) const { b->fullBit(o, v); }
    void word(std::uint32_t* o, IData v, int w) const { b->fullIData(o, v, w); }
    void wide(std::uint32_t* o, const std::uint32_t* v, int w) const { b->fullWData(o, v, w); }
  };
  struct Change {
    VerilatedFst::Buffer* b;
    void bit(std::uint32_t* o, CData v) const { b->chgBit(o, v); }
    void word(std::uint32_t* o, IData v, int w) const { b->chgIData(o, v, w); }
    void wide(std::uint32_t* o, const std::uint32_t* v, int w) const { b->chgWData(o, v, w); }
  };

  static void on_init(void* self, VerilatedFst* trace, std::uint32_t code) {
    auto& me = *static_cast<Impl*>(self);
    me.base = code;
    trace->scopeEscape(' ');
    me.writer = fst_handle(*trace);
    fstWriterSetVersion(me.writer, kWriter);
    fstWriterSetParallelMode(me.writer, 1);
    for (Signal& s : me.signals) {
      const std::uint32_t c = code + s.code;
      const int msb = static_cast<int>(s.width) - 1;
      if (s.width == 0) {  // goes into the scope of the signal before it
        s.handle = fstWriterCreateVar(me.writer, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, s.name.c_str(), 0);
      } else if (s.width == 1) {
        trace->declBit(c, s.path.c_str(), -1, FST_VD_IMPLICIT, FST_VT_SV_LOGIC, false, -1);
      } else if (s.width <= 32) {
        trace->declBus(c, s.path.c_str(), -1, FST_VD_IMPLICIT, FST_VT_SV_LOGIC, false, -1, msb, 0);
      } else {
        trace->declArray(c, s.path.c_str(), -1, FST_VD_IMPLICIT, FST_VT_SV_LOGIC, false, -1, msb, 0);
      }
    }
    trace->scopeEscape('.');
  }
  static void on_full(void* self, VerilatedFst::Buffer* buffer) {
    auto& me = *static_cast<Impl*>(self);
    for (Signal& s : me.signals) {
      me.emit(s, buffer, Full{buffer});
      s.dirty = false;
    }
    me.changed.clear();
  }
  static void on_change(void* self, VerilatedFst::Buffer* buffer) {
    auto& me = *static_cast<Impl*>(self);
    me.since_flush += me.changed.size();
    for (const WaveSignal id : me.changed) {
      me.emit(me.signals[id], buffer, Change{buffer});
      me.signals[id].dirty = false;
    }
    me.changed.clear();
  }
};

bool is_weft_wave(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, kWriterAt + sizeof kWriter> header{};
  in.read(header.data(), header.size());
  return in && std::equal(std::begin(kWriter), std::end(kWriter), header.begin() + kWriterAt);
}

bool is_being_written(const fs::path& part) {
  const int fd = ::open(part.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  const bool busy = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return busy;
}

FstWaveFile::FstWaveFile(const fs::path& path) {
  if (path.has_parent_path()) prepare_folder(path.parent_path());
  std::error_code ec;
  check_output(path);
  if (fs::is_directory(path, ec)) throw InputError({path.string()}, "is a folder, not a waveform file");
  impl_ = std::make_unique<Impl>(path);
}

FstWaveFile::~FstWaveFile() {
  if (!impl_->open) return;
  const FstErrors::Listening listening(impl_->errors);
  impl_->fst.close();
  impl_->output.leave();  // under its temporary name: the run did not get to its end
}

WaveSignal FstWaveFile::add_bits(const std::vector<std::string>& scopes, const std::string& name, std::uint32_t width) {
  return impl_->add(scopes, name, width);
}

WaveSignal FstWaveFile::add_text(const std::string& name) { return impl_->add({}, name, 0); }

void FstWaveFile::set(WaveSignal signal, std::uint64_t value) {
  const Impl::Signal& s = impl_->signals[signal];
  std::uint32_t* v = &impl_->values[s.first_word];
  const auto low = static_cast<std::uint32_t>(value);
  const auto high = static_cast<std::uint32_t>(value >> 32);
  if (v[0] == low && (s.width <= 32 || v[1] == high)) return;
  v[0] = low;
  if (s.width > 32) v[1] = high;
  impl_->mark(signal);
}

void FstWaveFile::set_text(WaveSignal signal, std::string_view text) {
  std::string& value = impl_->texts[impl_->signals[signal].first_word];
  if (value == text) return;
  value = text;
  impl_->mark(signal);
}

VerilatedFstC& FstWaveFile::verilated() {
  ++impl_->blocks;
  return impl_->fst;
}

void FstWaveFile::open() {
  for (const UserSignal& s : user_signals()) {
    Impl::User u;
    if (s.text != nullptr) {
      u.valid = add_bits(s.scopes, s.name + "_valid", 1);
      u.signal = add_text(s.name);
    } else {
      u.signal = add_bits(s.scopes, s.name, s.width);
    }
    impl_->user.push_back(u);
  }
  VerilatedFst* trace = impl_->fst.spTrace();
  trace->addInitCb(&Impl::on_init, impl_.get());
  trace->addFullCb(&Impl::on_full, impl_.get());
  trace->addChgCb(&Impl::on_change, impl_.get());
  trace->set_time_unit("1ps");
  trace->set_time_resolution("1ps");
  const FstErrors::Listening listening(impl_->errors);
  impl_->fst.open(impl_->output.temporary().c_str());
  impl_->open = impl_->fst.isOpen();
  if (!impl_->open) cannot_write(impl_->output.path(), impl_->errors.first());
  impl_->lock = ::open(impl_->output.temporary().c_str(), O_RDONLY | O_CLOEXEC);
  if (impl_->lock >= 0) flock(impl_->lock, LOCK_EX | LOCK_NB);
  impl_->check();
}

// The writer collects changes in the order of time and sorts them by signal, in a thread of its own, when it flushes.
// It does so by itself every 128 MiB; doing it while the changes still lie in the cache halves the cost of a waveform.
void FstWaveFile::dump(std::uint64_t time_ps) {
  if (impl_->told) return;
  for (std::size_t i = 0; i < impl_->user.size(); ++i) {
    const UserSignal& s = user_signals()[i];
    const Impl::User& u = impl_->user[i];
    if (s.text == nullptr) {
      if (s.read != nullptr) set(u.signal, s.read());
      continue;
    }
    set(u.valid, s.text->empty() ? 0 : 1);
    set_text(u.signal, *s.text);
  }
  const FstErrors::Listening listening(impl_->errors);
  impl_->fst.dump(time_ps);
  impl_->check();
  constexpr std::size_t kChanges = 1'000'000;  // more often costs file size, less often cache misses
  constexpr std::size_t kOfABlock = 16;        // for a Verilated block, whose changes nobody counts; they are wide
  impl_->since_flush += kOfABlock * impl_->blocks;
  if (impl_->since_flush < kChanges) return;
  impl_->since_flush = 0;
  impl_->fst.flush();
}

void FstWaveFile::close_unnamed() {
  if (!impl_->open) return;
  impl_->finish();
  impl_->output.leave();
  impl_->check();
}

void FstWaveFile::close(std::uint64_t) {
  if (!impl_->open) return;
  impl_->finish();
  if (impl_->errors.first() != 0) impl_->output.leave();
  impl_->check();
  impl_->output.keep();
}

std::unique_ptr<WaveFile> make_wave_file(const fs::path& path) { return std::make_unique<FstWaveFile>(path); }

VerilatedFstC& verilated_part(WaveFile& file) { return dynamic_cast<FstWaveFile&>(file).verilated(); }

}  // namespace weft
