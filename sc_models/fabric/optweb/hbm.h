#pragma once
// HBM2 of a node with its boxes. Stripe i is memory I/O i: two memory interfaces (pseudo channels) of K bytes each,
// joined by a 2 x 2 crossbar to D#i and to the host. The bytes themselves are an optweb::SparseMemory.
//
// An interface moves a word per cycle, reading and writing together: a stream that is read from an interface to which
// another one is written by the same instruction gets half of it. A read answers after `read` cycles, a written word is
// acknowledged after `write` cycles; a fence waits for that.
// Source: section 3.2.3 and Figure 5 of the paper named in optweb/link_sync.h.

#include <systemc>
#include <vector>

#include "fabric/optweb/parameters.h"
#include "optweb/sparse_memory.h"

namespace weft {

/// All memory interfaces of a node; interface c of stripe i is number 2i + c.
class MemoryInterfaces : public sc_core::sc_module {
 public:
  MemoryInterfaces(sc_core::sc_module_name name, const OptwebParameters& parameters)
      : sc_module(name), parameters_(parameters), words_(2 * parameters.config->stripes) {}

  /// Words of one of `sharers` that use an interface at once.
  optweb::WordPace pace(std::int64_t sharers) const { return parameters_.interface_pace(sharers); }
  Cycle read_latency() const { return parameters_.latency().read; }
  Cycle write_latency() const { return parameters_.latency().write; }
  void count_read(std::uint32_t interface, std::uint64_t words) { words_[interface].read += words; }
  void count_write(std::uint32_t interface, std::uint64_t words) { words_[interface].written += words; }
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

/// What a reader or writer sees of the memory.
class MemoryBusIf : public virtual sc_core::sc_interface {
 public:
  /// Pace of a stream of D#i in an interface that the other stream of D#i uses as well, or does not.
  virtual optweb::WordPace pace(bool shared) const = 0;
  virtual Cycle read_latency() const = 0;
  /// From the last word handed over to its acknowledgement.
  virtual Cycle write_latency() const = 0;
  /// A stream of D#i is over: so many words from a physical address on have been read.
  virtual void read(std::uint64_t address, std::uint64_t words) = 0;
  virtual void written(std::uint64_t address, std::uint64_t words) = 0;
};

/// The 2 x 2 crossbars of all stripes: D#i and the host on one side, interfaces 2i and 2i + 1 on the other.
class MemoryCrossbars : public sc_core::sc_module, public MemoryBusIf {
 public:
  MemoryCrossbars(sc_core::sc_module_name name, const OptwebParameters& parameters, MemoryInterfaces& interfaces)
      : sc_module(name), parameters_(parameters), interfaces_(interfaces) {}
  optweb::WordPace pace(bool shared) const override { return interfaces_.pace(shared ? 2 : 1); }
  Cycle read_latency() const override { return interfaces_.read_latency(); }
  Cycle write_latency() const override { return interfaces_.write_latency(); }
  void read(std::uint64_t address, std::uint64_t words) override;
  void written(std::uint64_t address, std::uint64_t words) override;

 private:
  const OptwebParameters& parameters_;
  MemoryInterfaces& interfaces_;
};

class Hbm : public sc_core::sc_module {
 public:
  Hbm(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeId node);

  optweb::SparseMemory& bytes() { return bytes_; }
  const optweb::SparseMemory& bytes() const { return bytes_; }
  const MemoryInterfaces& interfaces() const { return interfaces_; }
  MemoryCrossbars& crossbars() { return crossbars_; }

 private:
  optweb::SparseMemory bytes_;
  MemoryInterfaces interfaces_;
  MemoryCrossbars crossbars_;
};

}  // namespace weft
