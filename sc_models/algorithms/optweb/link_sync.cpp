#include "algorithms/optweb/link_sync.h"

#include <stdexcept>

namespace weft::optweb {

LinkSync::LinkSync(std::uint32_t gap) : gap_(gap) {
  if (gap < kMinGap || gap > kMaxGap) throw std::invalid_argument("gap of a link outside 1..15 cycles");
}

LinkSync::Decision LinkSync::decide(const LinkSyncInputs& inputs) const {
  const bool may_begin = !control_.full && control_.rest == 0;
  Decision d;
  d.notify_ready = may_begin && !(control_.data_turn && inputs.valid);
  d.ready = (control_.full || may_begin) && !(inputs.notify && !control_.data_turn);
  d.notify = inputs.notify && d.notify_ready;
  d.take = inputs.valid && d.ready;
  return d;
}

LinkSync::Control LinkSync::next(const LinkSyncInputs& inputs, const Decision& d) const {
  Control n;
  n.full = d.take;
  n.active = control_.full || d.take || d.notify;
  n.word_on = control_.full;
  n.data_turn = d.notify || (control_.data_turn && !d.take);
  n.rest = n.active ? gap_ : (control_.rest == 0 ? 0 : control_.rest - 1);
  n.previous = inputs.link_active;
  n.first = inputs.link_active && !control_.previous;
  n.notified = !inputs.link_active && control_.first;
  n.received = inputs.link_active && control_.previous;
  return n;
}

LinkSyncOutputs LinkSync::step(const LinkSyncInputs& inputs) {
  const Decision d = decide(inputs);
  const LinkSyncOutputs out{.notify_ready = d.notify_ready,
                            .ready = d.ready,
                            .link_active = control_.active,
                            .link_word = control_.word_on ? link_word_ : 0,
                            .notified = control_.notified,
                            .received = control_.received,
                            .received_word = control_.received ? received_word_ : 0};
  link_word_ = word_;
  if (d.take) word_ = inputs.word;
  received_word_ = inputs.link_word;
  control_ = next(inputs, d);
  return out;
}

bool LinkSync::steady(const LinkSyncInputs& inputs) const { return next(inputs, decide(inputs)) == control_; }

}  // namespace weft::optweb
