# SPDX-License-Identifier: GPL-2.0-or-later
"""All programs that the topics make."""
import arithmetic
import control
import floating
import memory
import recovery
import registers
import tiles

TOPICS = [arithmetic, memory, floating, control, recovery, registers, tiles]


def all_programs():
    for topic in TOPICS:
        yield from topic.programs()
