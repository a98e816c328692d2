#pragma once
// The host's side of the 2 x 2 crossbars: its accesses to the memory, one after the other, in the turns that it gets
// beside the DMACs (fabrics/optweb/hbm.h).
//
// An access that is asked for at boundary a, of n words: a read opens the first interface `memory.read` - 1 cycles
// later, and is over when its last word has passed; a write opens it one cycle later, and is over `memory.write` - 2
// cycles after its last word. So n words that nobody else wants to share an interface with take `read` + n - 1 or
// `write` + n - 1 cycles (both latencies count as two cycles at least), and m times as many for those words that pass
// while m - 1 streams have the interface open. One that goes on in another interface opens it when it is done with the
// first. Source: section 3.2.3 and Figure 5 of the paper named in algorithms/optweb/link_sync.h.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <systemc>

#include "fabrics/optweb/boxes/box_recorder.h"
#include "fabrics/optweb/hbm.h"
#include "fabrics/optweb/node_clock.h"

namespace weft {

struct HostAccess {
  bool write = false;
  std::uint64_t address = 0;   ///< physical
  std::uint64_t bytes = 0;     ///< 1 or more
  std::function<void()> move;  ///< the bytes, when the last word passes; none: only time passes
  /// It is over; `opened` and `now` are the boundaries at which its first word could pass and it was over.
  std::function<void(Cycle opened, Cycle now)> over;
};

class HostMaster : public sc_core::sc_module, public MemoryWatcher, public Agent {
 public:
  HostMaster(sc_core::sc_module_name name, NodeClock& clock, const OptwebParameters& parameters);
  sc_core::sc_port<HostMemoryIf> memory;

  /// Asks for an access at boundary `at`, or when those asked for before are over. Not before the present cycle.
  void ask(HostAccess access, Cycle at);
  bool idle() const { return queue_.empty(); }
  /// Tells states of this box from now on. `boxes` must outlive it.
  void record(const BoxRecorder& boxes) { boxes_ = &boxes; }
  /// State of the access under way; nothing: there is none.
  std::optional<OptwebBoxState> state() const;
  /// A cycle behind the present one in which its state changes without anything happening; the last there is: none.
  Cycle next_state() const;
  bool writes() const { return !queue_.empty() && queue_.front().access.write; }
  /// The interface it has open; nothing: none.
  std::optional<std::uint32_t> interface() const { return open_ ? std::optional(interface_) : std::nullopt; }
  std::uint64_t words_read() const { return words_read_; }
  std::uint64_t words_written() const { return words_written_; }

  void memory_changed(std::uint32_t stripe) override;
  void due(Cycle, std::uint32_t token) override;

 private:
  enum Token : std::uint32_t { kOpen, kStep, kOver };
  struct Asked {
    HostAccess access;
    Cycle at = 0;
  };
  void begin(Cycle at);
  void open(Cycle now);
  void serve(Cycle now);
  void plan(Cycle now);

  NodeClock& clock_;
  const OptwebParameters& parameters_;
  const BoxRecorder* boxes_ = nullptr;
  std::deque<Asked> queue_;  // the first one is under way
  Cycle begun_ = 0;          // it
  std::uint64_t done_ = 0;   // bytes of it
  std::uint64_t here_ = 0;   // bytes of it in the open interface
  std::uint32_t interface_ = 0;
  bool open_ = false;
  bool turn_ = false;  // the access has had its first turn
  Cycle opened_ = 0;   // in this cycle
  Cycle since_ = 0;
  optweb::WideInteger left_ = 0;  // units, at since_
  optweb::WordRate pace_;
  Cycle step_ = -1;  // the next look at it
  std::uint64_t words_read_ = 0;
  std::uint64_t words_written_ = 0;
};

}  // namespace weft
