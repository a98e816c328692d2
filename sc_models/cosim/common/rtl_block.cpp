#include "cosim/common/rtl_block.h"

#include <verilated.h>

#include <algorithm>
#include <cstdio>

#include "base/diagnostics.h"
#include "cosim/runtime/rtl_messages.h"

namespace weft {

std::string at_time(const std::string& now) { return now.empty() ? "before time begins" : "at " + now; }

namespace {

// Scopes of the block have dots in waves, and the RTL says them with spaces.
std::string with_dots(std::string text, const std::string& scopes) {
  for (std::size_t at = 0; !scopes.empty() && (at = text.find(scopes, at)) != std::string::npos; at += scopes.size()) {
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
    std::replace(begin, begin + static_cast<std::ptrdiff_t>(scopes.size()), ' ', '.');
  }
  return text;
}

}  // namespace

void tell_rtl_messages(RtlMessages& said, const RtlSite& place, const std::string& scopes) {
  // Standard output is for the report, which other programs read.
  if (const std::string text = said.take_text(); !text.empty()) std::fputs(with_dots(text, scopes).c_str(), stderr);
  if (!said.ended()) return;
  std::string why = "the RTL of " + place.path + " has stopped " + at_time(place.now ? place.now() : "");
  for (const std::string& line : said.ends()) why += "\n  " + with_dots(line, scopes);
  throw RunError(why);
}

std::string wave_scopes(std::string path) {
  std::replace(path.begin(), path.end(), '.', ' ');
  return path;
}

std::shared_ptr<VerilatedContext> make_rtl_context() {
  auto context = std::make_shared<VerilatedContext>();
  context->threads(1);  // the others would only wait, and a process that has some cannot be saved in a checkpoint
  context->traceEverOn(true);
  Verilated::threadContextp(context.get());
  return context;
}

}  // namespace weft
