"""Folders that stand for an image's layers: Debian's base, what RUN makes of it, and what COPY puts on top."""

import hashlib
import pathlib
import shlex
import shutil
import subprocess

# The variables that a build's RUN sees.
BUILD = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
# With what the kernel gives to every container, and the names of the machine that builds.
IN_CHROOT = """
set -e
mount -t proc proc "$0/proc"
for name in null zero random urandom; do touch "$0/dev/$name"; mount --bind "/dev/$name" "$0/dev/$name"; done
touch "$0/etc/resolv.conf"
mount --bind /etc/resolv.conf "$0/etc/resolv.conf"
exec chroot "$0" /bin/sh -c "$1"
"""


def call(*command, **options):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(map(str, command))[:300]} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def made(folder, make):
    """The folder, made by `make(unfinished)` unless it is there; what a failed or killed attempt left is swept away."""
    if not folder.exists():
        unfinished = folder.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        make(unfinished)
        unfinished.rename(folder)
    return folder


def sources():
    """Where this machine has Debian 12 from, as lines of sources.list."""
    told = call("apt-get", "indextargets", "--format", "deb $(REPO_URI) $(RELEASE) $(COMPONENT)|$(CODENAME)|$(ORIGIN)",
                "Created-By: Packages")
    entries = sorted({line.split("|")[0] for line in told.splitlines()
                      if line.split("|")[1].startswith("bookworm") and line.endswith("|Debian")})
    if not entries:
        raise RuntimeError("apt-get knows no source of Debian 12 here; after `apt-get update` it should")
    return "\n".join(entries)


def debian(cache):
    """What an image of `debian:12-slim` holds: the essential packages and apt, without manuals."""
    def make(folder):
        listed = cache / "sources.list"
        listed.parent.mkdir(parents=True, exist_ok=True)
        listed.write_text(sources() + "\n")
        call("mmdebstrap", "--variant=minbase", "--dpkgopt=path-exclude=/usr/share/man/*",
             "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=force-unsafe-io", "bookworm", folder, listed)
    return made(cache / "debian-12-slim", make)


def run_lines(stage, cache):
    """The base with every RUN of the stage done, kept under a name that changes with them."""
    if stage.base != "debian:12-slim":
        raise ValueError(f"how to make {stage.base} is not known here, only debian:12-slim")
    base, lines = debian(cache), stage.all("RUN")

    def make(folder):
        call("cp", "-a", "--reflink=auto", base, folder)
        for line in lines:
            call("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", IN_CHROOT, folder, line, env=BUILD)
    key = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    return made(cache / f"run-{key}", make)


def assemble(stage, cache, root, staged):
    """The whole stage in `root`; `staged` holds what the build stage has at /image."""
    words = [word for word, _ in stage.instructions if word in ("RUN", "COPY")]
    if words != sorted(words, reverse=True):
        raise ValueError("a RUN after a COPY is not known here: layers are kept by their RUN lines alone")
    call("cp", "-a", "--reflink=auto", run_lines(stage, cache), root)
    for line in stage.all("COPY"):
        if shlex.split(line) != ["--from=build", "/image/", "/"]:
            raise ValueError(f"COPY {line} is not known here, only --from=build /image/ /")
        call("cp", "-a", "--no-preserve=ownership", f"{staged}/.", root)
    return pathlib.Path(root)
