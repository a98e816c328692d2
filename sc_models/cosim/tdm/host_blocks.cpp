#include "cosim/tdm/host_blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "cosim/common/compiled_rtl.h"

namespace weft {

HostWithRtl::HostWithRtl(const HostSite& site, HostInterfaceClient& client, std::unique_ptr<HostInterfaceRtl> core,
                         const char* difference)
    : client_(client),
      driver_(site, client, std::move(core), {[this](Cycle now) { outputs(now); }, [this](Cycle now) { cycle(now); }}),
      difference_(difference) {}

void HostWithRtl::differ(Cycle now, const char* side, std::uint32_t link, const HostWord& due,
                         const HostWord& shown) const {
  throw RunError(fmt::format("{} {}\n  {}[{}]: model: {}\n  {}[{}]: rtl: {}", difference_, driver_.place(now), side,
                             link, driver_.text(due), side, link, driver_.text(shown)));
}

void HostWithRtl::check_arrival(Cycle now, std::uint32_t link) const {
  const HostWord due = driver_.arriving(now, link);
  const HostWord shown = driver_.core().in(link);
  if (driver_.core().stray(link)) {
    throw RunError(fmt::format("{}: the word on link {} belongs to no circuit for the rtl: {}", driver_.place(now),
                               link, driver_.text(due)));
  }
  if (!(due == shown)) differ(now, "rx", link, due, shown);
}

RtlHostInterface::RtlHostInterface(const HostSite& site, HostInterfaceClient& client,
                                   std::unique_ptr<HostInterfaceRtl> core)
    : HostWithRtl(site, client, std::move(core), "another word than the one that arrives, in"),
      lanes_(std::size_t{site.links} * site.slots),
      seen_(site.links, -1) {}

void RtlHostInterface::begin(Cycle now, const HostMessage& message) {
  // Its source turns to the next message now, and is told when that one can begin.
  const Cycle free_at = free_after(message, now, driver_.site().slots);
  sending_[message.circuit] = {message, 0, free_at};
  driver_.offer(now, message);
  outputs(now);
  client_.left(message.sender, free_at);
}

void RtlHostInterface::outputs(Cycle now) {
  for (std::uint32_t link = 0; link < seen_.size(); ++link) {
    if (seen_[link] == now) continue;
    const HostWord word = driver_.core().out(link);
    if (!word.valid) continue;
    seen_[link] = now;
    leaves(now, link, word);
  }
}

// A word leaves: the first one of a lane announces the others, which must follow.
void RtlHostInterface::leaves(Cycle now, std::uint32_t link, const HostWord& word) {
  const HostSite& site = driver_.site();
  const auto slot = static_cast<std::uint32_t>(now % Cycle{site.slots});
  const auto at = sending_.find(driver_.circuit_out(word.circuit));
  if (at == sending_.end() || word.index != at->second.next ||
      word.last != (word.index + 1 == at->second.message.words) || word.last != (now + 1 == at->second.free_at)) {
    throw RunError(fmt::format("{}: the rtl sends on link {} what no message has next in this cycle: {}",
                               driver_.place(now), link, driver_.text(word)));
  }
  Sending& sending = at->second;
  const HostMessage message = sending.message;
  ++sending.next;
  Lane& lane = lanes_[std::size_t{link} * site.slots + slot];
  if (lane.words == 0) {
    Train t;
    t.message = message.message;
    t.first_word = word.index;
    t.stride = static_cast<std::uint32_t>(message.slots->slots.size());
    t.words = (message.words - word.index + t.stride - 1) / t.stride;
    t.slot = static_cast<Slot>(slot);
    t.start = now;
    lane = {message.message, word.index, t.words};
    client_.depart(now, message.sender, link, t);
  }
  if (lane.message != message.message || lane.next != word.index) {
    throw RunError(fmt::format("{}: the rtl sends on link {} another word than {} of message {}: {}",
                               driver_.place(now), link, lane.next, lane.message, driver_.text(word)));
  }
  lane.next += static_cast<std::uint32_t>(message.slots->slots.size());
  --lane.words;
  driver_.core().set_data(link, HostRtlDriver::bits(message.message, word.index));
  if (!word.last) return;
  sending_.erase(at);
  driver_.message_left();
}

void RtlHostInterface::cycle(Cycle now) {
  const HostSite& site = driver_.site();
  for (std::uint32_t link = 0; link < seen_.size(); ++link) {
    const Lane& lane = lanes_[std::size_t{link} * site.slots + static_cast<std::size_t>(now % Cycle{site.slots})];
    if (lane.words > 0 && seen_[link] != now) {
      throw RunError(fmt::format("{}: the rtl does not send word {} of message {} on link {}", driver_.place(now),
                                 lane.next, lane.message, link));
    }
    check_arrival(now, link);
    const HostWord word = driver_.core().in(link);
    if (!word.valid) continue;
    const Train& train = *driver_.train_arriving(now, link);
    if (word.first) first_word_[train.circuit] = now;
    if (word.last) client_.received(now, train.message, first_word_[train.circuit]);
  }
}

LockstepHostInterface::LockstepHostInterface(const HostSite& site, HostInterfaceClient& client,
                                             std::unique_ptr<HostInterfaceRtl> core, LockstepCount& count)
    : HostWithRtl(site, client, std::move(core), "lockstep difference in"),
      sent_(std::size_t{site.links} * site.slots),
      model_(*this, site.slots, *site.messages),
      count_(count) {}

// The model may turn to the circuit's next message at once, but that begins later.
void LockstepHostInterface::begin(Cycle now, const HostMessage& message) {
  driver_.offer(now, message);
  beginning_ = &message;
  model_.begin(now, message);
}

void LockstepHostInterface::arrive(Cycle now, PortId link, const Train& train) {
  HostWithRtl::arrive(now, link, train);
  model_.arrive(now, link, train);
}

void LockstepHostInterface::arrive_cut(PortId link, const TrainCut& cut) {
  HostWithRtl::arrive_cut(link, cut);
  model_.arrive_cut(link, cut);
}

void LockstepHostInterface::due(Cycle now, std::uint32_t token) {
  if (!driver_.due(now, token)) model_.due(now, token);
}

void LockstepHostInterface::depart(Cycle now, std::uint32_t sender, std::uint32_t link, const Train& train) {
  sent_[std::size_t{link} * driver_.site().slots + train.slot] = {train, beginning_->circuit, beginning_->words};
  client_.depart(now, sender, link, train);
}

HostWord LockstepHostInterface::expected(Cycle now, std::uint32_t link) const {
  const Cycle frame = driver_.site().slots;
  const Sent& s = sent_[std::size_t{link} * driver_.site().slots + static_cast<std::size_t>(now % frame)];
  if (s.train.words == 0 || now < s.train.start || now > s.train.last(driver_.site().slots)) return {};
  const std::uint32_t word =
      s.train.first_word + static_cast<std::uint32_t>((now - s.train.start) / frame) * s.train.stride;
  return {true,      driver_.number_out(s.circuit), word,
          word == 0, word + 1 == s.words,           HostRtlDriver::bits(s.train.message, word)};
}

void LockstepHostInterface::cycle(Cycle now) {
  ++count_.cycles;
  HostInterfaceRtl& core = driver_.core();
  const std::uint32_t links = driver_.site().links;
  for (std::uint32_t link = 0; link < links; ++link) core.set_data(link, expected(now, link).bits);
  core.update_outputs();
  for (std::uint32_t link = 0; link < links; ++link) {
    const HostWord due = expected(now, link);
    const HostWord shown = core.out(link);
    if (!(due == shown)) differ(now, "out", link, due, shown);
    if (due.last) driver_.message_left();
    check_arrival(now, link);
  }
}

std::unique_ptr<HostInterfaceRtl> make_host_interface_rtl(VerilatedContext& context, const std::string& name) {
  return compiled<decltype(make_host_interface_rtl)>("host_interface")(context, name);
}

}  // namespace weft
