#pragma once
// Random words for the inputs of the tdm_switch bench. A word of input i carries the slot in which the other switch
// sent it, which is behind the slot counter by the latency of that link; the host's latency is 0.

#include <cstdint>
#include <vector>

#include "tdm/table_driver.h"

namespace weft::pins {

class SwitchDriver {
 public:
  SwitchDriver(const TableShape& shape, std::uint32_t width, Mode mode, std::uint64_t seed);
  SwitchInputs next();
  std::uint32_t frame() const { return table_.frame(); }

 private:
  Bits random_words();

  TableShape shape_;
  std::uint32_t width_;
  TableDriver table_;
  RandomStream random_;
  std::vector<Pace> paces_;
  std::vector<std::uint32_t> latencies_;
  bool any_label_;  // labels without a system: the block does not mind
};

}  // namespace weft::pins
