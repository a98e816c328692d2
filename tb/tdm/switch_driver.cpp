#include "tdm/switch_driver.h"

namespace weft::pins {

SwitchDriver::SwitchDriver(const TableShape& shape, std::uint32_t width, Mode mode, std::uint64_t seed)
    : shape_(shape),
      width_(width),
      table_(shape, mode, false, seed),
      random_(seed, "switch driver"),
      any_label_(random_.below(4) == 0) {
  for (std::uint32_t port = 0; port < shape.ports; ++port) {
    paces_.emplace_back(mode, random_);
    latencies_.push_back(port == 0 ? 0 : static_cast<std::uint32_t>(random_.below(table_.frame())));
  }
}

Bits SwitchDriver::random_words() {
  const std::size_t bits = std::size_t{shape_.ports} * width_;
  switch (random_.below(16)) {
    case 0:
      return Bits(bits);
    case 1:
      return Bits::ones(bits);
    default:
      return Bits::random(random_, bits);
  }
}

SwitchInputs SwitchDriver::next() {
  SwitchInputs in{.table = table_.next(),
                  .valid = Bits(shape_.ports),
                  .words = random_words(),
                  .labels = Bits(std::size_t{shape_.ports} * shape_.slot_bits)};
  for (std::uint32_t port = 0; port < shape_.ports; ++port) {
    in.valid.set(port, 1, paces_[port].next(random_) ? 1 : 0);
    const std::uint64_t label =
        any_label_ ? random_.below(shape_.labels()) : (in.table.slot + frame() - latencies_[port]) % frame();
    in.labels.set(std::size_t{port} * shape_.slot_bits, shape_.slot_bits, label);
  }
  return in;
}

}  // namespace weft::pins
