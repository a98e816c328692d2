#pragma once
// Limit of M credits on the entries of an arbitration table: whether a request's shares fit it, and the error if not.
//
// They can when M covers what each SL needs (least_round.h). M is a whole number, so it may fall short of that by a
// fraction of a credit, which costs little where weights are large and much where they are small. It is accepted as
// long as the best weights within M are as close to the shares as the paper's weights, which know no limit.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/qos/decoupling.h"
#include "algorithms/qos/least_round.h"
#include "algorithms/qos/table_request.h"
#include "algorithms/qos/table_weights.h"

namespace weft {

class WeightLimit {
 public:
  /// `wanted`: the levels; its `most` is not looked at. `paper_error`: largest share error of the paper's weights.
  WeightLimit(const TableRequest& request, const std::vector<std::uint32_t>& counts, WeightRequest wanted,
              double paper_error);

  bool covers(std::uint64_t most) const { return round_.enough_for_all(most); }
  bool accepts(std::uint64_t most) const;

  /// For a w that is given: M above what an entry can hold, shares above what the entries can have.
  void check_w(const Decoupling& parameters, std::vector<RequestProblem>& problems) const;
  /// Says why the largest weight that an entry can hold is not enough.
  RequestProblem explain() const;

 private:
  // What would do, each tried; empty when nothing of its kind does.
  std::string larger_w(const Decoupling& parameters) const;
  std::optional<std::string> smaller_distance(std::size_t level, std::uint64_t most) const;
  std::vector<std::string> smaller_round() const;

  const TableRequest& request_;
  std::vector<std::uint32_t> counts_;
  WeightRequest wanted_;
  double paper_error_;
  LeastRound round_;
};

}  // namespace weft
