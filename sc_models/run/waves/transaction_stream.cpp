#include "run/waves/transaction_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft {

TransactionStream::TransactionStream(const std::string& path, std::uint32_t rows)
    : more_(std::make_shared<std::uint64_t>(0)) {
  constexpr std::uint32_t kCountBits = 24;
  for (std::uint32_t r = 0; r < rows; ++r) rows_.push_back({TracedText(fmt::format("{}.row{}", path, r))});
  trace(path + ".more", kCountBits, [more = more_] { return *more; });
}

std::size_t TransactionStream::begin(std::string text) {
  const auto free = std::find_if(rows_.begin(), rows_.end(), [](const Row& r) { return !r.busy; });
  if (free == rows_.end()) {
    ++*more_;
    user_signal_changed();
    return kNoRow;
  }
  free->busy = true;
  free->text.set(std::move(text));
  return static_cast<std::size_t>(free - rows_.begin());
}

void TransactionStream::name(std::size_t row, std::string text) {
  if (row != kNoRow) rows_[row].text.set(std::move(text));
}

void TransactionStream::end(std::size_t row) {
  if (row == kNoRow) {
    --*more_;
    user_signal_changed();
    return;
  }
  rows_[row].busy = false;
  rows_[row].text.set({});
}

}  // namespace weft
