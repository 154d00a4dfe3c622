import os
import pathlib
import re
import subprocess
import sys

import pytest

ANSWER = "Hello from a vendor that does not exist."
PAGE = pathlib.Path(__file__).parents[2] / "docs" / "connect.md"
ADDRESS = "http://127.0.0.1:8080"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_the_page_has_blocks():
    assert len(BLOCKS) == 2


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split()[3])
def test_a_block_of_the_page_works(block):
    base = os.environ["OPENAI_BASE_URL"].removesuffix("/v1")
    env = {"PATH": os.environ["PATH"], "HEADGATE_API_KEY": os.environ["OPENAI_API_KEY"]}
    program = [sys.executable, "-c", block.replace(ADDRESS, base)]
    ended = subprocess.run(program, env=env, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == ANSWER + "\n"
