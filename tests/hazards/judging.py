# SPDX-License-Identifier: Apache-2.0
#
# Compares what a run of a hazard program found with what the program expects: a function from an Expectation and a Run
# to complaints. No complaint means the checker passed. The rules are those of README.md; judging_test.py tests each.
import os
from dataclasses import dataclass, field

from expectations import OTHER_IDS, VERDICTS, WARNINGS

LAUNCH = "launch returned "
SEVERITIES = ("error", "warning", "info")


@dataclass
class Run:
    status: int = 0            # exit status, minus the signal, or None if the program had to be stopped
    output: str = ""           # standard output
    findings: list = field(default_factory=list)  # as in the JSON, or None if there was none to read


def judge(expectation, run):
    if run.status is None:
        return ["did not end"]
    if run.findings is None:
        return [f"ended with {run.status} and wrote no findings"]
    strange = [one for one in run.findings if not _is_finding(one)]
    if strange:
        return [f"no finding: {one}" for one in strange]
    if run.status < 0:
        return [f"was killed by signal {-run.status}"] + _differences(expectation, run)
    return _differences(expectation, run)


def _is_finding(one):
    return isinstance(one, dict) and one.get("severity") in SEVERITIES and one.get("id") in VERDICTS | OTHER_IDS


def _differences(expectation, run):
    if expectation.is_hazard:
        return _hazard(expectation, run)
    if expectation.expect == "benign-race":
        return _benign(expectation, run) + _result(run)
    return _clean(expectation, run) + _result(run)


def _hazard(expectation, run):
    serious = [one for one in run.findings if one.get("severity") != "info"]
    severity = "warning" if expectation.expect in WARNINGS else "error"
    complaints = _present(expectation, [one for one in serious if one.get("severity") == severity])
    for one in serious:
        if one.get("id") == expectation.expect:
            if not lines_of(one, expectation) & expectation.lines:
                complaints.append(f"invented: {describe(one, expectation)}, which names no marked line")
        elif one.get("id") not in expectation.also_ok:
            complaints.append(f"invented: {describe(one, expectation)}")
    if run.status > 3 or run.status == 2:
        complaints.append(f"ended with {run.status}")
    if expectation.expect == "launch-error":
        complaints += _refused(run)
    return complaints


def _present(expectation, errors):
    """The expected finding, or one of those that may stand instead of it, with every marked line."""
    named = [one for one in errors if one.get("id") == expectation.expect]
    instead = [one for one in errors if one.get("id") in expectation.also_ok]
    if any(expectation.lines <= lines_of(one, expectation) for one in named + instead):
        return []
    if not named and not instead:
        return [f"missed: no {expectation.expect}"]
    return [f"missed: {expectation.expect} has to name line {_list(expectation.lines)}, got " +
            "; ".join(describe(one, expectation) for one in named or instead)]


def _refused(run):
    """A program that prints what its launch returned has to have got an error."""
    said = [line for line in run.output.split("\n") if line.startswith(LAUNCH)]
    if run.status != 0 or any(line == LAUNCH + "cudaSuccess" for line in said):
        return [f"the launch was not refused: {' '.join(said) or f'ended with {run.status}'}"]
    return []


def _clean(expectation, run):
    return [f"invented: {describe(one, expectation)}" for one in run.findings
            if one.get("id") not in expectation.also_ok or one.get("severity") == "error"]


def _benign(expectation, run):
    """The race is told at info level and nowhere else."""
    told = [one for one in run.findings if one.get("id") == "benign-race" and one.get("severity") == "info"]
    complaints = [f"invented: {describe(one, expectation)}" for one in run.findings
                  if one not in told and (one.get("id") not in expectation.also_ok or one.get("severity") == "error")]
    if not told:
        complaints.append("missed: no benign-race at info level")
    elif not any(expectation.lines <= lines_of(one, expectation) for one in told):
        complaints.append(f"missed: benign-race has to name line {_list(expectation.lines)}, got " +
                          "; ".join(describe(one, expectation) for one in told))
    return complaints


def _result(run):
    if run.status != 0:
        return [f"ended with {run.status}"]
    if not run.output.endswith("PASS\n"):
        return ["did not print PASS"]
    return []


def lines_of(finding, expectation):
    """The lines of the program that a finding names."""
    own = os.path.basename(expectation.path)
    return {site.get("line") for site in finding.get("sites") or [] if os.path.basename(site.get("file") or "") == own}


def describe(finding, expectation):
    lines = lines_of(finding, expectation)
    return (f"{finding.get('id')} ({finding.get('severity')}) at " +
            (f"line {_list(lines)}" if lines else "no line of the program"))


def _list(lines):
    return " and ".join(str(line) for line in sorted(lines))
