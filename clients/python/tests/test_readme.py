"""The examples of README.md, as they stand there."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

README = pathlib.Path(__file__).parents[1] / "README.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
# What each prints, among the rest.
PRINTED = [
    "Hello\nserved by echo",
    "req_",
    "echo",
    "echo succeeded",
    "no route decides",
    "nightly is disabled",
    "Did you mean echo",
    "Hello echo",
]


def test_there_are_as_many_as_are_known():
    assert len(EXAMPLES) == len(PRINTED)


@pytest.mark.parametrize(("example", "printed"), list(zip(EXAMPLES, PRINTED, strict=True)), ids=PRINTED)
def test_an_example_works(example, printed):
    program = example.replace("http://127.0.0.1:8080", os.environ["HEADGATE_BASE_URL"])
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert printed in ended.stdout


@pytest.mark.skipif("HEADGATE_TEST_TOOLS" not in os.environ, reason="the type checker is asked on the newest Python")
def test_the_types_of_all_are_right(tmp_path, environment):
    for number, example in enumerate(EXAMPLES):
        (tmp_path / f"example_{number}.py").write_text(example)
    mypy = [environment("HEADGATE_TEST_TOOLS"), "-m", "mypy", "--strict", "--python-executable", sys.executable]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    files = sorted(str(path) for path in tmp_path.iterdir())
    ended = subprocess.run([*mypy, "--python-version", version, *files], capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout
