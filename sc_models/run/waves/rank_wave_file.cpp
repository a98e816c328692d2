#include "run/waves/rank_wave_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "base/diagnostics.h"
#include "base/files.h"
#include "base/output_folder.h"
#include "cosim/common/fst_reader.h"
#include "observe/user_signals.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

// The changes of a piece of time in the files of all ranks. A rank shows what is not in its part as 0 or an empty text
// from beginning to end; so what it shows counts from the first other value on.
class Piece final : public WaveChanges {
 public:
  struct Change {
    std::uint64_t time;
    WaveSignal signal;
    bool is_text;
    std::uint64_t value;  // of a text: its number
  };
  /// `moved`: of the rank whose file comes now, which of its signals have had another value.
  void take(const FstReader& file, std::uint64_t from, std::uint64_t until, std::vector<bool>& moved) {
    moved_ = &moved;
    file.read(from, until, *this);
  }
  void on_bits(std::uint64_t time, WaveSignal signal, std::uint64_t value) override {
    if (counts(signal, value != 0)) changes_.push_back({time, signal, false, value});
  }
  void on_text(std::uint64_t time, WaveSignal signal, std::string_view text) override {
    if (!counts(signal, !text.empty())) return;
    changes_.push_back({time, signal, true, texts_.size()});
    texts_.emplace_back(text);
  }
  /// Writes them, and forgets them. Signals from `declared` on stand for the time alone.
  void write(WaveFile& to, std::size_t declared) {
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const Change& a, const Change& b) { return a.time < b.time; });
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      const Change& c = changes_[i];
      if (c.is_text) {
        to.set_text(c.signal, texts_[c.value]);
      } else if (c.signal < declared) {
        to.set(c.signal, c.value);
      }
      if (i + 1 == changes_.size() || changes_[i + 1].time != c.time) to.dump(c.time);
    }
    changes_.clear();
    texts_.clear();
  }

 private:
  bool counts(WaveSignal signal, bool other) {
    if (other) (*moved_)[signal] = true;
    return (*moved_)[signal];
  }
  std::vector<Change> changes_;
  std::deque<std::string> texts_;
  std::vector<bool>* moved_ = nullptr;
};

}  // namespace

WaveSignal RankWaveFile::add_bits(const std::vector<std::string>& scopes, const std::string& name,
                                  std::uint32_t width) {
  declared_.push_back({scopes, name, width});
  return static_cast<WaveSignal>(declared_.size() - 1);
}

WaveSignal RankWaveFile::add_text(const std::string& name) { return add_bits({}, name, 0); }

void RankWaveFile::set(WaveSignal signal, std::uint64_t value) {
  if (own_) return own_->set(signal, value);
  early_.emplace_back([=](WaveFile& file) { file.set(signal, value); });
}

void RankWaveFile::set_text(WaveSignal signal, std::string_view text) {
  if (own_) return own_->set_text(signal, text);
  early_.emplace_back([signal, value = std::string(text)](WaveFile& file) { file.set_text(signal, value); });
}

std::string RankWaveFile::part_of(RankId rank) const { return fmt::format("{}.rank{}", path_, rank); }

void RankWaveFile::declare_in(WaveFile& file) const {
  for (const Declared& d : declared_) {
    if (d.width == 0) {
      file.add_text(d.name);
    } else {
      file.add_bits(d.scopes, d.name, d.width);
    }
  }
}

void RankWaveFile::agree(const std::string& complaint) {
  for (const std::string& c : ranks_.compare(complaint)) {
    if (!c.empty()) throw RunError(c);
  }
}

// The first rank holds the folder of results, whose manifest has what the next command removes after a kill.
void RankWaveFile::announce() {
  std::string complaint;
  try {
    for (RankId r = 1; ranks_.rank() == 0 && r < ranks_.size(); ++r) OutputFile::announce(part_of(r));
  } catch (const std::runtime_error& e) {
    complaint = e.what();
  }
  agree(complaint);
}

