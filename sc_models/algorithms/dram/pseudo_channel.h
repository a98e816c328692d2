#pragma once
// Pseudo channel of HBM2: banks in groups, an open row each, commands as early as the intervals of JEDEC JESD235 let
// them go. Bursts are served in the order in which they are handed over (algorithms/dram/memory_ports.h decides it),
// row commands of a burst as early as its arrival, so that a row opens behind the bursts before it. Row and column
// commands have buses of their own in HBM2, which are not modelled: a row command goes at most every tRRD.
//
// Refresh of all banks: from the clock on in which it is due no burst begins; all rows are closed, and after tRP and
// tRFC the banks can be activated. Per bank: the same for one bank, whose neighbours go on. A refresh that comes due
// while nothing is asked for takes place at once.

#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/dram/dram_config.h"

namespace weft::dram {

struct Counters {
  std::uint64_t reads = 0;      ///< bursts
  std::uint64_t writes = 0;     ///< bursts
  std::uint64_t hits = 0;       ///< bursts to a row that was open
  std::uint64_t misses = 0;     ///< to a bank without an open row
  std::uint64_t conflicts = 0;  ///< to a bank with another row open
  std::uint64_t turns = 0;      ///< of the data bus, from reading to writing or back
  std::uint64_t refreshes = 0;  ///< of all banks, or of single ones
};

/// Command, as waveforms show it. Row commands are not among them: when a row opens behind the bursts before, the
/// channel knows only later.
struct Command {
  enum class Kind : std::uint8_t { read, write, refresh };
  Kind kind = Kind::read;
  Tick at = 0;
  Tick end = 0;            ///< refresh: the bank, or all of them, can be activated
  std::uint32_t bank = 0;  ///< 0 for a refresh of all banks
  std::uint64_t row = 0;
  Tick due = 0;  ///< refresh
};

class PseudoChannel {
 public:
  /// `first_refresh`: clock in which the first one is due.
  PseudoChannel(const Config& config, Tick first_refresh);

  struct Served {
    Tick column = 0;  ///< the read or write command
    Tick end = 0;     ///< the last of its data has passed
  };
  /// Burst at an address of the channel, known to the controller from clock `arrival` on.
  Served access(Tick arrival, std::uint64_t address, bool write);
  /// Clock of the last column command.
  Tick last_column() const { return last_column_; }
  /// Refreshes that are due by a clock take place.
  void idle_until(Tick at);
  const Counters& counters() const { return counters_; }
  /// Commands are noted from now on; null: they are not. Copies of the channel note them in the same place.
  void note(std::vector<Command>* commands) { commands_ = commands; }

 private:
  static constexpr Tick kNever = -1'000'000'000;
  struct Place {
    std::uint32_t bank = 0;
    std::uint32_t group = 0;
    std::uint64_t row = 0;
  };
  struct Bank {
    bool open = false;
    std::uint64_t row = 0;
    Tick activate = 0;  // first clock in which it can be, when it is closed
    Tick column = 0;    // first clock of a column command to the open row (read, write)
    Tick column_w = 0;
    Tick precharge = 0;  // first clock in which the open row can be closed
    Tick due = 0;        // next refresh
  };
  Place place(std::uint64_t address) const;
  Tick column_of(const Place& place, Tick arrival, bool write, Tick& activation) const;
  void refresh_all(Tick arrival);
  void refresh_one(Bank& bank, Tick arrival);
  void note(const Command& command) {
    if (commands_ != nullptr) commands_->push_back(command);
  }

  const Config* config_;
  std::vector<Bank> banks_;
  std::vector<Tick> group_column_;     // last column command of each group
  std::vector<Tick> group_write_;      // end of the last data written
  std::vector<Tick> group_activate_;   // last activation
  std::array<Tick, 4> activations_{};  // the last four, the oldest at activation_
  std::size_t activation_ = 0;
  Tick last_activation_ = kNever;
  Tick last_column_ = kNever;
  Tick last_read_ = kNever;       // command
  Tick last_write_end_ = kNever;  // of its data
  bool wrote_ = false;
  bool used_ = false;
  Tick due_ = 0;  // refresh of all banks
  Counters counters_;
  std::vector<Command>* commands_ = nullptr;
};

}  // namespace weft::dram
