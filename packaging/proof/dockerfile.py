"""Reads a Dockerfile, as far as ours goes. What it does not know is an error: nothing of the file is passed over."""

import dataclasses
import json
import re
import shlex

# Instructions that tell of the image and do nothing when it is made.
TOLD = ("EXPOSE", "STOPSIGNAL", "LABEL", "HEALTHCHECK", "ENTRYPOINT", "CMD", "USER", "WORKDIR", "VOLUME")
DONE = ("RUN", "COPY")


@dataclasses.dataclass
class Stage:
    base: str
    name: str | None
    # In the order of the file: (word, the rest of the line).
    instructions: list = dataclasses.field(default_factory=list)

    def all(self, word):
        return [rest for one, rest in self.instructions if one == word]

    def last(self, word):
        found = self.all(word)
        if not found:
            raise ValueError(f"the stage from {self.base} has no {word}")
        return found[-1]

    @property
    def command(self):
        """What a container of the image runs where nothing else is said."""
        return json.loads(self.last("ENTRYPOINT")) + json.loads(self.last("CMD"))

    @property
    def health_check(self):
        return json.loads(self.last("HEALTHCHECK").partition("CMD ")[2])

    @property
    def user(self):
        """Numbers, since whoever runs the image may ask that it be none of root's before it has begun."""
        user, group = self.last("USER").split(":")
        return int(user), int(group)

    @property
    def packages(self):
        """What its RUN lines install by name."""
        found = []
        for line in self.all("RUN"):
            for command in re.split(r"&&|;", line):
                words = shlex.split(command)
                if words[:2] == ["apt-get", "install"]:
                    found += [word for word in words[2:] if not word.startswith("-")]
        return found


def read(path):
    """The stages of a file, in its order, build arguments replaced by their defaults."""
    lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    stages, arguments = [], {}
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        word, _, rest = line.strip().partition(" ")
        rest = re.sub(r"\$\{(\w+)\}", lambda name: arguments[name.group(1)], rest.strip())
        if not word:
            continue
        if word == "ARG":
            name, _, value = rest.partition("=")
            arguments[name] = value
        elif word == "FROM":
            base, _, name = rest.partition(" AS ")
            stages.append(Stage(base, name or None))
        elif word in TOLD + DONE and stages:
            stages[-1].instructions.append((word, rest))
        else:
            raise ValueError(f"{path}: {word} is not known here")
    return stages
