#pragma once
// Fixture of the pin-level tests: one bench per process, seeds and waves from the environment.
//
// WEFT_SOAK=<n>         seeds per case instead of a few
// WEFT_PIN_SEED=<n>     only this seed, to repeat a failure
// WEFT_PIN_WAVES=<dir>  writes <dir>/<block>_<size>.<case>.fst
// WEFT_PIN_COVERAGE=<dir>  in builds with WEFT_RTL_COVERAGE writes <dir>/<block>_<size>.<case>.dat, and .first.dat, as
//                       it was in the first cycle: the first evaluation compares with random values

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "tdm/scoreboard.h"

namespace weft::pins {

class PinTest : public ::testing::Test {
 protected:
  /// Fails when the process has simulated before: the SystemC kernel does not restart.
  void SetUp() override;
};

/// One case of a fixture: a member function of it.
template <class Fixture>
class PinCase final : public Fixture {
 public:
  explicit PinCase(void (Fixture::*body)()) : body_(body) {}

 private:
  void TestBody() override { (this->*body_)(); }
  void (Fixture::*body_)();
};

/// Registers cases of one size of a block as `<block>_<size>.<case>`, names that ctest shows as they are.
template <class Fixture>
void register_cases(const std::string& block, const std::string& size,
                    std::initializer_list<std::pair<const char*, void (Fixture::*)()>> cases) {
  const std::string suite = fmt::format("{}_{}", block, size);
  for (const auto& [name, body] : cases) {
    ::testing::RegisterTest(suite.c_str(), name, nullptr, nullptr, __FILE__, __LINE__,
                            [body = body]() -> Fixture* { return new PinCase<Fixture>(body); });
  }
}

/// Path of the waves of the running case, if WEFT_PIN_WAVES asks for them.
std::optional<std::filesystem::path> waves_file();

/// Writes what the blocks of this process have counted to <dir>/<suite>.<case><ending>, if WEFT_PIN_COVERAGE asks for
/// it. The counters are parts of the blocks: to be called while these exist.
void write_coverage(const char* ending);

/// Seeds that for_each_seed() takes, for benches that build something for each before time begins.
std::uint64_t seed_count();

/// Runs `run` with every seed until one has errors; a test failure names the seed.
void for_each_seed(Errors& errors, const std::function<void(std::uint64_t seed)>& run);

}  // namespace weft::pins
