# SPDX-License-Identifier: Apache-2.0
"""What the user is shown as one sentence."""


class Refused(Exception):
    """What was asked for makes no sense here; the session goes on."""


class Fatal(Exception):
    """The session cannot go on."""
