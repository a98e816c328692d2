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
OptionCheck one_of(const std::string& option, std::vector<std::string> words);

}  // namespace weft::cli
