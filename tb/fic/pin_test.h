#pragma once
// Fixture of the pin-level tests: one bench per process, seeds and waves from the environment.
//
// WEFT_SOAK=<n>         seeds per case instead of a few
// WEFT_PIN_SEED=<n>     only this seed, to repeat a failure
// WEFT_PIN_WAVES=<dir>  writes <dir>/<block>_<size>_<case>.fst

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "fic/scoreboard.h"

namespace weft::pins {

class PinTest : public ::testing::Test {
 protected:
  /// Fails when the process has simulated before: the SystemC kernel does not restart.
  void SetUp() override;
};

/// Names the cases of a typed suite by the sizes' name().
struct SizeName {
  template <class Size>
  static std::string GetName(int) {
    return Size::name();
  }
};

/// Where the running case writes its waves, if WEFT_PIN_WAVES asks for them.
std::optional<std::filesystem::path> waves_file(const std::string& block, const std::string& size);

/// Runs `run` with every seed until one has errors; a test failure names the seed.
void for_each_seed(Errors& errors, const std::function<void(std::uint64_t seed)>& run);

}  // namespace weft::pins
