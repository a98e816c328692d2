#pragma once
// HBM2 of a node with its modules. Stripe i is memory I/O i: two memory interfaces (pseudo channels) of K bytes each,
// joined by a 2 x 2 crossbar to D#i and to the host. The bytes themselves are an optweb::SparseMemory.
//
// An interface moves a word per cycle, reading and writing together. Those that have it open get turns, each the same
// part of them, which the others do not get even when it is more than needed: R#i from the first word of its stream to
// the last, W#i the same, the host while the words of an access pass. R#i and W#i count for each other during all of an
// instruction that reads and writes the same interface. A stream that passes from one interface of its stripe into the
// other is taken to have both open. A read answers after `read` cycles, a written word is acknowledged after `write`
// cycles; a fence waits for that. With `memory.model: hbm2` there is DRAM behind each interface: its banks, refreshes
// and turns of the data bus may let words pass later than the turns of the crossbar do
// (algorithms/dram/memory_ports.h). Source: section 3.2.3 and Figure 5 of the paper named in
// algorithms/optweb/link_sync.h.

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "algorithms/dram/memory_ports.h"
#include "algorithms/optweb/semantics/sparse_memory.h"
#include "fabrics/optweb/node_clock.h"
#include "fabrics/optweb/parameters.h"
#include "kernel/clock_domain.h"

namespace weft {

/// All memory interfaces of a node; interface c of stripe i is number 2i + c.
class MemoryInterfaces : public sc_core::sc_module {
 public:
  MemoryInterfaces(sc_core::sc_module_name name, const OptwebParameters& parameters)
      : sc_module(name), parameters_(parameters), words_(std::size_t{2} * parameters.config->stripes) {}

  /// Words of one of `sharers` that use an interface at once, at most three.
  optweb::WordRate pace(std::int64_t sharers) const { return parameters_.interface_pace(sharers); }
  Cycle read_latency() const { return parameters_.latency().read; }
  Cycle write_latency() const { return parameters_.latency().write; }
  void count_read(std::uint32_t interface, std::uint64_t words) { words_[interface].read += words; }
  void count_write(std::uint32_t interface, std::uint64_t words) { words_[interface].written += words; }
  // By DMACs.
  std::uint64_t words_read(std::uint32_t interface) const { return words_[interface].read; }
  std::uint64_t words_written(std::uint32_t interface) const { return words_[interface].written; }

 private:
  struct Words {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
  };
  const OptwebParameters& parameters_;
  std::vector<Words> words_;
};

/// Cycles in which the host has an interface open.
struct HostSpan {
  static constexpr Cycle kOpen = std::numeric_limits<Cycle>::max();
  std::uint8_t interfaces = 0;
  Cycle from = 0;
  Cycle to = kOpen;
};

/// Words of a stream of D#i or of the host, as they come to the memory.
struct MemoryStream {
  std::uint64_t address = 0;  ///< physical
  std::uint64_t words = 0;
  Cycle start = 0;        ///< they begin to pass
  bool shared = false;    ///< the other stream of D#i uses the same interface
  optweb::WordRate path;  ///< of the way to the memory, or from it
};

/// Cycles in which the memory lets words of W#i pass more slowly than its turns do.
struct MemoryLimit {
  Cycle from = 0;
  Cycle to = 0;
  optweb::WordRate pace;
};

/// Memory as a reader or writer sees it. `interfaces`: those of its stripe that the stream uses, as bits.
class MemoryBusIf : public virtual sc_core::sc_interface {
 public:
  /// Pace of a stream of D#i when the other stream of D#i uses the same interface as well, or does not, and the host
  /// has it open, or has not.
  virtual optweb::WordRate pace(bool shared, bool host) const = 0;
  virtual bool host_has(std::uint32_t stripe, std::uint8_t interfaces) const = 0;
  /// When the host has had interfaces of a stripe open since W#i opened one.
  virtual const std::vector<HostSpan>& host_spans(std::uint32_t stripe) const = 0;
  /// Pace that the memory itself allows now, when its words do not come at that of its turns.
  virtual std::optional<optweb::WordRate> limit(std::uint32_t stripe, dram::Port port) const = 0;
  /// The same of W#i since it opened an interface.
  virtual const std::vector<MemoryLimit>& writer_limits(std::uint32_t stripe) const = 0;
  virtual Cycle read_latency() const = 0;
  /// From the last word handed over to its acknowledgement.
  virtual Cycle write_latency() const = 0;
  /// The first requests of a stream of R#i go to the memory in a cycle, now or later. It will begin to pass when that
  /// is known (reader_opens()).
  virtual void reader_asks(std::uint32_t /*stripe*/, const MemoryStream& /*stream*/, Cycle /*at*/) {}
  virtual void reader_opens(std::uint32_t stripe, std::uint8_t interfaces, const MemoryStream& stream) = 0;
  virtual void reader_closes(std::uint32_t stripe) = 0;
  /// From the start of the stream on, now or later.
  virtual void writer_opens(std::uint32_t stripe, std::uint8_t interfaces, const MemoryStream& stream) = 0;
  /// At a cycle, now or later; may be said again.
  virtual void writer_closes(std::uint32_t stripe, Cycle at) = 0;
  /// A stream of D#i is over: so many words from a physical address on have been read.
  virtual void read(std::uint64_t address, std::uint64_t words) = 0;
  virtual void written(std::uint64_t address, std::uint64_t words) = 0;
};

/// Memory as the host sees it.
class HostMemoryIf : public virtual sc_core::sc_interface {
 public:
  struct Share {
    std::int64_t sharers = 1;       ///< the host and the streams that have the interface open now
    Cycle until = HostSpan::kOpen;  ///< as far as that is known
  };
  virtual Share share(std::uint32_t interface, Cycle now) const = 0;
  /// Of the words of the host in the interface it has open.
  virtual optweb::WordRate host_pace(std::uint32_t interface, std::int64_t sharers) = 0;
  /// One interface at a time.
  virtual void host_opens(std::uint32_t interface, const MemoryStream& stream, bool write) = 0;
  virtual void host_closes(std::uint32_t interface, Cycle now) = 0;
};

/// Told when others use the memory in another way than before.
class MemoryWatcher {
 public:
  virtual ~MemoryWatcher() = default;
  virtual void memory_changed(std::uint32_t stripe) = 0;
};

/// Controllers of the pseudo channels, two per stripe; with `memory.model: hbm2` only.
class Hbm2Controllers : public sc_core::sc_module, public Agent {
 public:
  Hbm2Controllers(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeClock& clock);
  void set_watchers(MemoryWatcher* streams, MemoryWatcher* host) {
    streams_ = streams;
    host_ = host;
  }
  bool modelled() const { return !stripes_.empty(); }
  /// `turns`: pace of the turns of the crossbar.
  void open(dram::Port port, std::uint32_t stripe, const MemoryStream& stream, const optweb::WordRate& turns,
            bool write);
  /// R#i reads a stream from cycle `at` on; start() tells when it begins to pass.
  void ask(std::uint32_t stripe, const MemoryStream& stream, Cycle at);
  void start(std::uint32_t stripe, const MemoryStream& stream, const optweb::WordRate& turns);
  void set_turns(dram::Port port, std::uint32_t stripe, const optweb::WordRate& path, const optweb::WordRate& turns);
  void close(dram::Port port, std::uint32_t stripe);
  std::optional<optweb::WordRate> limit(dram::Port port, std::uint32_t stripe) const;
  const std::vector<MemoryLimit>& writer_limits(std::uint32_t stripe) const {
    return modelled() ? stripes_[stripe].writer_limits : none_;
  }
  /// The memory I/O of a stripe; null when nothing has used it.
  const dram::MemoryPorts* stripe(std::uint32_t stripe) const {
    return modelled() ? stripes_[stripe].ports.get() : nullptr;
  }
  /// For waveforms, before anything uses the memory: commands are noted.
  void watch() { watched_ = true; }
  /// A pseudo channel at the end of the present cycle (dram::MemoryPorts::view()).
  dram::MemoryPorts::ChannelView view(std::uint32_t interface);
  void due(Cycle, std::uint32_t stripe) override;

 private:
  struct Stripe {
    std::unique_ptr<dram::MemoryPorts> ports;
    std::array<std::optional<dram::MemoryPorts::Limit>, dram::kPorts> told;
    std::vector<MemoryLimit> writer_limits;
    Cycle look = -1;  // the next look at it
  };
  Cycle present() const;
  dram::MemoryPorts& ports(std::uint32_t stripe);
  dram::Use use_of(const MemoryStream& stream) const;
  void changed(std::uint32_t stripe, Cycle now);
  void look(std::uint32_t stripe, Cycle at);

