#pragma once
// Time that the boxes of OPTWEB nodes spend in each of their states, within a window of time.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fabrics/optweb/observer.h"

namespace weft {

class OptwebBoxTimes final : public OptwebObserver {
 public:
  /// A box in a state, over all its places.
  struct Sum {
    Picoseconds time = 0;
    std::uint64_t spans = 0;
    std::uint64_t words = 0;              ///< of spans that end within the window
    std::uint64_t most = 0;               ///< words that have waited at a time
    std::map<NodeId, Picoseconds> peers;  ///< time by node whose words pass, or that is waited for
    /// The one with the longest time, the first of several.
    std::optional<NodeId> peer() const;
    void add(const Sum& other);
    template <class Archive>
    void serialize(Archive& archive) {
      archive(time, spans, words, most, peers);
    }
  };
  using States = std::array<Sum, kOptwebBoxStates>;

  /// `nodes`: ascending, those that count; `until`: nothing: the end of the run.
  OptwebBoxTimes(std::uint32_t all, const std::vector<NodeId>& nodes, Picoseconds from,
                 std::optional<Picoseconds> until);
  bool wants_boxes() const override { return true; }
  void on_box(const OptwebBoxSpan& span) override;

  /// What one of several ranks knows, and all of them together, itself included.
  std::string numbers() const;
  void collect(const std::vector<std::string>& all);

  const std::vector<NodeId>& nodes() const { return nodes_; }
  const States& of(NodeId node, OptwebBox box) const;
  /// Length of the window in a run that has ended at `end`; what hosts do behind it counts.
  Picoseconds window(Picoseconds end) const;

 private:
  std::vector<NodeId> nodes_;
  Picoseconds from_;
  std::optional<Picoseconds> until_;
  Picoseconds last_ = 0;            // end of the last span
  std::vector<std::size_t> place_;  // by node; of the others kNone
  std::vector<States> states_;      // by place and box
  static constexpr std::size_t kNone = ~std::size_t{0};
};

}  // namespace weft
