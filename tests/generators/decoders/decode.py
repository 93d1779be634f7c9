"""Decode the value of each line as the model of its schema, and print the number of lines."""

import json
import sys
from importlib import import_module
from pathlib import Path

folder, package, answers = sys.argv[1:]
sys.path.insert(0, folder)
models = import_module(f"{package}.models")
lines = Path(answers).read_text("utf-8").splitlines()
for line in lines:
    answer = json.loads(line)
    getattr(models, answer["schema"]).from_dict(answer["value"])
print(len(lines))
