#pragma once
// Bursts of AXI4 (Arm IHI 0022, A3.4): which bytes of the bus and of the memory each beat carries, and the same bytes
// as one TLM-2.0 transaction. Plain rules without time.

#include <cstdint>
#include <string>
#include <vector>

namespace weft::axi {

enum class Burst : std::uint8_t { fixed = 0, incr = 1, wrap = 2 };
enum class Response : std::uint8_t { okay = 0, exokay = 1, slverr = 2, decerr = 3 };

inline constexpr std::uint64_t kPage = 4096;  // bytes; no burst crosses its end

/// What the channels AW and AR carry.
struct Address {
  std::uint32_t id = 0;
  std::uint64_t address = 0;
  std::uint32_t beats = 1;  ///< AxLEN + 1
  std::uint32_t bytes = 1;  ///< of a beat: 2^AxSIZE
  Burst burst = Burst::incr;
  bool operator==(const Address&) const = default;
};

/// What W carries; R carries the data alone.
struct Data {
  std::vector<unsigned char> bytes;  ///< of the whole bus, lane 0 first
  std::vector<bool> strobes;         ///< a lane is written
  bool operator==(const Data&) const = default;
};

/// Bytes of a beat: lanes [lane, lane + bytes) of the bus, from `address` on.
struct Beat {
  std::uint64_t address;
  std::uint32_t lane;
  std::uint32_t bytes;
};

/// `bus`: bytes of the data bus. Precondition: violation() is empty.
Beat beat(const Address& a, std::uint32_t number, std::uint32_t bus);

/// Lowest lane that a beat of W writes though none of its bytes is there (A3.4.3), `strobes.size()` if there is none.
std::uint32_t stray_lane(const Beat& beat, const std::vector<bool>& strobes);

/// The rule that a burst breaks, empty if it breaks none.
std::string violation(const Address& a, std::uint32_t bus);

/// The bytes of a burst as one transaction: `length` bytes from `address` on, `width` of them before the address begins
/// again (FIXED). Byte number i of a beat is byte place() + i of the transaction.
struct Range {
  std::uint64_t address;
  std::uint32_t length;
  std::uint32_t width;
};
Range range_of(const Address& a, std::uint32_t bus);
std::uint32_t place(const Address& a, std::uint32_t number, std::uint32_t bus);

/// A transaction of a bus of `bus` bytes as INCR bursts of whole beats, none over a page's end or of more than 256
/// beats, with the bytes of the transaction that each carries. A streaming width shorter than the data begins again.
struct Piece {
  Address address;
  std::uint32_t first;   ///< byte of the transaction
  std::uint32_t length;  ///< bytes
};
std::vector<Piece> bursts_of(const Range& range, std::uint32_t bus);

}  // namespace weft::axi
