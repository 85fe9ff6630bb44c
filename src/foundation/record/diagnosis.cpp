// SPDX-License-Identifier: Apache-2.0
//
// How a finding owns the facts of its diagnosis.
#include "record/diagnosis.hpp"

#include <utility>

#include "record/finding.hpp"

namespace warpfiber::record {

HeldDiagnosis::HeldDiagnosis(Diagnosis facts) : facts_(new Diagnosis(std::move(facts))) {}

HeldDiagnosis::HeldDiagnosis(const HeldDiagnosis& other)
    : facts_(other.facts_ == nullptr ? nullptr : new Diagnosis(*other.facts_)) {}

HeldDiagnosis& HeldDiagnosis::operator=(Diagnosis facts) {
  return *this = HeldDiagnosis(std::move(facts));
}

HeldDiagnosis::~HeldDiagnosis() {
  delete facts_;
}

}  // namespace warpfiber::record
