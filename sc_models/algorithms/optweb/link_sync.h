#pragma once
// One end of an OPTWEB link: synchronization by a data-active lane beside the data, without packets and without
// back-pressure. A run is a maximal sequence of active cycles. A run of exactly one cycle is a notification; of a
// longer run the receiver drops the first cycle and takes every other as a word. Twin of rtl/optweb/link_sync.sv, bit
// exact.
//
// Source: Mizutani, Yamaguchi, Urino, Koibuchi, "OPTWEB: A Lightweight Fully Connected Inter-FPGA Network for Efficient
// Collectives", IEEE Trans. Computers 70(6), 2021, section 3.1.1 and Figure 1b.
//
// Transmitter. Words are taken into a register, notifications go straight to the lane. A word that begins a run puts
// the cycle to be dropped in front of itself, so a run of data has two active cycles or more even if no second word
// comes. After a run the lane rests for `gap` cycles (1 or more) before the next one. When both wait, notification and
// data take turns: a waiting notification ends a run of data after the word in hand, then one word at least is sent
// before the next notification. A run that ends is no end of a message: receivers count words.
//
// Timing, cycles of 200 MHz (taken in cycle t):
//   notification   on the lane in t+1
//   word           on the lane in t+2; the first of a run has its dropped cycle in t+1
//   received       a word on the lane in u is received in u+1; a notification, known when the lane falls, in u+2
// So n words that are offered without a break from cycle t on, to a rested lane, are taken in t .. t+n-1 and are on the
// lane in t+2 .. t+n+1. A notification between words costs them 2 * gap + 2 cycles.

#include <cstdint>

namespace weft::optweb {

/// Pins of one cycle. A word is any 64 bits: its data, or what it is known by.
struct LinkSyncInputs {
  bool notify = false;  ///< a notification waits to be sent
  bool valid = false;   ///< a word waits to be sent
  std::uint64_t word = 0;
  bool link_active = false;  ///< from the link
  std::uint64_t link_word = 0;
  bool operator==(const LinkSyncInputs&) const = default;
};

struct LinkSyncOutputs {
  bool notify_ready = false;        ///< with notify: the notification is taken in this cycle
  bool ready = false;               ///< with valid: the word is taken in this cycle
  bool link_active = false;         ///< to the link
  std::uint64_t link_word = 0;      ///< 0 unless a word
  bool notified = false;            ///< a notification has arrived
  bool received = false;            ///< a word has arrived
  std::uint64_t received_word = 0;  ///< 0 unless received
  bool operator==(const LinkSyncOutputs&) const = default;
};

/// A link end as a network uses it: the plain class below, its RTL, or both.
class LinkSyncIf {
 public:
  virtual ~LinkSyncIf() = default;
  /// One clock cycle: the outputs in it; registers change at its end.
  virtual LinkSyncOutputs step(const LinkSyncInputs& inputs) = 0;
  /// True when a cycle with such notify, valid and link_active leaves all but words as it is: any number of such cycles
  /// may be left out, and the outputs in them are those of the last one that was not. That holds for a resting lane and
  /// inside a run. Words under way when cycles are left out come out in the first two cycles afterwards.
  virtual bool steady(const LinkSyncInputs& inputs) const = 0;
};

class LinkSync final : public LinkSyncIf {
 public:
  /// `gap`: resting cycles between two runs, kMinGap to kMaxGap. Throws std::invalid_argument.
  explicit LinkSync(std::uint32_t gap = kMinGap);
  static constexpr std::uint32_t kMinGap = 1;
  static constexpr std::uint32_t kMaxGap = 15;

  LinkSyncOutputs step(const LinkSyncInputs& inputs) override;
  bool steady(const LinkSyncInputs& inputs) const override;

 private:
  /// Registers, but for the words.
  struct Control {
    bool full = false;       // word_ is to be put on the lane
    bool active = false;     // the lane
    bool word_on = false;    // the lane carries a word
    bool data_turn = false;  // a notification was sent last: words go first
    std::uint32_t rest = 0;  // cycles until a run may begin
    bool previous = false;   // link_active of the cycle before
    bool first = false;      // that cycle was the first of a run
    bool notified = false;
    bool received = false;
    bool operator==(const Control&) const = default;
  };
  /// Decision of one cycle.
  struct Decision {
    bool notify_ready = false;
    bool ready = false;
    bool notify = false;
    bool take = false;
  };
  Decision decide(const LinkSyncInputs& inputs) const;
  Control next(const LinkSyncInputs& inputs, const Decision& decision) const;

  std::uint32_t gap_;
  Control control_;
  std::uint64_t word_ = 0;           // taken, not yet on the lane
  std::uint64_t link_word_ = 0;      // on the lane
  std::uint64_t received_word_ = 0;  // from the lane
};

}  // namespace weft::optweb
