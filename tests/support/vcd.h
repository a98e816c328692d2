#pragma once
// Waveforms, read back through fst2vcd.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::test {

struct VcdChange {
  std::uint64_t time = 0;  ///< ps
  std::string value;       ///< bits ("0110") or text
};

struct VcdSignal {
  std::uint32_t width = 0;
  std::vector<VcdChange> changes;
  /// Value from `time` on; empty before the first change.
  std::string at(std::uint64_t time) const;
  /// The same as a number.
  std::uint64_t number_at(std::uint64_t time) const;
};

class Vcd {
 public:
  explicit Vcd(const std::string& text);
  /// By full name without range: "tdm.sw[0].slot". Throws when there is no such signal.
  const VcdSignal& signal(const std::string& name) const;
  bool has(const std::string& name) const { return index_.contains(name); }
  /// Full names of all signals, with their range if they are wider than a bit.
  const std::vector<std::string>& names() const { return names_; }
  std::uint64_t first_time() const { return first_; }
  std::uint64_t last_time() const { return last_; }

 private:
  void value(const std::string& code, std::string text);

  std::map<std::string, std::size_t> index_;  // by name
  std::map<std::string, std::size_t> codes_;
  std::vector<VcdSignal> signals_;
  std::vector<std::string> names_;
  std::uint64_t time_ = 0;
  std::uint64_t first_ = ~std::uint64_t{0};
  std::uint64_t last_ = 0;
};

/// Converts with fst2vcd. Throws when that fails.
Vcd read_fst(const std::string& path);

}  // namespace weft::test
