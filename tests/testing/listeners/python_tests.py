# SPDX-License-Identifier: Apache-2.0
#
# Tests with pytest, which know nothing of Warpfiber. KERNELS names the library of library.cu.
import ctypes
import os
import unittest

import pytest


def kernels():
    return ctypes.CDLL(os.environ["KERNELS"])


def test_that_loads_is_wrong():
    kernels().wrong()


def test_right():
    kernels().right()


@pytest.mark.parametrize("is_wrong", [False, True])
def test_parameters(is_wrong):
    (kernels().wrong if is_wrong else kernels().right)()


def test_fails_by_itself():
    kernels().right()
    assert 1 + 1 == 3


def test_fails_both_ways():
    kernels().wrong()
    assert 1 + 1 == 3


@pytest.mark.xfail(strict=True)
def test_is_expected_to_fail():
    kernels().wrong()


@pytest.mark.xfail(strict=True)
def test_is_expected_to_fail_both_ways():
    kernels().wrong()
    assert 1 + 1 == 3


@pytest.fixture
def wrong_before():
    kernels().wrong()


@pytest.fixture
def wrong_after():
    yield
    kernels().wrong()


def test_with_a_wrong_setup(wrong_before):
    pass


def test_with_a_wrong_teardown(wrong_after):
    pass


def test_unawaited():
    kernels().unawaited()


def test_refused_and_seen():
    assert kernels().refused() == 2


def test_skipped():
    pytest.skip("as a test may be")


class OfUnittest(unittest.TestCase):
    def test_right(self):
        kernels().right()

    def test_wrong(self):
        kernels().wrong()

    def test_fails_both_ways(self):
        kernels().wrong()
        self.assertEqual(1 + 1, 3)
