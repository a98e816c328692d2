#pragma once
// Recorder of the states of a node's boxes: makes times of its cycles and tells the observers that want them. Nothing
// is computed for it unless one does.

#include "fabrics/optweb/boxes/box_span.h"
#include "fabrics/optweb/node_clock.h"
#include "fabrics/optweb/observer.h"

namespace weft {

class BoxRecorder {
 public:
  BoxRecorder(NodeId node, const NodeClock& clock, const OptwebObservers& observers)
      : node_(node), clock_(clock), observers_(observers) {}
  bool wanted() const { return observers_.has_boxes(); }
  struct Passed {
    NodeId peer = kNoId;
    std::uint64_t words = 0;
    std::uint64_t most = 0;
  };
  /// From one boundary to another; nothing is told of a span without length and words.
  void tell(OptwebBox box, std::uint32_t place, OptwebBoxState state, Cycle from, Cycle to,
            const Passed& passed) const {
    if (to <= from && passed.words == 0) return;
    const OptwebBoxSpan span{
        node_,        box,        state, place, passed.peer, clock_.time(from), clock_.time(to > from ? to : from),
        passed.words, passed.most};
    observers_.tell_box([&](OptwebObserver& o) { o.on_box(span); });
  }

 private:
  NodeId node_;
  const NodeClock& clock_;
  const OptwebObservers& observers_;
};

}  // namespace weft
