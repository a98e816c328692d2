#pragma once
// Shared by the tests of the configuration layer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fabrics/tdm/keys/tdm_config.h"
#include "run/tdm/tdm_family.h"
#include "schema/document.h"
#include "support/places.h"

namespace weft::test {

inline const std::string kData = source_dir() + "/tests/data";

/// Three lines that make a valid file; what a test adds begins on line 4.
inline const std::string kHead = "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4] }\npattern: tornado\n";
/// The same without circuits; additions begin on line 3.
inline const std::string kBare = "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4] }\n";

inline TdmConfig parse(const std::string& text, const Overrides& overrides = {}) {
  Diagnostics diagnostics;
  TdmConfig config = parse_tdm_config(text, "t.yaml", kData + "/config", overrides, diagnostics);
  EXPECT_THAT(diagnostics.list(), testing::IsEmpty());
  return config;
}

inline std::vector<std::string> texts(const std::vector<Diagnostic>& list) {
  std::vector<std::string> out;
  for (const Diagnostic& d : list) out.push_back(d.text());
  return out;
}

/// Lines of all errors (and warnings) of a text; empty when it is valid.
inline std::vector<std::string> errors_of(const std::string& text, const Overrides& overrides = {}) {
  Diagnostics diagnostics;
  try {
    parse_tdm_config(text, "t.yaml", kData + "/config", overrides, diagnostics);
  } catch (const InputError& e) {
    return texts(e.list());
  }
  return {};
}

}  // namespace weft::test
