#include "packet/scheduler_driver.h"

#include <fmt/format.h>

#include <bit>

namespace weft::pins {

std::uint32_t SchedulerShape::level_numbers() const { return std::bit_ceil(levels); }

std::uint32_t SchedulerShape::indices() const {
  if (entries == 0) return level_numbers();
  return entries > 1 ? std::bit_ceil(entries) : 2;
}

std::string SchedulerOutputs::text() const {
  return fmt::format("{}{}", grant ? fmt::format("grant to SL {}", *grant) : "no grant",
                     saturated ? ", saturated" : "");
}

SchedulerReference::SchedulerReference(const SchedulerShape& shape) : shape_(shape) { reset(); }

void SchedulerReference::reset() {
  if (shape_.two_tables) {
    arbiter_.reset();
    high_.assign(shape_.entries, {});
    low_.assign(shape_.entries, {});
  } else if (shape_.entries > 0) {
    dtable_.emplace(ArbitrationTable(shape_.entries), shape_.counter_bits);
  } else {
    drr_.emplace(std::vector<std::uint32_t>{});
  }
}

SchedulerOutputs SchedulerReference::decide(const SchedulerInputs& in) {
  SchedulerOutputs out;
  if (!in.reset_n || !in.decide) return out;
  if (shape_.two_tables) {
    if (!arbiter_) arbiter_.emplace(high_, low_, in.limit);
    out.grant = arbiter_->pick(in.view);
    return out;
  }
  if (drr_) {
    out.grant = drr_->pick(in.view);
    return out;
  }
  const std::uint64_t before = dtable_->saturations();
  out.grant = dtable_->pick(in.view);
  out.saturated = dtable_->saturations() != before;
  return out;
}

void SchedulerReference::end_cycle(const SchedulerInputs& in, const SchedulerOutputs& out) {
  if (!in.reset_n) {
    reset();
    return;
  }
  if (shape_.two_tables) {
    if (out.grant) arbiter_->sent(*out.grant, {});
    if (in.write && in.index < shape_.entries) (in.high ? high_ : low_)[in.index] = in.entry;
    return;
  }
  if (drr_) {
    if (out.grant) drr_->sent(*out.grant, {});
    if (in.write && in.index < shape_.levels) drr_->set_quantum(static_cast<ServiceLevel>(in.index), in.entry.weight);
    return;
  }
  if (out.grant) dtable_->sent(*out.grant, {});
  if (in.write && in.index < shape_.entries) dtable_->set_entry(in.index, in.entry);
}

SchedulerDriver::SchedulerDriver(const SchedulerShape& shape, Mode mode, std::uint64_t seed)
    : shape_(shape),
      random_(seed, "scheduler driver"),
      pace_(mode, random_),
      load_(1 + random_.below(6)),
      writes_(shape.indices() * (shape.two_tables ? 2 : 1)),
      fill_first_(shape.two_tables || random_.below(2) == 0) {
  if (!shape.two_tables) return;
  // None, one message, a few messages, no limit.
  constexpr std::uint32_t kLimits[] = {0, 1, 2, 255};
  limit_ = random_.below(4) == 0 ? static_cast<std::uint32_t>(random_.below(256)) : kLimits[random_.below(4)];
}

std::uint32_t SchedulerDriver::random_size() {
  const std::uint64_t largest = (std::uint64_t{1} << shape_.size_bits) - 1;
  const std::uint64_t small = random_.below(4) == 0 ? largest : std::min<std::uint64_t>(largest, 8);
  return static_cast<std::uint32_t>(1 + random_.below(small));
}

EgressView SchedulerDriver::view() const {
  EgressView view;
  for (std::uint32_t sl = 0; sl < shape_.levels; ++sl) {
    if (queues_[sl].empty() || (blocked_ >> sl & 1U) != 0) continue;
    view.active |= 1U << sl;
    view.head[sl] = queues_[sl].front();
  }
  return view;
}

SchedulerInputs SchedulerDriver::next() {
  SchedulerInputs in;
  for (std::uint64_t n = random_.below(load_); n > 0; --n) arrive();
  if (random_.below(4) == 0) blocked_ &= ~(1U << random_.below(shape_.levels));  // credits come back
  // A port loses credits only by what it sends; the block takes any SL for inactive at any time.
  if (random_.below(8) == 0) blocked_ |= 1U << random_.below(shape_.levels);
  // The table is filled first, then an entry changes now and then; writes of entries that do not exist are ignored.
  // Half of the hosts wait with the first decision until the table is full: where the first search begins shows then.
  const bool filling = written_ < writes_;
  in.write = filling || (!shape_.two_tables && random_.below(30) == 0);
  in.index = filling ? written_++ : static_cast<std::uint32_t>(random_.below(shape_.indices()));
  in.high = in.index >= shape_.indices();
  in.index %= shape_.indices();
  in.limit = limit_;
  in.entry.sl = static_cast<ServiceLevel>(random_.below(shape_.level_numbers()));
  in.entry.weight =
      random_.below(6) == 0 ? 0 : static_cast<std::uint32_t>(random_.below(std::uint64_t{1} << shape_.weight_bits));
  const bool ready = !fill_first_ || (shape_.two_tables ? !filling : written_ == writes_);
  in.decide = pace_.next(random_) && ready;
  in.view = view();
  return in;
}

SchedulerInputs SchedulerDriver::next_in_reset() {
  const std::uint32_t written = written_;
  SchedulerInputs in = next();
  written_ = written;                 // what is written in a reset is lost
  in.decide = random_.below(2) == 0;  // nor is anything granted
  in.reset_n = false;
  return in;
}

void SchedulerDriver::arrive() {
  auto& queue = queues_[random_.below(shape_.levels)];
  if (queue.size() < 20) queue.push_back(random_size());
}

void SchedulerDriver::taken(std::optional<ServiceLevel> grant) {
  if (!grant) return;
  queues_[*grant].pop_front();
  if (random_.below(4) == 0) blocked_ |= 1U << random_.below(shape_.levels);  // credits are shared
}

}  // namespace weft::pins
