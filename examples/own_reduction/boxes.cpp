// Plug-in with boxes that configurations name: the reduction unit of largest_of.h, in C++ and in SystemVerilog, two
// boxes on the path of words, a scrambler and a descrambler for the links, and user logic that scales words.
//
// usage: weft run named.yaml --plugin build/libown_boxes.so
//        weft run scaled.yaml --plugin build/libown_boxes.so

#include "largest_of.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "fabrics/optweb/user/box_catalog.h"
#include "fabrics/optweb/user/stream_logic.h"
#include "run/plugin.h"

namespace {

weft::ReductionBox largest_box(const char* meaning, bool rtl) {
  return {meaning,
          [rtl](const weft::OptwebModuleSite& site) {
            return std::make_unique<own_reduction::LargestOf>(site.name, own_reduction::largest(rtl));
          },
          own_reduction::larger};  // what `verify: data` compares with
}

/// Adds a sequence of a linear feedback shift register (x^16 + x^14 + x^13 + x^11 + 1) to the bytes of each transfer,
/// which begins anew with it; the same box takes it off again. Two registers deep.
class Scrambler : public sc_core::sc_module, public weft::WordBox {
 public:
  explicit Scrambler(sc_core::sc_module_name name) : sc_module(name) {}
  weft::Cycle latency(const weft::PassingWords&) const override { return 2; }
  void see(const weft::PassingWords&, std::uint64_t offset, std::span<std::byte> bytes) override {
    if (offset == 0) state_ = 0xffff;
    for (std::byte& b : bytes) {
      b ^= static_cast<std::byte>(state_);
      for (int bit = 0; bit < 8; ++bit) {
        const unsigned next = (state_ ^ (state_ >> 2U) ^ (state_ >> 3U) ^ (state_ >> 5U)) & 1U;
        state_ = static_cast<std::uint16_t>((state_ >> 1U) | (next << 15U));
      }
    }
  }
  /// In waveforms beside the words that pass: what the next byte gets.
  void trace(weft::BoxTrace& signals) const override {
    signals.bits("register", 16, [this] { return std::uint64_t{state_}; });
  }

 private:
  std::uint16_t state_ = 0xffff;
};

/// Multiplies the int16 numbers of the first 32 KiB of stripe 0 by 3, from 1 MiB on: a word in two cycles.
class Scaler : public sc_core::sc_module, public weft::StreamLogic, public weft::UserWordsIf {
 public:
  explicit Scaler(sc_core::sc_module_name name) : sc_module(name) { in.bind(*this); }
  weft::UserFlow flow(const weft::optweb::MachineInstruction&) override {
    constexpr std::uint64_t kBytes = 32 * 1024;
    weft::UserFlow f;
    f.reads = {{0, kBytes}};
    f.writes = {{1 << 20, kBytes}};
    f.pace = {2, 1};
    f.latency = 6;
    return f;
  }
  void put(std::size_t, std::span<const std::byte> bytes) override {
    std::vector<std::int16_t> numbers(bytes.size() / 2);
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    for (std::int16_t& n : numbers) n = static_cast<std::int16_t>(3 * n);
    out->put(0, std::as_bytes(std::span(numbers)));
  }
};

}  // namespace

WEFT_PLUGIN([](weft::Registry& registry) {
  weft::OptwebBoxes& boxes = registry.blocks().optweb_boxes;
  boxes.reduction.add("largest_int16", largest_box("largest of int16 numbers, in C++", false));
  boxes.reduction.add("largest_int16_rtl", largest_box("largest of int16 numbers, max_int16.sv", true));
  boxes.words.add("scrambler",
                  {"adds or takes off the sequence of a shift register, 2 cycles",
                   [](const weft::OptwebModuleSite& site) { return std::make_unique<Scrambler>(site.name); }});
  boxes.user_logic.add(
      "scaler", {"int16 numbers times three, a word in two cycles",
                 [](weft::NodeId, const weft::OptwebConfig&) { return std::make_unique<Scaler>("user_logic"); }});
})
