"""Prints what each key and model cost, beside the period before. Needs Python 3.9 and nothing else.

HEADGATE_API_KEY=hg_live_… python3 usage_report.py 30
"""

import json
import os
import sys
import time
from decimal import Decimal
from urllib.parse import urlencode
from urllib.request import Request, urlopen

ADDRESS = os.environ.get("HEADGATE_URL", "http://127.0.0.1:8080")
DAYS = int(sys.argv[1]) if len(sys.argv) > 1 else 30


def summary():
    start = int(time.time()) - (DAYS - 1) * 86400
    query = urlencode({"by": "key,model", "start_time": start})
    headers = {"Authorization": f"Bearer {os.environ['HEADGATE_API_KEY']}"}
    with urlopen(Request(f"{ADDRESS}/v1/usage/summary?{query}", headers=headers)) as response:
        # Amounts are exact decimals: a float would round them.
        return json.load(response, parse_float=Decimal)


def dollars(sums):
    """A cost that is not known is `null`, never 0."""
    cost = sums["cost_usd"]
    return "unknown" if cost is None else f"${Decimal(cost):f}"


def line(key, model, sums):
    tokens = sums["input_tokens"] + sums["output_tokens"]
    unknown = f"  ({sums['calls_without_cost']} calls of unknown cost)" if sums["calls_without_cost"] else ""
    before = dollars(sums["previous"])
    print(f"{key:20} {model:32} {sums['calls']:>7} {tokens:>12} {dollars(sums):>14} {before:>14}{unknown}")


report = summary()
print(f"{'KEY':20} {'MODEL':32} {'CALLS':>7} {'TOKENS':>12} {'COST':>14} {'BEFORE':>14}")
for row in report["data"]:
    line(row["api_key_name"] or row["api_key_id"], row["model"], row)
if report["rest"] is not None:
    line(f"({report['rest']['rows']} more)", "", report["rest"])
line("all", "", report["totals"])
