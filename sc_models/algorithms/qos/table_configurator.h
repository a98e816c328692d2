#pragma once
// Configures an arbitration table for the Deficit Table scheduler from what is asked of each service level (SL): the
// maximum distance between its entries, its share of the link, its MTU. The distances give the entries and their places
// (entry_placement.h), the shares and MTUs the decoupling parameters k and w (decoupling.h), all of them the weights
// (table_weights.h), and the finished table the waiting times (table_bounds.h).
//
// Source: Cano-Cano et al., "QoS provision in hierarchical and non-hierarchical switch architectures",
// sections 4.4, 5.3.

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/qos/decoupling.h"
#include "algorithms/qos/table_request.h"
#include "algorithms/qos/table_weights.h"

namespace weft {

/// Weights found by one method, and the table they make. Unused entries have weight 0 and name the first SL.
struct WeightPlan {
  Weights weights;
  std::uint64_t w_tenths = 0;  ///< the w found or given; `paper`: raised until M covers the largest entry
  std::uint64_t most = 0;      ///< M, largest weight allowed at that w and by the hardware
  ArbitrationTable table;
  std::vector<double> max_shares;    ///< at that M, per level
  std::vector<double> errors;        ///< share got - share wanted, per level
  double largest_error = 0;          ///< the largest |error|
  std::vector<std::uint64_t> waits;  ///< longest wait of a head message, credits, per level
};

struct TablePlan {
  std::vector<std::vector<std::uint32_t>> positions;  ///< per level, ascending
  bool rounded = false;                               ///< an SL may have more entries than its distance needs
  Decoupling decoupling;  ///< its w is that of `paper` where no weights at the w found come as close as the paper's
  std::vector<double> wanted;      ///< share / sum of shares, per level
  std::vector<double> min_shares;  ///< at decoupling.k_tenths, per level
  std::uint64_t pool_tenths = 0;
  WeightPlan optimal;
  WeightPlan paper;
  /// Set when an entry of `paper` is above the fixed w or the weight an entry can hold.
  std::optional<RequestProblem> paper_problem;
};

/// A table, or nothing and everything that is wrong with the request. Deterministic.
/// Precondition: each number is within the limits of table_request.h, SL numbers are unique, there is an SL.
std::optional<TablePlan> configure_table(const TableRequest& request, std::vector<RequestProblem>& problems);

}  // namespace weft
