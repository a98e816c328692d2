#include "algorithms/dram/pseudo_channel.h"

#include <algorithm>

namespace weft::dram {

PseudoChannel::PseudoChannel(const Config& config, Tick first_refresh)
    : config_(&config),
      banks_(config.all_banks()),
      group_column_(config.groups, kNever),
      group_write_(config.groups, kNever),
      group_activate_(config.groups, kNever),
      due_(first_refresh) {
  activations_.fill(kNever);
  for (std::size_t b = 0; b < banks_.size(); ++b) {
    const Tick before = static_cast<Tick>(banks_.size() - 1 - b);
    banks_[b].due = first_refresh + before * config.timing.refi / static_cast<Tick>(banks_.size());
  }
}

// Banks are numbered so that neighbours are in different groups.
PseudoChannel::Place PseudoChannel::place(std::uint64_t address) const {
  const std::uint32_t banks = config_->all_banks();
  const std::uint64_t page = address / config_->page_bytes;
  Place out;
  switch (config_->mapping) {
    case DramMapping::row_bank_column:
      out.bank = static_cast<std::uint32_t>(page % banks);
      out.row = page / banks;
      break;
    case DramMapping::row_column_group: {
      const std::uint64_t stripe = config_->page_bytes * config_->groups;  // a page of each group
      const std::uint64_t group = address / config_->burst_bytes % config_->groups;
      out.bank = static_cast<std::uint32_t>(address / stripe % config_->banks * config_->groups + group);
      out.row = address / (stripe * config_->banks);
      break;
    }
    case DramMapping::bank_row_column:
      out.bank = static_cast<std::uint32_t>(address / config_->bank_bytes % banks);
      out.row = address % config_->bank_bytes / config_->page_bytes;
      break;
  }
  out.group = out.bank % config_->groups;
  return out;
}

// First clock of the column command, and that of the activation before it, if one is needed.
Tick PseudoChannel::column_of(const Place& p, Tick arrival, bool write, Tick& activation) const {
  const Timing& t = config_->timing;
  const Bank& b = banks_[p.bank];
  Tick column = arrival;
  activation = kNever;
  if (b.open && b.row == p.row) {
    column = std::max(column, write ? b.column_w : b.column);
  } else {
    Tick at = b.open ? std::max(arrival, b.precharge) + t.rp : std::max(arrival, b.activate);
    at = std::max(
        {at, last_activation_ + t.rrd_s, group_activate_[p.group] + t.rrd_l, activations_[activation_] + t.faw});
    activation = at;
    column = std::max(column, at + (write ? t.rcd_write : t.rcd_read));
  }
  column = std::max({column, last_column_ + t.ccd_s, group_column_[p.group] + t.ccd_l});
  if (write) return std::max(column, last_read_ + t.rtw);
  return std::max({column, last_write_end_ + t.wtr_s, group_write_[p.group] + t.wtr_l});
}

void PseudoChannel::refresh_all(Tick arrival) {
  const Timing& t = config_->timing;
  // Those that are over long before anything is asked for.
  const Tick busy = std::max({last_column_, last_activation_, last_write_end_});
  if (const Tick idle = arrival - std::max(due_, busy + t.ras + t.wr); idle > 2 * t.refi) {
    const Tick n = idle / t.refi - 1;
    counters_.refreshes += static_cast<std::uint64_t>(n);
    due_ += n * t.refi;
  }
  Tick begin = due_;
  for (const Bank& b : banks_) begin = std::max(begin, b.open ? b.precharge + t.rp : b.activate);
  if (std::any_of(banks_.begin(), banks_.end(), [](const Bank& b) { return b.open; })) {
    begin = std::max(begin, due_ + t.rp);
  }
  for (Bank& b : banks_) {
    b.open = false;
    b.activate = begin + t.rfc;
  }
  note({Command::Kind::refresh, begin, begin + t.rfc, 0, 0, due_});
  due_ += t.refi;
  ++counters_.refreshes;
}

void PseudoChannel::refresh_one(Bank& b, Tick arrival) {
  const Timing& t = config_->timing;
  if (const Tick idle = arrival - std::max(b.due, b.precharge); idle > 2 * t.refi) {
    const Tick n = idle / t.refi - 1;
    counters_.refreshes += static_cast<std::uint64_t>(n);
    b.due += n * t.refi;
  }
  const Tick begin = b.open ? std::max(b.due, b.precharge) + t.rp : std::max(b.due, b.activate);
  b.open = false;
  b.activate = begin + t.rfc_single;
  note({Command::Kind::refresh, begin, b.activate, static_cast<std::uint32_t>(&b - banks_.data()), 0, b.due});
  b.due += t.refi;
  ++counters_.refreshes;
}

PseudoChannel::Served PseudoChannel::access(Tick arrival, std::uint64_t address, bool write) {
  const Timing& t = config_->timing;
  const Place p = place(address);
  Bank& b = banks_[p.bank];
  Tick activation = kNever;
  Tick column = column_of(p, arrival, write, activation);
  if (config_->refresh == DramRefresh::all_bank) {
    while (column >= due_) {
      refresh_all(arrival);
      column = column_of(p, arrival, write, activation);
    }
  } else if (config_->refresh == DramRefresh::per_bank) {
    while (column >= b.due) {
      refresh_one(b, arrival);
      column = column_of(p, arrival, write, activation);
    }
  }
  if (activation == kNever) {
    ++counters_.hits;
  } else {
    ++(b.open ? counters_.conflicts : counters_.misses);
    b.open = true;
    b.row = p.row;
    b.column = activation + t.rcd_read;
    b.column_w = activation + t.rcd_write;
    b.precharge = activation + t.ras;
    last_activation_ = group_activate_[p.group] = activation;
    activations_[activation_] = activation;
    activation_ = (activation_ + 1) % activations_.size();
  }
  last_column_ = group_column_[p.group] = column;
  note({write ? Command::Kind::write : Command::Kind::read, column, column, p.bank, p.row, 0});
  Served out{column, column + (write ? t.write : t.read) + t.burst};
  if (write) {
    ++counters_.writes;
    last_write_end_ = group_write_[p.group] = out.end;
    b.precharge = std::max(b.precharge, out.end + t.wr);
  } else {
    ++counters_.reads;
    last_read_ = column;
    b.precharge = std::max(b.precharge, column + t.rtp);
  }
  if (used_ && wrote_ != write) ++counters_.turns;
  used_ = true;
  wrote_ = write;
  return out;
}

void PseudoChannel::idle_until(Tick at) {
  if (config_->refresh == DramRefresh::all_bank) {
    while (due_ <= at) refresh_all(at);
  } else if (config_->refresh == DramRefresh::per_bank) {
    for (Bank& b : banks_) {
      while (b.due <= at) refresh_one(b, at);
    }
  }
}

}  // namespace weft::dram
