#include "fabrics/optweb/sending_side.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {

Cycle ControlRegister::write(std::uint32_t number, Cycle now) {
  if (holds_) {
    throw RunError(fmt::format("internal: {} is written for instruction {} while words of instruction {} pass", name(),
                               number, number_));
  }
  holds_ = true;
  number_ = number;
  return now + latency_.setup;
}

void Distributors::join(std::uint32_t reader, const std::vector<std::uint32_t>& outputs) {
  if (!outputs_[reader].empty()) {
    throw RunError(fmt::format("internal: {}: distributor {} is joined a second time", name(), reader));
  }
  outputs_[reader] = outputs;
}

void Selectors::join(std::uint32_t output, std::uint32_t reader) {
  if (reader_[output]) {
    throw RunError(fmt::format("internal: {}: output {} takes the words of distributor {} and is to take those of {}",
                               name(), output, *reader_[output], reader));
  }
  reader_[output] = reader;
}

std::optional<Cycle> Gate::ready(Cycle now) {
  if (missing_ == 0) throw RunError(fmt::format("internal: {}: a receiver is ready that nobody waits for", name()));
  if (--missing_ > 0) return {};
  return now + latency_;
}

void WordCounters::count(std::uint32_t port, std::uint64_t words) {
  if (words > missing_[port]) {
    throw RunError(fmt::format("internal: {}: the counter of port {} runs over: {} words, {} are expected", name(),
                               port, words, missing_[port]));
  }
  missing_[port] -= words;
  total_[port] += words;
}

}  // namespace weft
