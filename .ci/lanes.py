"""Runs the gate's steps in lanes that go side by side: within a lane one after another, each when what it needs has ended."""

import concurrent.futures
import os
import signal
import subprocess
import threading
import time

from results import read_report


class Lanes:
    """`lanes` are lists of steps; whatever a step needs stands before it in its lane, or in another without a circle."""

    def __init__(self, lanes, root, results):
        self.lanes, self.root, self.results = lanes, root, results
        self.steps = {step.name: step for lane in lanes for step in lane}
        # Held to print, and to begin or end a process.
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def run(self):
        """Until every step has ended. Whatever interrupts the wait ends them all, and goes on to the caller."""
        with concurrent.futures.ThreadPoolExecutor(len(self.lanes)) as pool:
            futures = [pool.submit(self.go, lane) for lane in self.lanes]
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
            except BaseException:
                self.stop()
                raise

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                os.killpg(process.pid, signal.SIGKILL)

    def go(self, lane):
        try:
            for step in lane:
                for name in step.needs:
                    self.steps[name].ended.wait()
                self.take(step)
                step.ended.set()
        finally:
            # A fault of this script must not leave the other lanes waiting.
            for step in lane:
                step.ended.set()

    def take(self, step):
        missing = [name for name in step.needs if self.steps[name].failed]
        if missing:
            step.trouble = f"did not run: {' and '.join(missing)} failed"
            return self.say(f"\n== {step.name}\n{step.trouble}")
        log = self.results / f"{step.name.replace(' ', '-').replace(',', '')}.log"
        with self.lock:
            if self.stopped:
                return None
            print(f"-- {step.name} begins", flush=True)
            process = begin(step, self.root, log)
            self.running.add(process)
        started = time.monotonic()
        wait(process, step.limit)
        with self.lock:
            self.running.remove(process)
            os.killpg(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        step.seconds, step.work = time.monotonic() - started, usage.ru_utime + usage.ru_stime
        step.output = log.read_text(errors="replace")
        self.judge(step, process.returncode)
        return self.say(f"\n== {step.name}\n{step.output.rstrip()}\n== {step.name}: {step.verdict}, {step.seconds:.0f} s")

    def judge(self, step, status):
        step.trouble = None
        if step.seconds >= step.limit:
            step.trouble = f"was ended after {step.limit} s"
        elif status:
            step.trouble = f"ended with status {status}"
        read_report(step, sorted(self.results.glob(f"{step.tests.stem}.asan*")) if step.tests else [])

    def say(self, text):
        with self.lock:
            print(text, flush=True)


def begin(step, root, log):
    """The step as the leader of a process group of its own, which whatever it starts belongs to."""
    with open(log, "wb") as output:
        return subprocess.Popen(
            ["nice", "-n", str(step.niceness), *step.command], cwd=root, env={**os.environ, **step.environment},
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)


def wait(process, limit):
    """Until it has ended, by itself or by its limit. It stays a zombie, so that its group's number is nobody else's."""
    over = threading.Timer(limit, os.killpg, [process.pid, signal.SIGKILL])
    over.start()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    over.cancel()
    over.join()
