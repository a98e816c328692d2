#pragma once
// Random stimulus of the host_interface bench: a slot counter and the label of what arrives, columns, changes of
// tables, messages of all circuits, words on all links.

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "tdm/host_reference.h"
#include "tdm/pace.h"

namespace weft::pins {

class HostDriver {
 public:
  HostDriver(const HostShape& shape, Mode mode, std::uint64_t seed);
  /// Inputs of the next cycle; `reference`: its state before that.
  HostInputs next(const HostReference& reference);
  std::uint32_t frame() const { return frame_; }

 private:
  HostColumn random_column();

  HostShape shape_;
  RandomStream random_;
  std::uint32_t frame_;
  std::uint32_t latency_;
  std::uint32_t slot_ = 0;
  std::uint32_t write_slot_ = 0;
  std::uint64_t idle_one_in_;
  std::uint64_t short_one_in_;
  std::uint64_t last_one_in_;
  std::vector<Pace> message_paces_;  // per circuit
  std::vector<Pace> word_paces_;     // per link
};

}  // namespace weft::pins