void RankWaveFile::open() {
  announce();
  std::string complaint;
  try {
    if (!user_signals().empty()) throw RunError("signals of one's own (weft::trace) are shown by one process");
    auto file = std::make_unique<FstWaveFile>(part_of(ranks_.rank()));
    declare_in(*file);
    beat_ = file->add_bits({"rank"}, "beat", 1);
    for (const auto& set : early_) set(*file);
    file->open();
    own_ = std::move(file);
  } catch (const std::runtime_error& e) {
    complaint = e.what();
  }
  agree(complaint);
}

void RankWaveFile::dump(std::uint64_t time_ps) {
  own_->set(beat_, (beats_ = !beats_) ? 1 : 0);
  own_->dump(time_ps);
}

void RankWaveFile::close(std::uint64_t end_ps) {
  std::string complaint;
  try {
    own_->close_unnamed();
  } catch (const std::runtime_error& e) {
    complaint = e.what();
  }
  agree(complaint);
  if (ranks_.rank() == 0) {
    try {
      merge(end_ps);
    } catch (const std::runtime_error& e) {
      complaint = e.what();
    }
  }
  agree(complaint);
}

// In pieces of time, so that the memory it takes does not grow with the waveform.
void RankWaveFile::merge(std::uint64_t end_ps) const {
  constexpr std::uintmax_t kBytesOfPiece = std::uintmax_t{2} << 20;  // of the compressed files
  FstWaveFile all(path_);
  declare_in(all);
  all.open();
  std::deque<FstReader> files;
  std::vector<fs::path> paths;
  std::uintmax_t bytes = 0;
  for (RankId r = 0; r < ranks_.size(); ++r) {
    paths.push_back(temporary_of(part_of(r)));
    std::error_code ec;
    const std::uintmax_t its = fs::file_size(paths.back(), ec);
    if (ec) {
      throw RunError(
          fmt::format("{}, the part of rank {} of the waveform: {}; waves of several ranks need a file "
                      "system in common",
                      paths.back().string(), r, ec.message()));
    }
    bytes += its;
    files.emplace_back(paths.back());
  }
  std::uint64_t first = end_ps;
  std::uint64_t last = 0;
  for (const FstReader& f : files) {
    first = std::min(first, f.first_ps());
    last = std::max(last, f.last_ps());
  }
  last = std::min(last, holds_ && end_ps > 0 ? end_ps - 1 : end_ps);
  const std::uint64_t length = last < first ? 0 : (last - first) / (1 + bytes / kBytesOfPiece);
  std::vector<std::vector<bool>> moved(files.size(), std::vector<bool>(declared_.size() + 1));
  Piece piece;
  for (std::uint64_t from = first; from <= last; from += length + 1) {
    const std::uint64_t until = std::min(from + length, last);
    for (std::size_t f = 0; f < files.size(); ++f) piece.take(files[f], from, until, moved[f]);
    piece.write(all, declared_.size());
  }
  if (marks_) all.dump(end_ps);
  all.close(end_ps);
  files.clear();
  for (const fs::path& path : paths) fs::remove(path);
}

std::unique_ptr<WaveFile> make_wave_file(const std::string& path, const Part& part) {
  if (part.whole()) return make_wave_file(fs::path(path));
  return std::make_unique<RankWaveFile>(path, *part.ranks);
}

Cycle first_of_all(const Part& part, Cycle mine) {
  if (part.whole()) return mine;
  Cycle first = -1;
  for (const std::string& text : part.ranks->compare(std::to_string(mine))) {
    const Cycle its = std::stoll(text);
    if (its >= 0 && (first < 0 || its < first)) first = its;
  }
  return first;
}

std::string undivided_waves(const Workload& workload) {
  if (workload.wave_transfers) {
    return "transactions ('observe.waves.transfers') are shown by one process: the rank of the source of a message "
           "does not know in which cycle it arrives";
  }
  if (workload.wave_trigger) {
    return "the time of a trigger ('observe.waves.trigger') is found by one process, which a copy of it simulates "
           "first";
  }
  return {};
}

}  // namespace weft
