#pragma once
// SystemC signals of a user's modules in the waveform of a network (observe/user_signals.h):
//
//   weft::trace(cpu.address);                 // an sc_signal, under its SystemC name
//   weft::trace(cpu.ready, "cpu.ready");      // an sc_signal, sc_in or sc_out that is bound, under another
//   weft::trace(dma_pins);                    // all signals of an AXI4 or AXI4-Stream interface (workload/axi)
//   weft::trace_bursts(dma_pins, clock, "dma.bursts");   // its bursts as transactions, in rows of text
//   weft::trace_packets(camera_pins, clock, "camera");   // packets of an AXI4-Stream interface, likewise

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <type_traits>

#include "observe/user_signals.h"
#include "run/waves/axi_burst_streams.h"
#include "run/waves/transaction_stream.h"
#include "workload/axi/axi_pins.h"
#include "workload/axi/axi_stream_pins.h"

namespace weft {

/// Bits of a value of a signal, and the value as a number. For types of one's own, specialize it.
template <class T>
struct TracedType;
template <class T>
requires std::is_integral_v<T> || std::is_enum_v<T>
struct TracedType<T> {
  static constexpr std::uint32_t kWidth = std::is_same_v<T, bool> ? 1 : 8 * sizeof(T);
  static std::uint64_t number(T value) {
    constexpr std::uint64_t kMask = kWidth == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << kWidth % 64) - 1;
    return static_cast<std::uint64_t>(value) & kMask;
  }
};
template <int W>
struct TracedType<sc_dt::sc_uint<W>> {
  static constexpr std::uint32_t kWidth = W;
  static std::uint64_t number(const sc_dt::sc_uint<W>& value) { return value.to_uint64(); }
};
template <int W>
struct TracedType<sc_dt::sc_int<W>> {
  static constexpr std::uint32_t kWidth = W;
  static std::uint64_t number(const sc_dt::sc_int<W>& value) { return sc_dt::sc_uint<W>(value).to_uint64(); }
};
/// sc_bv and sc_lv of up to 64 bits; unknown bits count as 0.
template <int W>
requires(W <= 64) struct TracedType<sc_dt::sc_bv<W>> {
  static constexpr std::uint32_t kWidth = W;
  static std::uint64_t number(const sc_dt::sc_bv<W>& value) { return value.to_uint64(); }
};
template <int W>
requires(W <= 64) struct TracedType<sc_dt::sc_lv<W>> {
  static constexpr std::uint32_t kWidth = W;
  static std::uint64_t number(const sc_dt::sc_lv<W>& value) {
    std::uint64_t bits = 0;
    for (int i = 0; i < W; ++i) bits |= std::uint64_t{value[i] == sc_dt::SC_LOGIC_1} << i;
    return bits;
  }
};

/// Wakes the network after a change, so that it is written. `source`: an event or a port.
template <class Source>
void tell_changes(Source& source) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&source);
  sc_core::sc_spawn([] { user_signal_changed(); }, sc_core::sc_gen_unique_name("weft_trace"), &options);
}

/// During elaboration. The signal must outlive the waveform. Throws InputError as the general form does.
template <class T>
void trace(const sc_core::sc_signal_in_if<T>& signal, const std::string& path) {
  trace(path, TracedType<T>::kWidth, [&signal] { return TracedType<T>::number(signal.read()); });
  tell_changes(signal.value_changed_event());
}
template <class T, sc_core::sc_writer_policy Policy>
void trace(const sc_core::sc_signal<T, Policy>& signal) {
  trace(static_cast<const sc_core::sc_signal_in_if<T>&>(signal), signal.name());
}
/// A port: sc_in, sc_out, sc_inout. It need not be bound yet.
template <class T>
void trace(sc_core::sc_in<T>& port, const std::string& path) {
  trace(path, TracedType<T>::kWidth, [&port] { return TracedType<T>::number(port->read()); });
  tell_changes(port);
}
template <class T>
void trace(sc_core::sc_inout<T>& port, const std::string& path) {
  trace(path, TracedType<T>::kWidth, [&port] { return TracedType<T>::number(port->read()); });
  tell_changes(port);
}

