"""Replays: the page of `arena show --html`, also inside a notebook."""

import html
import json
import tempfile
from pathlib import Path

from .program import flags, run

HEIGHT = 860  # pixels of the frame in a notebook


class Replay:
    """A page that replays games, in one file and without a network."""

    def __init__(self, page):
        self.page = page

    @classmethod
    def of(cls, lines, **options):
        """The page for lines of records. The options are those of `arena show`: `values`, `transcript`."""
        with tempfile.TemporaryDirectory(prefix="ludus-") as folder:
            text = "".join(f"{json.dumps(line)}\n" for line in lines)
            Path(folder, "games.jsonl").write_text(text, encoding="utf-8")
            if "transcript" in options:
                options["transcript"] = Path(options["transcript"]).resolve()
            # Inside the folder, because the page names the file.
            run(["show", "games.jsonl", *flags({**options, "html": "games.html"})], folder)
            return cls(Path(folder, "games.html").read_text(encoding="utf-8"))

    def save(self, path):
        """Writes the page, to be opened in a browser."""
        Path(path).write_text(self.page, encoding="utf-8")

    def _repr_html_(self):
        # Texts of bots are in the page. The frame has no rights in the notebook, whatever they say.
        style = f"width:100%;height:{HEIGHT}px;border:0"
        rights, page = "allow-scripts allow-downloads", html.escape(self.page)
        return f'<iframe title="Replay" sandbox="{rights}" srcdoc="{page}" style="{style}"></iframe>'
