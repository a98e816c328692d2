#include "reference/dram_oracle.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>

namespace weft::test {
namespace {

using dram::Config;
using dram::Tick;
using dram::Time;

enum class Command { activate, precharge, read, write };

struct Given {
  Command command;
  Tick at;
  std::uint32_t bank;
};

// The rank of a bank as its commands leave it.
class Rank {
 public:
  explicit Rank(const Config& config) : config_(config) {}

  std::uint32_t bank(std::uint64_t a) const {
    const std::uint64_t n = config_.groups * config_.banks;
    if (config_.mapping == DramMapping::row_bank_column) return static_cast<std::uint32_t>(a / config_.page_bytes % n);
    if (config_.mapping == DramMapping::bank_row_column) return static_cast<std::uint32_t>(a / config_.bank_bytes % n);
    const std::uint64_t group = a / config_.burst_bytes % config_.groups;
    return static_cast<std::uint32_t>(a / (config_.page_bytes * config_.groups) % config_.banks * config_.groups +
                                      group);
  }
  std::uint64_t row(std::uint64_t a) const {
    if (config_.mapping == DramMapping::bank_row_column) return a % config_.bank_bytes / config_.page_bytes;
    return a / (config_.page_bytes * config_.groups * config_.banks);
  }
  std::optional<std::uint64_t> open(std::uint32_t bank) const {
    const auto it = rows_.find(bank);
    return it == rows_.end() ? std::nullopt : std::optional(it->second);
  }
  bool all_closed() const { return rows_.empty(); }

  // Every interval to every command given so far.
  bool allowed(Command c, std::uint32_t bank, Tick now) const {
    const auto& t = config_.timing;
    int activations = 0;
    for (const Given& g : given_) {
      const Tick since = now - g.at;
      const bool same = g.bank == bank;
      const bool group = g.bank % config_.groups == bank % config_.groups;
      const Tick data_end = g.at + (g.command == Command::write ? t.write : t.read) + t.burst;
      const bool column = c == Command::read || c == Command::write;
      switch (g.command) {
        case Command::activate:
          if (c == Command::activate && since < (group ? t.rrd_l : t.rrd_s)) return false;
          if (c == Command::activate && since < t.faw && ++activations == 4) return false;
          if (same && c == Command::precharge && since < t.ras) return false;
          if (same && c == Command::read && since < t.rcd_read) return false;
          if (same && c == Command::write && since < t.rcd_write) return false;
          break;
        case Command::precharge:
          if (same && c == Command::activate && since < t.rp) return false;
          break;
        case Command::read:
          if (column && since < (group ? t.ccd_l : t.ccd_s)) return false;
          if (c == Command::write && since < t.rtw) return false;
          if (same && c == Command::precharge && since < t.rtp) return false;
          break;
        case Command::write:
          if (column && since < (group ? t.ccd_l : t.ccd_s)) return false;
          if (c == Command::read && now < data_end + (group ? t.wtr_l : t.wtr_s)) return false;
          if (same && c == Command::precharge && now < data_end + t.wr) return false;
          break;
      }
    }
    return now >= blocked_until_;
  }
  void give(Command c, std::uint32_t bank, std::uint64_t row, Tick now) {
    given_.push_back({c, now, bank});
    while (given_.front().at < now - 200) given_.pop_front();
    if (c == Command::activate) rows_[bank] = row;
    if (c == Command::precharge) rows_.erase(bank);
  }
  bool precharges_over(Tick now) const {
    return std::none_of(given_.begin(), given_.end(), [&](const Given& g) {
      return g.command == Command::precharge && now - g.at < config_.timing.rp;
    });
  }
  void block(Tick until) { blocked_until_ = until; }
  Tick blocked_until() const { return blocked_until_; }
  const std::map<std::uint32_t, std::uint64_t>& rows() const { return rows_; }

 private:
  const Config& config_;
  std::deque<Given> given_;
  std::map<std::uint32_t, std::uint64_t> rows_;
  Tick blocked_until_ = 0;
};

// Refresh of all banks: nothing else from the clock on in which it is due.
class Refresh {
 public:
  Refresh(const Config& config, Tick first) : config_(config), due_(first) {}
  /// Returns true when it keeps the channel in this clock.
  bool step(Rank& rank, Tick now) {
    if (config_.refresh == DramRefresh::none || now < due_) return now < rank.blocked_until();
    const auto rows = rank.rows();
    for (const auto& [bank, row] : rows) {
      if (rank.allowed(Command::precharge, bank, now)) rank.give(Command::precharge, bank, row, now);
    }
    if (rank.all_closed() && rank.precharges_over(now) && now >= rank.blocked_until()) {
      rank.block(now + config_.timing.rfc);
      due_ += config_.timing.refi;
    }
    return true;
  }

