#pragma once
// A linear program, handed to GLPK: maximize an objective over bounded variables and linear rows.

#include <glpk.h>

#include <memory>
#include <vector>

namespace weft::dlt {

class LinearProgram {
 public:
  struct Term {
    int column;
    double factor;
  };

  LinearProgram();
  LinearProgram(const LinearProgram&) = delete;
  LinearProgram& operator=(const LinearProgram&) = delete;

  static constexpr double kNoLimit = 1e300;

  /// Variable from 0 to `most` (kNoLimit: unbounded); returns its column. most == 0 fixes it.
  int variable(double most, double objective);
  /// least <= sum of the terms <= most; terms have different columns. Returns the row.
  int row(double least, double most, const std::vector<Term>& terms);
  void objective(int column, double factor);
  void bounds(int row, double least, double most);

  /// Maximizes by the simplex method, from the basis of the last call if there was one; where that fails, from a new
  /// one, at last with a tolerance of 1e-7. Throws RunError when there is no optimum; the programs of this folder
  /// always have one.
  double maximize();
  double value(int column) const;
  /// Gain of the objective per unit of the variable's upper bound; 0 unless the bound holds it back.
  double price(int column) const;

 private:
  std::unique_ptr<glp_prob, void (*)(glp_prob*)> problem_;
  bool solved_ = false;
};

}  // namespace weft::dlt