  const OptwebParameters& parameters_;
  NodeClock& clock_;
  std::vector<Stripe> stripes_;
  std::vector<MemoryLimit> none_;
  bool watched_ = false;
  MemoryWatcher* streams_ = nullptr;
  MemoryWatcher* host_ = nullptr;
};

/// The 2 x 2 crossbars of all stripes: D#i and the host on one side, interfaces 2i and 2i + 1 on the other.
class MemoryCrossbars : public sc_core::sc_module, public MemoryBusIf, public HostMemoryIf {
 public:
  MemoryCrossbars(sc_core::sc_module_name name, const OptwebParameters& parameters, MemoryInterfaces& interfaces,
                  Hbm2Controllers& controllers)
      : sc_module(name),
        parameters_(parameters),
        interfaces_(interfaces),
        controllers_(controllers),
        stripes_(parameters.config->stripes) {}
  /// `streams` is told when the host opens or closes an interface, `host` when a stream does while the host has one
  /// open; both when the memory itself lets words pass at another pace.
  void set_watchers(MemoryWatcher& streams, MemoryWatcher& host) {
    streams_ = &streams;
    host_ = &host;
    controllers_.set_watchers(&streams, &host);
  }

  optweb::WordRate pace(bool shared, bool host) const override {
    return interfaces_.pace(1 + (shared ? 1 : 0) + (host ? 1 : 0));
  }
  bool host_has(std::uint32_t stripe, std::uint8_t interfaces) const override {
    return (stripes_[stripe].host & interfaces) != 0;
  }
  const std::vector<HostSpan>& host_spans(std::uint32_t stripe) const override { return stripes_[stripe].spans; }
  std::optional<optweb::WordRate> limit(std::uint32_t stripe, dram::Port port) const override {
    return controllers_.limit(port, stripe);
  }
  const std::vector<MemoryLimit>& writer_limits(std::uint32_t stripe) const override {
    return controllers_.writer_limits(stripe);
  }
  Cycle read_latency() const override { return interfaces_.read_latency(); }
  Cycle write_latency() const override { return interfaces_.write_latency(); }
  void reader_asks(std::uint32_t stripe, const MemoryStream& stream, Cycle at) override {
    controllers_.ask(stripe, stream, at);
  }
  void reader_opens(std::uint32_t stripe, std::uint8_t interfaces, const MemoryStream& stream) override;
  void reader_closes(std::uint32_t stripe) override;
  void writer_opens(std::uint32_t stripe, std::uint8_t interfaces, const MemoryStream& stream) override;
  void writer_closes(std::uint32_t stripe, Cycle at) override;
  void read(std::uint64_t address, std::uint64_t words) override;
  void written(std::uint64_t address, std::uint64_t words) override;

  Share share(std::uint32_t interface, Cycle now) const override;
  optweb::WordRate host_pace(std::uint32_t interface, std::int64_t sharers) override;
  void host_opens(std::uint32_t interface, const MemoryStream& stream, bool write) override;
  void host_closes(std::uint32_t interface, Cycle now) override;

 private:
  struct Stripe {
    std::uint8_t reader = 0;  // interfaces it has open
    std::uint8_t writer = 0;
    std::uint8_t host = 0;
    Cycle writer_from = 0;
    Cycle writer_to = 0;
    std::vector<HostSpan> spans;
    MemoryStream read;
    MemoryStream written;
  };
  void set_turns(std::uint32_t stripe);
  void tell_host(std::uint32_t stripe) {
    if (stripes_[stripe].host != 0 && host_ != nullptr) host_->memory_changed(stripe);
  }

  const OptwebParameters& parameters_;
  MemoryInterfaces& interfaces_;
  Hbm2Controllers& controllers_;
  std::vector<Stripe> stripes_;
  MemoryWatcher* streams_ = nullptr;
  MemoryWatcher* host_ = nullptr;
};

class Hbm : public sc_core::sc_module {
 public:
  Hbm(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeClock& clock, NodeId node);

  optweb::SparseMemory& bytes() { return bytes_; }
  const optweb::SparseMemory& bytes() const { return bytes_; }
  const MemoryInterfaces& interfaces() const { return interfaces_; }
  Hbm2Controllers& controllers() { return controllers_; }
  const Hbm2Controllers& controllers() const { return controllers_; }
  MemoryCrossbars& crossbars() { return crossbars_; }

 private:
  optweb::SparseMemory bytes_;
  MemoryInterfaces interfaces_;
  Hbm2Controllers controllers_;
  MemoryCrossbars crossbars_;
};

}  // namespace weft
