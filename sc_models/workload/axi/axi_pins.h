#pragma once
// The pins of an AXI4 interface (Arm IHI 0022, A2): as plain values, and as signals of the types that Verilator's
// SystemC output has. AxLOCK, AxCACHE, AxPROT, AxQOS, AxREGION and user signals are left out: nothing here depends on
// them.

#include <cstdint>
#include <string>
#include <systemc>
#include <type_traits>
#include <vector>

#include "workload/axi/axi_burst.h"

namespace weft::axi {

class Manager;
class Subordinate;

/// What a manager drives.
struct ManagerPins {
  bool aw_valid = false;
  Address aw;
  bool w_valid = false;
  Data w;
  bool w_last = false;
  bool b_ready = false;
  bool ar_valid = false;
  Address ar;
  bool r_ready = false;
};

/// What a subordinate drives.
struct SubordinatePins {
  bool aw_ready = false;
  bool w_ready = false;
  bool b_valid = false;
  std::uint32_t b_id = 0;
  Response b = Response::okay;
  bool ar_ready = false;
  bool r_valid = false;
  std::uint32_t r_id = 0;
  std::vector<unsigned char> r_bytes;  ///< of the whole bus
  Response r = Response::okay;
  bool r_last = false;
};

/// Bits of the pins that may have fewer than the values behind them.
struct PinWidths {
  unsigned address = 64;
  unsigned id = 32;
  unsigned dest = 32;  ///< TDEST
};

/// `value` has more than these bits.
constexpr bool wider(std::uint64_t value, unsigned bits) { return bits < 64 && value >> bits != 0; }

/// Type of a pin of Verilated modules.
template <unsigned Bits>
using PinType = std::conditional_t<
    Bits == 1, bool,
    std::conditional_t<Bits <= 32, std::uint32_t, std::conditional_t<Bits <= 64, std::uint64_t, sc_dt::sc_bv<Bits>>>>;

/// Bits of a pin in bytes, lowest first, and back.
template <unsigned Bits>
std::vector<unsigned char> bytes_of(const PinType<Bits>& value) {
  std::vector<unsigned char> out((Bits + 7) / 8);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if constexpr (Bits > 64) {
      const auto low = static_cast<int>(8 * i);
      out[i] = static_cast<unsigned char>(value.range(low + 7, low).to_uint());
    } else {
      out[i] = static_cast<unsigned char>(std::uint64_t{value} >> (8 * i));
    }
  }
  return out;
}
template <unsigned Bits>
PinType<Bits> pin_of(const std::vector<unsigned char>& bytes) {
  if constexpr (Bits > 64) {
    PinType<Bits> out;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const auto low = static_cast<int>(8 * i);
      out.range(low + 7, low) = bytes[i];
    }
    return out;
  } else {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) out |= std::uint64_t{bytes[i]} << (8 * i);
    return static_cast<PinType<Bits>>(out);
  }
}

/// The signals between a manager and a subordinate. Bits of addresses, data (32 to 1024, a power of two) and ids.
template <unsigned AddressBits, unsigned DataBits, unsigned IdBits>
struct Signals {
  static_assert(DataBits >= 32 && DataBits <= 1024 && (DataBits & (DataBits - 1)) == 0, "AXI4 data bus");
  static_assert(AddressBits >= 12 && AddressBits <= 64 && IdBits >= 1 && IdBits <= 32);
  static constexpr unsigned kBus = DataBits / 8;  ///< bytes
  static constexpr PinWidths kWidths{AddressBits, IdBits};
  template <class T>
  using Signal = sc_core::sc_signal<T>;

  explicit Signals(const std::string& name)
      : awvalid((name + "_awvalid").c_str()),
        awready((name + "_awready").c_str()),
        awid((name + "_awid").c_str()),
        awaddr((name + "_awaddr").c_str()),
        awlen((name + "_awlen").c_str()),
        awsize((name + "_awsize").c_str()),
        awburst((name + "_awburst").c_str()),
        wvalid((name + "_wvalid").c_str()),
        wready((name + "_wready").c_str()),
        wdata((name + "_wdata").c_str()),
        wstrb((name + "_wstrb").c_str()),
        wlast((name + "_wlast").c_str()),
        bvalid((name + "_bvalid").c_str()),
        bready((name + "_bready").c_str()),
        bid((name + "_bid").c_str()),
        bresp((name + "_bresp").c_str()),
        arvalid((name + "_arvalid").c_str()),
        arready((name + "_arready").c_str()),
        arid((name + "_arid").c_str()),
        araddr((name + "_araddr").c_str()),
        arlen((name + "_arlen").c_str()),
        arsize((name + "_arsize").c_str()),
        arburst((name + "_arburst").c_str()),
        rvalid((name + "_rvalid").c_str()),
        rready((name + "_rready").c_str()),
        rid((name + "_rid").c_str()),
        rdata((name + "_rdata").c_str()),
        rresp((name + "_rresp").c_str()),
        rlast((name + "_rlast").c_str()) {}

