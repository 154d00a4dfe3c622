"""
What this library costs beside the official client that it is made of, with a gateway in the environment.

Prints the CPU time that importing it adds, and what a call costs in ratios of CPU time: of pairs that are measured in
turn, so that what else the machine does falls on both. Fails where importing takes longer than it may.
"""

import statistics
import subprocess
import sys
import time

import openai

from headgate import Headgate

IMPORTS = 15
# Milliseconds.
MOST_IMPORT = 30.0
PAIRS = 40
CALLS = 25
QUESTION = [{"role": "user", "content": "Hello, and how are you today?"}]

PROGRAM = "import time, openai; began = time.process_time(); import headgate; print(time.process_time() - began)"


def import_ms():
    """The median of what importing it adds to importing `openai`, in CPU time of fresh processes."""

    def one():
        return float(subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout)

    return statistics.median(one() for _ in range(IMPORTS)) * 1000


def whole(client):
    client.chat.completions.create(model="echo", messages=QUESTION)


def streamed(client):
    for _ in client.chat.completions.create(model="echo", messages=QUESTION, stream=True):
        pass


def cpu(call, client):
    began = time.process_time()
    for _ in range(CALLS):
        call(client)
    return time.process_time() - began


def ratio(call, ours, official):
    cpu(call, ours)
    cpu(call, official)
    ratios = []
    for number in range(PAIRS):
        # Neither is always the first.
        if number % 2 == 0:
            of_ours = cpu(call, ours)
            of_official = cpu(call, official)
        else:
            of_official = cpu(call, official)
            of_ours = cpu(call, ours)
        ratios.append(of_ours / of_official)
    return statistics.median(ratios)


def main():
    added = import_ms()
    print(f"importing headgate adds {added:.1f} ms of CPU time to importing openai {openai.__version__}")
    with Headgate() as ours, openai.OpenAI(api_key=ours.api_key, base_url=ours.base_url) as official:
        for name, call in {"a whole answer": whole, "a stream": streamed}.items():
            print(f"{name} costs {ratio(call, ours, official):.3f} times the official client's CPU time")
    return 0 if added < MOST_IMPORT else 1


if __name__ == "__main__":
    sys.exit(main())
