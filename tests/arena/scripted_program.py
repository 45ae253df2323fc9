"""A program that answers as a script says, one line of the script for each question.

python tests/arena/scripted_program.py SCRIPT HEARD

SCRIPT is a JSON file: ``hello``, the answer to ``hello``; and ``answers``, whose last one is repeated. A text is the
whole answer; an object completes ``{"type": "move", "decision": …}``. The program writes all lines that it reads to
HEARD.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(script: Path, heard: Path) -> None:
    given = json.loads(script.read_text())
    answers = given["answers"]
    with heard.open("w") as kept:
        for text in sys.stdin:
            kept.write(text)
            kept.flush()
            line = json.loads(text)
            answer: object = None
            if line["type"] == "hello":
                answer = {"type": "hello", **given["hello"]}
            elif line["type"] == "new_game":
                answer = {"type": "ready"}
            elif line["type"] == "choose":
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
                if isinstance(answer, dict):
                    answer = {"type": "move", "decision": line["decision"], **answer}
            if answer is not None:
                print(answer if isinstance(answer, str) else json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
