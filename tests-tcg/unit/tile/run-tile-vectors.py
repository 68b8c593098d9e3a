#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""run-tile-vectors.py TILE-VECTORS FILE [option...]: convert and run one file."""

import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
text = subprocess.run([sys.executable, os.path.join(here, 'vectors-to-text.py'),
                       sys.argv[2]], stdout=subprocess.PIPE, check=True)
sys.exit(subprocess.run([sys.argv[1]] + sys.argv[3:],
                        input=text.stdout).returncode)
