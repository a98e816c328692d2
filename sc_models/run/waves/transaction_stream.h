#pragma once
// Transactions in a waveform: rows of text, each with one transaction from its begin to its end, so that those that
// overlap stand below each other (observe/user_signals.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "observe/user_signals.h"

namespace weft {

class TransactionStream {
 public:
  static constexpr std::size_t kNoRow = ~std::size_t{0};

  /// Declares "PATH.row0" to "PATH.row<rows - 1>", and "PATH.more": the transactions that found no row free. Before
  /// the waveform is opened. Throws as trace().
  TransactionStream(const std::string& path, std::uint32_t rows);
  /// Takes the first row that is free; kNoRow: there is none.
  std::size_t begin(std::string text);
  /// Another text for it; nothing for kNoRow.
  void name(std::size_t row, std::string text);
  /// `row`: as begin() gave it.
  void end(std::size_t row);

 private:
  struct Row {
    TracedText text;
    bool busy = false;
  };
  std::vector<Row> rows_;
  std::shared_ptr<std::uint64_t> more_;
};

}  // namespace weft