/// The pins of an interface: axi::Signals, axi::StreamSignals. Those of more than 64 bits as words of 64, the lowest
/// first, under their name with the number of the word.
template <class Pins>
requires requires(Pins& pins) {
  pins.each([](auto&) {});
}
void trace(Pins& pins) {
  pins.each([]<class T, sc_core::sc_writer_policy Policy>(sc_core::sc_signal<T, Policy>& signal) {
    if constexpr (requires { TracedType<T>::kWidth; }) {
      trace(signal);
    } else {
      for (int low = 0; low < signal.read().length(); low += 64) {
        trace(signal.name() + ("_" + std::to_string(low / 64)), 64,
              [&signal, low] { return signal.read().range(low + 63, low).to_uint64(); });
      }
      tell_changes(signal.value_changed_event());
    }
  });
}

/// Calls `visit(rising)` at every edge of the clock.
template <class Visit>
void at_edges(const sc_core::sc_signal_in_if<bool>& clock, const char* name, Visit visit) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&clock.value_changed_event());
  sc_core::sc_spawn([&clock, visit] { visit(clock.read()); }, sc_core::sc_gen_unique_name(name), &options);
}

/// Bursts between these pins, whose handshakes are sampled at rising edges of `clock`
/// (run/waves/axi_burst_streams.h). `rows`: bursts that are shown at once in each direction. `rst_n`: while it is low
/// there are none; null: always high. During elaboration.
template <unsigned AddressBits, unsigned DataBits, unsigned IdBits>
void trace_bursts(const axi::Signals<AddressBits, DataBits, IdBits>& pins, const sc_core::sc_signal_in_if<bool>& clock,
                  const std::string& path, std::uint32_t rows = 4,
                  const sc_core::sc_signal_in_if<bool>* rst_n = nullptr) {
  const auto streams = std::make_shared<axi::BurstStreams>(path, rows);
  at_edges(clock, "weft_trace_bursts", [&pins, streams, rst_n](bool rising) {
    if (rst_n != nullptr && !rst_n->read()) return streams->reset();
    std::optional<axi::Address> read;
    std::optional<axi::Address> write;
    if (pins.arvalid.read() && pins.arready.read()) read = pins.read_address();
    if (pins.awvalid.read() && pins.awready.read()) write = pins.write_address();
    if (!rising) {
      streams->expect(false, read);
      return streams->expect(true, write);
    }
    streams->request(false, read);
    streams->request(true, write);
    if (pins.rvalid.read() && pins.rready.read() && pins.rlast.read())
      streams->answer(false, static_cast<std::uint32_t>(pins.rid.read()));
    if (pins.bvalid.read() && pins.bready.read()) streams->answer(true, static_cast<std::uint32_t>(pins.bid.read()));
  });
}

/// Packets between these pins, from the handshake of the first beat to that with TLAST, by TID and TDEST
/// ("id 3 to 1: 8 beats"). `rst_n`: as above. During elaboration.
template <unsigned DataBits, unsigned IdBits, unsigned DestBits>
void trace_packets(const axi::StreamSignals<DataBits, IdBits, DestBits>& pins,
                   const sc_core::sc_signal_in_if<bool>& clock, const std::string& path, std::uint32_t rows = 4,
                   const sc_core::sc_signal_in_if<bool>* rst_n = nullptr) {
  const auto streams = std::make_shared<axi::PacketStreams>(path, rows);
  at_edges(clock, "weft_trace_packets", [&pins, streams, rst_n](bool rising) {
    if (rst_n != nullptr && !rst_n->read()) return streams->reset();
    std::optional<axi::PacketStreams::Beat> beat;
    if (pins.tvalid.read() && pins.tready.read()) {
      beat = axi::PacketStreams::Beat{static_cast<std::uint32_t>(pins.tid.read()),
                                      static_cast<std::uint32_t>(pins.tdest.read()), pins.tlast.read()};
    }
    if (rising) {
      streams->edge(beat);
    } else {
      streams->expect(beat);
    }
  });
}

}  // namespace weft
