"""Plays with a language model behind any server of OpenAI's chat completions: URL MODEL FILE-WITH-THE-KEY."""

import json
import sys
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL, MODEL, KEY = sys.argv[1:]
HEADERS = {"Content-Type": "application/json", "Authorization": f"Bearer {Path(KEY).read_text().strip()}"}
TASK = "You play a board game. Give your move, in the words of a move, on the last line of your reply."


def complete(asked: str) -> tuple[str, dict[str, int]]:
    """Return a reply and its tokens. Ask a busy server again: the arena ends this program when the time is up."""
    body = json.dumps({"model": MODEL, "messages": [{"role": "user", "content": asked}]}).encode()
    while True:
        try:
            completion = json.load(urlopen(Request(f"{URL}/chat/completions", body, HEADERS)))
            return completion["choices"][0]["message"]["content"], completion["usage"]
        except HTTPError as error:
            if error.code not in (429, 503):
                raise
            time.sleep(1)


rules = ""
for line in map(json.loads, sys.stdin):
    if line["type"] == "hello":
        print('{"type": "hello", "wants": ["text", "words", "events"]}', flush=True)
    elif line["type"] == "new_game":
        rules = "\n".join([TASK, line["board"], json.dumps(line["forms"])])
        print('{"type": "ready"}', flush=True)
    elif line["type"] == "choose":
        asked = [rules, *line["events"], line["text"], *line.get("words", ()), json.dumps(line.get("refused"))]
        reply, used = complete("\n".join(asked))
        answer = {"type": "move", "decision": line["decision"], "move": reply.strip().rpartition("\n")[2][:500]}
        tokens = {"tokens_in": used["prompt_tokens"], "tokens_out": used["completion_tokens"]}
        print(json.dumps(answer | tokens), flush=True)
