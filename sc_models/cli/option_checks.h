#pragma once
// Checks of single options of the command line. They throw InputError, so that a wrong option is told like everything
// else that is wrong: place, what was expected, and a suggestion.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft::cli {

/// Gets the option's text; empty when all is well, which is the only thing it returns.
using OptionCheck = std::function<std::string(const std::string&)>;

OptionCheck whole_number(const std::string& option, std::int64_t min, std::int64_t max);
OptionCheck number(const std::string& option, double min, double max);
/// Environment variables that stand for --max-input and --max-memory; the processes of a sweep read them.
inline constexpr const char* kMaxInputVariable = "WEFT_MAX_INPUT";
inline constexpr const char* kMaxMemoryVariable = "WEFT_MAX_MEMORY";

/// Limits the inputs and the memory of this process and of those it starts; an empty text leaves a limit as it is.
void set_limits(const std::string& max_input, const std::string& max_memory);

OptionCheck one_of(const std::string& option, std::vector<std::string> words);

}  // namespace weft::cli
