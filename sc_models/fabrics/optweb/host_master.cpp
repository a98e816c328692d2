#include "fabrics/optweb/host_master.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace weft {

HostMaster::HostMaster(sc_core::sc_module_name name, NodeClock& clock, const OptwebParameters& parameters)
    : sc_module(name), memory("memory"), clock_(clock), parameters_(parameters) {}

void HostMaster::ask(HostAccess access, Cycle at) {
  queue_.push_back({std::move(access), at});
  if (queue_.size() == 1) begin(at);
}

std::optional<OptwebBoxState> HostMaster::state() const {
  if (queue_.empty() || clock_.now() < begun_) return {};
  return turn_ ? OptwebBoxState::words : OptwebBoxState::memory;
}

Cycle HostMaster::next_state() const {
  return queue_.empty() || clock_.now() >= begun_ ? std::numeric_limits<Cycle>::max() : begun_;
}

void HostMaster::begin(Cycle at) {
  begun_ = at;
  turn_ = false;
  done_ = 0;
  const Cycle read = parameters_.latency().read - 1;
  clock_.schedule(at + std::max<Cycle>(1, queue_.front().access.write ? 1 : read), Phase::transfer, *this, kOpen);
}

// Opens the interface of the next byte.
void HostMaster::open(Cycle now) {
  const HostAccess& a = queue_.front().access;
  const OptwebConfig& c = *parameters_.config;
  const std::uint64_t address = a.address + done_;
  interface_ = static_cast<std::uint32_t>(address / c.interface_bytes);
  here_ = std::min(a.bytes - done_, (interface_ + 1) * c.interface_bytes - address);
  const std::uint64_t words = parameters_.words(address % c.word_bytes + here_);
  (a.write ? words_written_ : words_read_) += words;
  left_ = words * parameters_.units.word;
  since_ = now;
  open_ = true;
  memory->host_opens(interface_, {address, words, now, false, parameters_.bus}, a.write);
  plan(now);
}

// Until its words have passed, or something else uses the interface in another way.
void HostMaster::plan(Cycle now) {
  const HostMemoryIf::Share share = memory->share(interface_, now);
  pace_ = memory->host_pace(interface_, share.sharers);
  const Cycle next = std::min(now + parameters_.units.time(left_, pace_), share.until);
  if (next == step_) return;
  step_ = next;
  clock_.schedule(step_, Phase::transfer, *this, kStep);
}

void HostMaster::serve(Cycle now) {
  left_ = std::max<optweb::WideInteger>(0, left_ - (now - since_) * parameters_.units.rate(pace_));
  since_ = now;
  if (left_ > 0) {
    plan(now);
    return;
  }
  open_ = false;
  step_ = -1;
  memory->host_closes(interface_, now);
  done_ += here_;
  const HostAccess& a = queue_.front().access;
  if (done_ < a.bytes) {
    open(now);
    return;
  }
  if (a.move) a.move();
  const Cycle acknowledged = a.write ? std::max<Cycle>(0, parameters_.latency().write - 2) : 0;
  clock_.schedule(now + acknowledged, Phase::settle, *this, kOver);
}

void HostMaster::memory_changed(std::uint32_t stripe) {
  if (open_ && stripe == interface_ / 2) serve(clock_.now());
}

void HostMaster::due(Cycle, std::uint32_t token) {
  const Cycle now = clock_.now();
  switch (static_cast<Token>(token)) {
    case kOpen:
      opened_ = now;
      turn_ = true;
      open(now);
      break;
    case kStep:
      if (open_ && now == step_) {
        step_ = -1;
        serve(now);
      }
      break;
    case kOver: {
      if (boxes_ != nullptr && boxes_->wanted()) {
        const HostAccess& a = queue_.front().access;
        const std::uint64_t words = parameters_.words(a.address % parameters_.config->word_bytes + a.bytes);
        boxes_->tell(OptwebBox::host_master, 0, OptwebBoxState::memory, begun_, opened_, {});
        boxes_->tell(OptwebBox::host_master, 0, OptwebBoxState::words, opened_, now, {kNoId, words, 0});
      }
      const Asked asked = std::move(queue_.front());
      queue_.pop_front();
      if (!queue_.empty()) begin(std::max(now, queue_.front().at));
      if (asked.access.over) asked.access.over(opened_, now);
      break;
    }
  }
}

}  // namespace weft
