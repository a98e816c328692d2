#pragma once
// Profile of a network over time (`observe.profile`): flits per link, flits in the buffers of each switch, flits that
// wait at each node, offered and accepted load, by windows of equal length from the begin of the measurement on.
//
// Memory is bounded: when there are more windows than a profile holds, two become one. Every flit is counted once, so
// the sums over all windows are the totals of the report, exactly.
//
// A level such as the flits of a buffer is kept as what enters and leaves, each flit at its cycle; its sum over the
// cycles of a window follows from the level at the begin of the window and from how long before the end of the window
// each flit has come or gone. So nobody has to sample a buffer in every cycle. Where buffers are sampled from
// outside instead, their level is the mean of these samples.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "kernel/record.h"
#include "observe/window.h"

namespace weft {

/// What a profile is of. Ticks are those of the fabric's records.
struct ProfileShape {
  Cycle window = 1;  ///< ticks
  Duration tick;
  std::int64_t flit_bits = 8;
  std::size_t links = 0;
  std::size_t switches = 0;  ///< whose buffers are told of; 0: none
  std::size_t nodes = 0;     ///< whose waiting transfers are told of; 0: none
  double link_flits = 1;     ///< that a link carries in a tick
  bool accepts = true;       ///< deliveries are told of
  bool offers = false;       ///< generation is told of: not of programs, which send when they may
  std::function<std::string(std::size_t)> link_name;
};

class NetworkProfile final : public TransferObserver, public WindowedStats {
 public:
  NetworkProfile(ProfileShape shape, Window window);

  const ProfileShape& shape() const { return shape_; }

  // What happens. Ticks do not decrease but for what is told ahead; what begins before the window counts from it on.

  /// Flits on a link in ticks first, first + stride, ...
  void carry(std::size_t link, Cycle first, std::uint64_t flits, Cycle stride = 1);
  /// Flits that were told so do not come.
  void take_back(std::size_t link, Cycle first, std::uint64_t flits, Cycle stride);
  /// Flits on a link from tick `first` until before `last`, at an even pace.
  void carry_evenly(std::size_t link, Cycle first, Cycle last, std::uint64_t flits);
  /// Flits that come into the buffers of a switch, or leave them, one per tick.
  void enter(SwitchId sw, Cycle first, std::uint64_t flits) {
    change(&Row::buffers, buffered_before_, 1, sw, first, flits);
  }
  void leave(SwitchId sw, Cycle first, std::uint64_t flits) {
    change(&Row::buffers, buffered_before_, -1, sw, first, flits);
  }
  /// A sample of all switches in a tick, and what each of them holds then.
  void sample(Cycle now) {
    if (window_.holds(now)) ++at(now).samples;
  }
  void hold(SwitchId sw, Cycle now, std::uint64_t flits) {
    if (window_.holds(now)) at(now).held[sw] += flits;
  }
  void accept(Cycle now, std::uint64_t flits) {
    if (window_.holds(now)) at(now).accepted += flits;
  }

  void on_generate(const TransferRecord& transfer) override;
  void on_enter(const TransferRecord& transfer) override;
  void on_arrive(const TransferRecord& transfer, Cycle now) override { accept(now, transfer.units); }

  void measure_from(Cycle first) override;
  void measure_until(Cycle last) override { window_.last = last; }
  void close(Cycle now) override;

  // Profiles of the parts of a network that several processes run, each of what its part tells.

  /// What has been told so far, for collect().
  std::string numbers() const;
  /// Becomes what all of these say together, one of which is its own. All parts have sampled in the same ticks. Before
  /// close().
  void collect(const std::vector<std::string>& states);

  /// Length of the windows once the measurement has come to this tick, whatever has been told of later ones.
  Cycle width_at(Cycle tick) const;

  // Once it is closed.

  const Window& window() const { return window_; }
  /// Length of a window; a multiple of the one asked for.
  Cycle width() const { return width_; }
  std::size_t windows() const { return rows_.size(); }
  Window window(std::size_t number) const;
  std::uint64_t offered(std::size_t number) const { return rows_[number].offered; }
  std::uint64_t accepted(std::size_t number) const { return rows_[number].accepted; }
  std::uint64_t carried(std::size_t number, std::size_t link) const { return rows_[number].links[link]; }
  /// Sums over the ticks of a window, by window: flits in the buffers of a switch, flits that wait at a node.
  std::vector<std::int64_t> buffered(SwitchId sw) const { return sums(&Row::buffers, buffered_before_[sw], sw); }
  std::vector<std::int64_t> waiting(NodeId node) const { return sums(&Row::queues, queued_before_[node], node); }
  /// Mean flits in the buffers of a switch, by window.
  std::vector<double> occupancy(SwitchId sw) const;
  /// Mean flits that wait at a node, by window.
  std::vector<double> queue(NodeId node) const { return means(waiting(node)); }

 private:
  /// What has entered less what has left in a window, and the same with each flit times the ticks that are left then.
  struct Level {
    std::int64_t net = 0;
    std::int64_t moment = 0;
    template <class Archive>
    void serialize(Archive& archive) {
      archive(net, moment);
    }
  };
  struct Row {
    std::vector<std::uint64_t> links;
    std::vector<Level> buffers;
    std::vector<Level> queues;
    std::vector<std::uint64_t> held;  // sums over the samples
    std::uint64_t samples = 0;
    std::uint64_t offered = 0;
    std::uint64_t accepted = 0;
    template <class Archive>
    void serialize(Archive& archive) {
      archive(links, buffers, queues, held, samples, offered, accepted);
    }
  };

  std::size_t number_of(Cycle tick) const { return static_cast<std::size_t>((tick - window_.first) / width_); }
  Cycle end_of(std::size_t number) const { return window_.first + static_cast<Cycle>(number + 1) * width_; }
  /// Row of the window that a tick lies in. Precondition: not before the measurement.
  Row& at(Cycle tick);
  Row empty_row() const;
  void halve();
  void add(NetworkProfile& other);
  template <class Visit>
  void each_window(Cycle first, std::uint64_t flits, Cycle stride, Visit&& visit);
  void change(std::vector<Level> Row::*levels, std::vector<std::int64_t>& before, std::int64_t sign, std::size_t place,
              Cycle first, std::uint64_t flits);
  void change_queue(std::int64_t sign, NodeId node, Cycle tick, std::uint64_t flits);
  std::vector<std::int64_t> sums(std::vector<Level> Row::*levels, std::int64_t level, std::size_t place) const;
  std::vector<double> means(const std::vector<std::int64_t>& sums) const;
  bool sampled() const;

  ProfileShape shape_;
  Window window_;
  Cycle width_;
  std::size_t most_;  // windows
  std::vector<Row> rows_;
  std::vector<std::int64_t> buffered_before_;  // flits at the begin of the measurement, per switch
  std::vector<std::int64_t> queued_before_;    // per node
};

}  // namespace weft
