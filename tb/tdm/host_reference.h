#pragma once
// Reference of the host_interface bench: two plain tables that change places, a queue of lengths and a count of arrived
// words per circuit. Obvious, not fast.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tdm/pin_bits.h"

namespace weft::pins {

/// Parameters of a host_interface.
struct HostShape {
  std::uint32_t links;
  std::uint32_t slots;
  std::uint32_t circuits;
  std::uint32_t messages;
  std::uint32_t size_bits;
  std::uint32_t width;
  std::uint32_t slot_bits() const;
  std::uint32_t circuit_bits() const;
  std::uint32_t entry_bits() const { return 1 + circuit_bits(); }
  std::uint32_t labels() const { return 1U << slot_bits(); }              ///< slot numbers that the pins can say
  std::uint32_t circuit_numbers() const { return 1U << circuit_bits(); }  ///< likewise
};

/// Circuit of each link in one slot.
using HostColumn = std::vector<std::optional<std::uint32_t>>;

struct HostInputs {
  explicit HostInputs(const HostShape& shape);
  bool reset_n = true;
  std::uint32_t slot = 0;
  std::uint32_t label = 0;
  Bits message;  ///< per circuit
  Bits last;     ///< `size_bits` per circuit
  Bits data;     ///< `width` per link; likewise words
  Bits in_valid;
  Bits in_last;
  Bits in_word;
  bool write = false;
  std::uint32_t write_slot = 0;
  HostColumn out;
  HostColumn in;
  bool swap = false;
};

struct HostOutputs {
  explicit HostOutputs(const HostShape& shape);
  struct Side {
    explicit Side(const HostShape& shape);
    Bits valid, circuit, index, first, last, word;
    bool operator==(const Side&) const = default;
  };
  Bits ready;
  Side out;
  Side in;
  Bits stray;
  bool pending = false;
  bool swapped = false;
  bool in_swapped = false;
  bool operator==(const HostOutputs&) const = default;
  std::string text() const;
};

class HostReference {
 public:
  explicit HostReference(const HostShape& shape);
  /// Outputs of the block in the cycle of these inputs; then the end of that cycle.
  HostOutputs step(const HostInputs& in);
  /// Whether a change of tables has been asked for and has not come in both.
  bool pending() const { return out_.pending || in_.pending; }
  /// Marks as last ones those words that arrive which no message may go beyond.
  void keep_short(HostInputs& in) const;
  /// Words that have left and that have arrived for a circuit.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

 private:
  struct Tables {
    std::vector<HostColumn> active, shadow;
    bool pending = false;
    /// Exchanges the tables in the first cycle of a frame, if asked for before.
    bool change(std::uint32_t slot);
    void end(const HostInputs& in, const HostColumn& column);
  };
  void clear();
  std::optional<std::uint32_t> circuit(const HostColumn& column, std::uint32_t link) const;

  HostShape shape_;
  Tables out_;
  Tables in_;
  std::vector<std::deque<std::uint64_t>> queues_;  // indices of the last words
  std::vector<std::uint64_t> index_;               // of the word of the head that is due
  std::vector<std::uint64_t> got_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace weft::pins