  Signal<bool> awvalid, awready;
  Signal<PinType<IdBits>> awid;
  Signal<PinType<AddressBits>> awaddr;
  Signal<std::uint32_t> awlen, awsize, awburst;
  Signal<bool> wvalid, wready;
  Signal<PinType<DataBits>> wdata;
  Signal<PinType<DataBits / 8>> wstrb;
  Signal<bool> wlast;
  Signal<bool> bvalid, bready;
  Signal<PinType<IdBits>> bid;
  Signal<std::uint32_t> bresp;
  Signal<bool> arvalid, arready;
  Signal<PinType<IdBits>> arid;
  Signal<PinType<AddressBits>> araddr;
  Signal<std::uint32_t> arlen, arsize, arburst;
  Signal<bool> rvalid, rready;
  Signal<PinType<IdBits>> rid;
  Signal<PinType<DataBits>> rdata;
  Signal<std::uint32_t> rresp;
  Signal<bool> rlast;

  /// Calls visit(signal) for all of them.
  template <class Visit>
  void each(Visit&& visit) {
    const auto all = [&](auto&... signals) { (visit(signals), ...); };
    all(awvalid, awready, awid, awaddr, awlen, awsize, awburst, wvalid, wready, wdata, wstrb, wlast, bvalid, bready,
        bid, bresp, arvalid, arready, arid, araddr, arlen, arsize, arburst, rvalid, rready, rid, rdata, rresp, rlast);
  }

  Address write_address() const { return address(awid, awaddr, awlen, awsize, awburst); }
  Address read_address() const { return address(arid, araddr, arlen, arsize, arburst); }
  ManagerPins manager() const {
    ManagerPins out;
    out.aw_valid = awvalid.read();
    if (out.aw_valid) out.aw = write_address();
    out.w_valid = wvalid.read();
    if (out.w_valid) {
      out.w.bytes = bytes_of<DataBits>(wdata.read());
      const std::vector<unsigned char> strobes = bytes_of<DataBits / 8>(wstrb.read());
      for (unsigned i = 0; i < kBus; ++i) out.w.strobes.push_back(((strobes[i / 8] >> (i % 8)) & 1) != 0);
      out.w_last = wlast.read();
    }
    out.b_ready = bready.read();
    out.ar_valid = arvalid.read();
    if (out.ar_valid) out.ar = read_address();
    out.r_ready = rready.read();
    return out;
  }
  SubordinatePins subordinate() const {
    SubordinatePins out;
    out.aw_ready = awready.read();
    out.w_ready = wready.read();
    out.b_valid = bvalid.read();
    out.b_id = static_cast<std::uint32_t>(bid.read());
    out.b = static_cast<Response>(bresp.read() & 3);
    out.ar_ready = arready.read();
    out.r_valid = rvalid.read();
    if (out.r_valid) {
      out.r_id = static_cast<std::uint32_t>(rid.read());
      out.r_bytes = bytes_of<DataBits>(rdata.read());
      out.r = static_cast<Response>(rresp.read() & 3);
      out.r_last = rlast.read();
    }
    return out;
  }
  ManagerPins seen_by(const Subordinate&) const { return manager(); }
  SubordinatePins seen_by(const Manager&) const { return subordinate(); }
  void drive(const ManagerPins& p) {
    awvalid = p.aw_valid;
    if (p.aw_valid) drive(p.aw, awid, awaddr, awlen, awsize, awburst);
    wvalid = p.w_valid;
    if (p.w_valid) {
      wdata = pin_of<DataBits>(p.w.bytes);
      std::vector<unsigned char> strobes((kBus + 7) / 8);
      for (unsigned i = 0; i < kBus; ++i) {
        if (p.w.strobes[i]) strobes[i / 8] = static_cast<unsigned char>(strobes[i / 8] | 1U << (i % 8));
      }
      wstrb = pin_of<DataBits / 8>(strobes);
    }
    wlast = p.w_valid && p.w_last;
    bready = p.b_ready;
    arvalid = p.ar_valid;
    if (p.ar_valid) drive(p.ar, arid, araddr, arlen, arsize, arburst);
    rready = p.r_ready;
  }
  void drive(const SubordinatePins& p) {
    awready = p.aw_ready;
    wready = p.w_ready;
    bvalid = p.b_valid;
    if (p.b_valid) {
      bid = static_cast<PinType<IdBits>>(p.b_id);
      bresp = static_cast<std::uint32_t>(p.b);
    }
    arready = p.ar_ready;
    rvalid = p.r_valid;
    if (p.r_valid) {
      rid = static_cast<PinType<IdBits>>(p.r_id);
      rdata = pin_of<DataBits>(p.r_bytes);
      rresp = static_cast<std::uint32_t>(p.r);
    }
    rlast = p.r_valid && p.r_last;
  }

 private:
  template <class Id, class At, class Length>
  static Address address(const Id& id, const At& at, const Length& length, const Length& size, const Length& burst) {
    return {static_cast<std::uint32_t>(id.read()), static_cast<std::uint64_t>(at.read()), (length.read() & 255) + 1,
            1U << (size.read() & 7), static_cast<Burst>(burst.read() & 3)};
  }
  template <class Id, class At, class Length>
  static void drive(const Address& a, Id& id, At& at, Length& length, Length& size, Length& burst) {
    id = static_cast<PinType<IdBits>>(a.id);
    at = static_cast<PinType<AddressBits>>(a.address);
    length = a.beats - 1;
    std::uint32_t log = 0;
    while ((1U << log) < a.bytes) ++log;
    size = log;
    burst = static_cast<std::uint32_t>(a.burst);
  }
};

}  // namespace weft::axi
