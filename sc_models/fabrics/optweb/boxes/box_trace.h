#pragma once
// Signals that a box of a design's own adds to waveforms. Weft declares them in the scope of the box, beside those that
// it has of every box, and reads them while a waveform is written.

#include <cstdint>
#include <functional>
#include <string>

namespace weft {

class BoxTrace {
 public:
  virtual ~BoxTrace() = default;
  /// `width`: 1 to 64 bits. `read`: the value in the present cycle, asked in each cycle that is shown; what is above
  /// the width is left out. Throws InputError for another width, for a name with points or blanks, and for one that the
  /// box has already.
  virtual void bits(const std::string& name, std::uint32_t width, std::function<std::uint64_t()> read) = 0;
  /// The same for text. In the file a bit stands beside it, `NAME_valid`: whether the text is not empty.
  virtual void text(const std::string& name, std::function<std::string()> read) = 0;
};

}  // namespace weft