 private:
  const Config& config_;
  Tick due_;
};

// Row commands for requests in an order: closes the wrong row once nobody before needs it, activates in order.
void row_commands(Rank& rank, const std::vector<const DramRequest*>& order, Tick now) {
  bool activations_wait = false;
  std::map<std::uint32_t, std::uint64_t> needed;  // the row that an earlier request needs, by bank
  for (const DramRequest* r : order) {
    const std::uint32_t bank = rank.bank(r->address);
    const std::uint64_t row = rank.row(r->address);
    const bool first = needed.try_emplace(bank, row).second;
    const auto open = rank.open(bank);
    if (open == row && first) continue;
    if (!first) {
      if (needed[bank] != row) activations_wait = true;
      continue;
    }
    if (open && rank.allowed(Command::precharge, bank, now)) rank.give(Command::precharge, bank, 0, now);
    if (!rank.open(bank) && !activations_wait && rank.allowed(Command::activate, bank, now)) {
      rank.give(Command::activate, bank, row, now);
    } else {
      activations_wait = true;
    }
  }
}

}  // namespace

std::vector<Tick> dram_columns(const Config& config, Tick first_refresh, const std::vector<DramRequest>& requests) {
  Rank rank(config);
  Refresh refresh(config, first_refresh);
  std::vector<Tick> out;
  for (Tick now = 0; out.size() < requests.size(); ++now) {
    if (refresh.step(rank, now)) continue;
    std::vector<const DramRequest*> order;
    for (std::size_t i = out.size(); i < requests.size() && requests[i].arrival <= now; ++i) {
      order.push_back(&requests[i]);
    }
    if (!order.empty()) {
      const DramRequest& r = *order.front();
      const std::uint32_t bank = rank.bank(r.address);
      const Command c = r.write ? Command::write : Command::read;
      if (rank.open(bank) == rank.row(r.address) && rank.allowed(c, bank, now)) {
        rank.give(c, bank, 0, now);
        out.push_back(now);
        order.erase(order.begin());
      }
    }
    row_commands(rank, order, now);
  }
  return out;
}

std::vector<Time> dram_streams(const Config& config, Tick first_refresh, const std::vector<DramStream>& streams) {
  constexpr std::size_t kAhead = 8;  // requests of a stream that row commands look at
  struct Port {
    std::deque<DramRequest> asked;
    std::uint64_t issued = 0;
    std::vector<double> free;  // when the place of a word is free again
    double passes = 0;         // the next word, at the earliest
    double last = 0;
  };
  Rank rank(config);
  Refresh refresh(config, first_refresh);
  std::vector<Port> ports(streams.size());
  std::vector<std::uint64_t> served(streams.size());
  for (std::size_t p = 0; p < streams.size(); ++p) ports[p].passes = static_cast<double>(streams[p].first);
  std::size_t turn = 0;
  std::uint32_t words = 0;
  const auto over = [&] {
    for (std::size_t p = 0; p < streams.size(); ++p) {
      if (served[p] < streams[p].words) return false;
    }
    return true;
  };
  for (Tick now = 0; !over(); ++now) {
    const auto time = static_cast<double>(now * config.clock_ps);
    for (std::size_t p = 0; p < streams.size(); ++p) {
      Port& port = ports[p];
      const DramStream& s = streams[p];
      while (port.issued < s.words) {
        const bool room = port.issued < config.fifo || (port.free.size() > port.issued - config.fifo &&
                                                        port.free[port.issued - config.fifo] <= time);
        if (!room || static_cast<double>(s.start) > time || (s.write && port.passes > time)) break;
        if (s.write) {
          port.last = std::max(port.passes, time - static_cast<double>(config.clock_ps));
          port.passes += s.step;
        }
        port.asked.push_back({now, s.address + port.issued * config.burst_bytes, s.write});
        ++port.issued;
      }
    }
    if (refresh.step(rank, now)) continue;
    const auto next_turn = [&] {
      for (std::size_t i = 1; i <= ports.size(); ++i) {
        const std::size_t p = (turn + i) % ports.size();
        if (!ports[p].asked.empty()) return p;
      }
      return turn;
    };
    if (ports[turn].asked.empty() || words >= config.batch) {
      turn = next_turn();
      words = 0;
    }
    std::vector<const DramRequest*> order;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const auto& asked = ports[(turn + i) % ports.size()].asked;
      for (std::size_t k = 0; k < std::min(kAhead, asked.size()); ++k) order.push_back(&asked[k]);
    }
    Port& port = ports[turn];
    if (!port.asked.empty()) {
      const DramRequest r = port.asked.front();
      const std::uint32_t bank = rank.bank(r.address);
      const Command c = r.write ? Command::write : Command::read;
      if (rank.open(bank) == rank.row(r.address) && rank.allowed(c, bank, now)) {
        rank.give(c, bank, 0, now);
        order.erase(order.begin());
        port.asked.pop_front();
        ++served[turn];
        ++words;
        const auto end = static_cast<double>(
            (now + (r.write ? config.timing.write : config.timing.read) + config.timing.burst) * config.clock_ps);
        if (r.write) {
          port.free.push_back(end);
        } else {
          port.last = std::max(port.passes, end + static_cast<double>(streams[turn].pipeline));
          port.passes = port.last + streams[turn].step;
          port.free.push_back(port.last);
        }
      }
    }
    row_commands(rank, order, now);
  }
  std::vector<Time> out;
  for (const Port& p : ports) out.push_back(static_cast<Time>(std::ceil(p.last)));
  return out;
}

}  // namespace weft::test
