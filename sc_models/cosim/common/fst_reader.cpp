#include "cosim/common/fst_reader.h"

#include <gtkwave/fstapi.h>

#include "base/diagnostics.h"

namespace weft {
namespace {

struct Reading {
  std::uint64_t from, until;
  WaveChanges& to;
};

void take_text(void* reading, std::uint64_t time, fstHandle handle, const unsigned char* text, std::uint32_t size) {
  const auto& r = *static_cast<const Reading*>(reading);
  if (time < r.from || time > r.until) return;
  r.to.on_text(time, handle - 1, {reinterpret_cast<const char*>(text), size});
}

void take_bits(void* reading, std::uint64_t time, fstHandle handle, const unsigned char* digits) {
  const auto& r = *static_cast<const Reading*>(reading);
  if (time < r.from || time > r.until) return;
  std::uint64_t value = 0;
  for (const unsigned char* d = digits; *d != 0; ++d) {
    if (*d != '0' && *d != '1') return;
    value = value << 1 | (*d - '0');
  }
  r.to.on_bits(time, handle - 1, value);
}

}  // namespace

FstReader::FstReader(const std::filesystem::path& path) : file_(fstReaderOpen(path.c_str())) {
  if (file_ == nullptr) throw RunError(path.string() + ": cannot be read as a waveform");
  fstReaderSetFacProcessMaskAll(file_);
}

FstReader::~FstReader() { fstReaderClose(file_); }

std::uint64_t FstReader::first_ps() const { return fstReaderGetStartTime(file_); }
std::uint64_t FstReader::last_ps() const { return fstReaderGetEndTime(file_); }

void FstReader::read(std::uint64_t from_ps, std::uint64_t until_ps, WaveChanges& to) const {
  Reading reading{from_ps, until_ps, to};
  fstReaderSetLimitTimeRange(file_, from_ps, until_ps);
  fstReaderIterBlocks2(file_, take_bits, take_text, &reading, nullptr);
}

}  // namespace weft
