"""Hostile inputs, one command each: PROGRAM FOLDER [WORDS in a trial's name]. INPUTS='npy stores' are the groups that run.
The folder has a store s.sqlite of two runs and its export s.jsonl."""
import os
import sys

from argument_trials import argument_trials
from npy_trials import npy_trials
from place_trials import place_trials
from png_trials import png_trials
from signal_trials import signal_trials
from store_trials import store_trials
from stream_trials import stream_trials
from trial import counted
from variable_trials import variable_trials

GROUPS = {
    "npy": npy_trials, "places": place_trials, "png": png_trials, "stores": store_trials, "arguments": argument_trials,
    "variables": variable_trials, "streams": stream_trials, "signals": signal_trials
}
for group, run in GROUPS.items():
    if group in (os.environ.get("INPUTS") or " ".join(GROUPS)).split():
        before = dict(counted)
        run()
        print(
            f"{group}: {counted['trials'] - before['trials']} trials, {counted['failures'] - before['failures']} failures",
            flush=True)
os.chdir("/")
sys.exit(counted["failures"] != 0)
