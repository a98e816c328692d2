#include "cosim/common/rtl_block.h"

#include <verilated.h>

#include <algorithm>
#include <cstdio>

#include "base/diagnostics.h"
#include "cosim/runtime/rtl_messages.h"

namespace weft {

std::string at_time(const std::string& now) { return now.empty() ? "before time begins" : "at " + now; }

void tell_rtl_messages(RtlMessages& said, const RtlSite& place, const std::string& scopes) {
  if (const std::string text = said.take_text(); !text.empty()) std::fputs(text.c_str(), stdout);
  if (!said.ended()) return;
  std::string why = "the RTL of " + place.path + " has stopped " + at_time(place.now ? place.now() : "");
  for (std::string line : said.ends()) {
    if (const std::size_t at = line.find(scopes); at != std::string::npos) {
      std::replace(line.begin() + static_cast<std::ptrdiff_t>(at),
                   line.begin() + static_cast<std::ptrdiff_t>(at + scopes.size()), ' ', '.');
    }
    why += "\n  " + line;
  }
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
