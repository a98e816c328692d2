#pragma once
// The pins of an AXI4-Stream interface (Arm IHI 0051): as plain values, and as signals of the types that Verilator's
// SystemC output has. TUSER and the parity and wake-up signals of AXI5-Stream are left out.

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "workload/axi/axi_pins.h"

namespace weft::axi {

class StreamReceiver;
class StreamTransmitter;

/// What a transmitter drives. A byte is data (keep and strobe), a position (keep alone) or null (neither).
struct StreamPins {
  bool valid = false;
  std::vector<unsigned char> bytes;  ///< of the whole bus, lane 0 first
  std::vector<bool> keep;
  std::vector<bool> strobes;
  bool last = false;
  std::uint32_t id = 0;
  std::uint32_t dest = 0;
  bool operator==(const StreamPins&) const = default;
};

/// A packet, or a piece of one, as a TLM-2.0 write: an ignorable extension. Null bytes are left out; position bytes
/// are those that the byte enables leave out.
class StreamPacket final : public tlm::tlm_extension<StreamPacket> {
 public:
  tlm::tlm_extension_base* clone() const override { return new StreamPacket(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const StreamPacket&>(other); }
  std::uint32_t id = 0;
  std::uint32_t dest = 0;
  bool last = true;    ///< the packet ends with it
  bool empty = false;  ///< it has no bytes; the transaction has one that is disabled, since it must have one
};

/// The signals between a transmitter and a receiver. Bits of data (8 to 1024, a power of two), of TID and of TDEST.
template <unsigned DataBits, unsigned IdBits = 8, unsigned DestBits = 8>
struct StreamSignals {
  static_assert(DataBits >= 8 && DataBits <= 1024 && (DataBits & (DataBits - 1)) == 0, "AXI4-Stream data bus");
  static_assert(IdBits >= 1 && IdBits <= 32 && DestBits >= 1 && DestBits <= 32);
  static constexpr unsigned kBus = DataBits / 8;  ///< bytes
  static constexpr PinWidths kWidths{64, IdBits, DestBits};
  template <class T>
  using Signal = sc_core::sc_signal<T>;

  explicit StreamSignals(const std::string& name)
      : tvalid((name + "_tvalid").c_str()),
        tready((name + "_tready").c_str()),
        tdata((name + "_tdata").c_str()),
        tstrb((name + "_tstrb").c_str()),
        tkeep((name + "_tkeep").c_str()),
        tlast((name + "_tlast").c_str()),
        tid((name + "_tid").c_str()),
        tdest((name + "_tdest").c_str()) {}

  Signal<bool> tvalid, tready;
  Signal<PinType<DataBits>> tdata;
  Signal<PinType<kBus>> tstrb, tkeep;
  Signal<bool> tlast;
  Signal<PinType<IdBits>> tid;
  Signal<PinType<DestBits>> tdest;

  /// Calls visit(signal) for all of them.
  template <class Visit>
  void each(Visit&& visit) {
    const auto all = [&](auto&... signals) { (visit(signals), ...); };
    all(tvalid, tready, tdata, tstrb, tkeep, tlast, tid, tdest);
  }

  StreamPins transmitter() const {
    StreamPins out;
    out.valid = tvalid.read();
    if (!out.valid) return out;
    out.bytes = bytes_of<DataBits>(tdata.read());
    out.keep = bits_of(tkeep.read());
    out.strobes = bits_of(tstrb.read());
    out.last = tlast.read();
    out.id = static_cast<std::uint32_t>(tid.read());
    out.dest = static_cast<std::uint32_t>(tdest.read());
    return out;
  }
  StreamPins seen_by(const StreamReceiver&) const { return transmitter(); }
  bool seen_by(const StreamTransmitter&) const { return tready.read(); }
  void drive(const StreamPins& p) {
    tvalid = p.valid;
    tlast = p.valid && p.last;
    if (!p.valid) return;
    tdata = pin_of<DataBits>(p.bytes);
    tkeep = mask_of(p.keep);
    tstrb = mask_of(p.strobes);
    tid = static_cast<PinType<IdBits>>(p.id);
    tdest = static_cast<PinType<DestBits>>(p.dest);
  }
  void drive(bool ready) { tready = ready; }

 private:
  static std::vector<bool> bits_of(const PinType<kBus>& value) {
    const std::vector<unsigned char> bytes = bytes_of<kBus>(value);
    std::vector<bool> out(kBus);
    for (unsigned i = 0; i < kBus; ++i) out[i] = ((bytes[i / 8] >> (i % 8)) & 1) != 0;
    return out;
  }
  static PinType<kBus> mask_of(const std::vector<bool>& bits) {
    std::vector<unsigned char> bytes((kBus + 7) / 8);
    for (unsigned i = 0; i < kBus; ++i) {
      if (bits[i]) bytes[i / 8] = static_cast<unsigned char>(bytes[i / 8] | 1U << (i % 8));
    }
    return pin_of<kBus>(bytes);
  }
};

}  // namespace weft::axi
