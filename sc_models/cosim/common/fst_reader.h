#pragma once
// Reads back a waveform that FstWaveFile has written.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "observe/wave_file.h"

namespace weft {

/// Is told of changes in the order of their time. Signals are numbered from 0 in the order of their declaration.
class WaveChanges {
 public:
  virtual ~WaveChanges() = default;
  virtual void on_bits(std::uint64_t time_ps, WaveSignal signal, std::uint64_t value) = 0;
  virtual void on_text(std::uint64_t time_ps, WaveSignal signal, std::string_view text) = 0;
};

class FstReader {
 public:
  /// Throws RunError when it is no waveform that can be read.
  explicit FstReader(const std::filesystem::path& path);
  ~FstReader();
  FstReader(const FstReader&) = delete;
  FstReader& operator=(const FstReader&) = delete;
  /// Of what it shows.
  std::uint64_t first_ps() const;
  std::uint64_t last_ps() const;
  /// Tells of the changes in [from_ps, until_ps]. Of signals of up to 64 bits; what has never been set is left out.
  void read(std::uint64_t from_ps, std::uint64_t until_ps, WaveChanges& to) const;

 private:
  void* file_;
};

}  // namespace weft
