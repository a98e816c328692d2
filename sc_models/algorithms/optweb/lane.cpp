#include "algorithms/optweb/lane.h"

namespace weft::optweb {

LaneTransmitter::Result LaneTransmitter::step(bool notify, bool valid) {
  LinkSyncInputs in;
  in.notify = notify;
  in.valid = valid;
  in.word = words_ + 1;
  const LinkSyncOutputs out = block_.step(in);
  Result result;
  result.lane = {out.link_active, out.link_word};
  result.noted = notify && out.notify_ready;
  result.taken = valid && out.ready;
  if (result.taken) ++words_;
  return result;
}

bool LaneTransmitter::steady() const {
  LinkSyncInputs in;
  in.valid = true;
  return block_.steady(in);
}

LaneReceiver::Result LaneReceiver::step(const LaneSymbol& lane) {
  LinkSyncInputs in;
  in.link_active = active_ = lane.active;
  in.link_word = lane.word;
  const LinkSyncOutputs out = block_.step(in);
  return {out.received ? out.received_word : 0, out.notified};
}

bool LaneReceiver::steady() const {
  LinkSyncInputs in;
  in.link_active = active_;
  return block_.steady(in);
}

}  // namespace weft::optweb
