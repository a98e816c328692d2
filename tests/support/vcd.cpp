#include "support/vcd.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "support/program.h"

namespace weft::test {
namespace {

// Texts have blanks and the like as octal numbers: "\\040".
std::string plain_text(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::string VcdSignal::at(std::uint64_t time) const {
  const auto it = std::upper_bound(changes.begin(), changes.end(), time,
                                   [](std::uint64_t t, const VcdChange& c) { return t < c.time; });
  return it == changes.begin() ? std::string() : (it - 1)->value;
}

std::uint64_t VcdSignal::number_at(std::uint64_t time) const {
  std::uint64_t n = 0;
  for (const char c : at(time)) n = 2 * n + (c == '1' ? 1 : 0);
  return n;
}

Vcd::Vcd(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> scopes;
  std::string word;
  while (in >> word && word != "$enddefinitions") {
    if (word == "$scope") {
      std::string kind;
      std::string name;
      in >> kind >> name;
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      std::string type;
      std::string code;
      std::string name;
      std::string range;
      std::uint32_t width = 0;
      in >> type >> width >> code >> name >> range;
      std::string full;
      for (const std::string& s : scopes) full += s + ".";
      full += name;
      const auto [it, fresh] = codes_.try_emplace(code, signals_.size());
      if (fresh) signals_.push_back({width, {}});
      index_[full] = it->second;
      names_.push_back(range == "$end" ? full : full + range);
    }
  }
  std::string line;
  std::getline(in, line);  // "$end"
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '$') continue;
    if (line[0] == '#') {
      time_ = std::stoull(line.substr(1));
      first_ = std::min(first_, time_);
      last_ = std::max(last_, time_);
    } else if (line[0] == 'b' || line[0] == 'r' || line[0] == 's') {
      const std::size_t blank = line.rfind(' ');
      const std::string shown = line.substr(1, blank - 1);
      value(line.substr(blank + 1), line[0] == 's' ? plain_text(shown) : shown);
    } else {
      value(line.substr(1), line.substr(0, 1));
    }
  }
}

void Vcd::value(const std::string& code, std::string text) {
  const auto it = codes_.find(code);
  if (it == codes_.end()) throw std::runtime_error("waveform changes a signal it does not declare: " + code);
  signals_[it->second].changes.push_back({time_, std::move(text)});
}

const VcdSignal& Vcd::signal(const std::string& name) const {
  const auto it = index_.find(name);
  if (it == index_.end()) throw std::runtime_error("no signal " + name + " in the waveform");
  return signals_[it->second];
}

Vcd read_fst(const std::string& path) {
  const ProgramResult r = run_program({"fst2vcd", path});
  if (r.status != 0) throw std::runtime_error("fst2vcd fails on " + path + ": " + r.err);
  return Vcd(r.out);
}

}  // namespace weft::test
