#pragma once
// Runs a configuration and holds every word of it against the oracle.

#include <string>

#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_run.h"
#include "support/word_recorder.h"

namespace weft::test {

/// What the oracle says for a run whose messages were generated as `recorder` saw them. Numbers and times of saturated
/// and periodic messages are worked out anew; those of Poisson arrivals are taken from the run.
oracle::Result oracle_for(const TdmPlatform& platform, const WordRecorder& recorder, Cycle until);

/// Simulates (call in a child process) and compares every word on every switch output and every delivery with the
/// oracle. Empty when they agree, else the first difference. `words`: number of words compared.
std::string differs_from_oracle(const std::string& yaml, TdmRunOptions options, std::size_t& words);

}  // namespace weft::test
