"""Runs commands in an assembled image as a container engine would with a read-only root and no capability."""

import ctypes
import fcntl
import os
import pathlib
import signal
import socket
import struct
import subprocess
import time

# $0: the root; $1: the volume's folder; $2: the configuration; then the command. It becomes process 1 of its container.
CONTAINED = """
set -e
root=$0 volume=$1 configuration=$2; shift 2
mount --bind "$root" "$root"
mount --bind "$volume" "$root/var/lib/pinwatch"
[ -z "$configuration" ] || mount --bind "$configuration" "$root/etc/pinwatch/pinwatch.yaml"
mount -t proc proc "$root/proc"
for name in null zero random urandom; do mount --bind "/dev/$name" "$root/dev/$name"; done
mount -o remount,bind,ro "$root"
exec chroot "$root" "$@"
"""
CLEAN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/var/lib/pinwatch"}


def leave_network():
    """This process and what it starts from now on have a loopback of their own, so that every port is free."""
    new_network = 0x40000000  # CLONE_NEWNET, unshare(2)
    if ctypes.CDLL(None, use_errno=True).unshare(new_network) != 0:
        raise OSError(ctypes.get_errno(), "no network of its own can be had here")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        up = struct.pack("16sh22x", b"lo", 1)  # IFF_UP, netdevice(7)
        fcntl.ioctl(any_socket, 0x8914, up)  # SIOCSIFFLAGS


class Image:
    def __init__(self, root, stage, volume):
        self.root, self.stage, self.volume = root, stage, volume
        user, group = stage.user
        self.as_user = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs",
                        "--bounding-set=-all", "--inh-caps=-all"]
        os.chown(volume, user, group)

    def start(self, *command, configuration=None, log=subprocess.PIPE):
        return Container(subprocess.Popen(
            ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "sh", "-c", CONTAINED,
             self.root, self.volume, configuration or "", *self.as_user, *command],
            env=CLEAN, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, text=True), self)

    def run(self, *command, configuration=None):
        """One command to its end: status and what it said."""
        process = self.start(*command, configuration=configuration).outside
        said, _ = process.communicate(timeout=60)
        return process.returncode, said

    def files(self):
        """Everything outside the volume, and what would show that it was written."""
        found = {}
        for path in pathlib.Path(self.root).rglob("*"):
            told = path.lstat()
            found[path] = (told.st_mode, told.st_size, told.st_mtime_ns, told.st_uid)
        return found


class Container:
    def __init__(self, outside, image):
        self.outside, self.image = outside, image

    @property
    def inside(self):
        """The process whose number inside is 1, by its number here."""
        children = pathlib.Path(f"/proc/{self.outside.pid}/task/{self.outside.pid}/children")
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if found := children.read_text().split():
                return int(found[0])
            time.sleep(0.02)
        raise RuntimeError("the container has no process")

    def execute(self, *command):
        """A further command inside, as the image's user."""
        done = subprocess.run(
            ["nsenter", f"--target={self.inside}", "--mount", "--pid", "--ipc", "--uts", "--root", "--wd",
             *self.image.as_user, *command],
            env=CLEAN, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        return done.returncode, done.stdout

    def stop(self, seconds=30):
        """By the image's signal, as an engine does; the status that it ended with."""
        os.kill(self.inside, getattr(signal, self.image.stage.last("STOPSIGNAL")))
        return self.outside.wait(timeout=seconds)

    def end(self):
        if self.outside.poll() is None:
            self.outside.kill()
            self.outside.wait()
