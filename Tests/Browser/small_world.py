"""A small world under a real service: a healthy host, two broken ones, and one whose certificate is hostile."""

import peers
import pki
from world import PERIOD, World

HEALTHY, MOVED, EXPIRED, HOSTILE = "www.shop.test", "api.shop.test", "old.shop.test", "hostile.shop.test"
ATTACK = "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=2</script>\u202egpj"


class SmallWorld:
    def __init__(self, folder):
        self.world = World(folder)
        authority = self.world.authority
        identities = {
            HEALTHY: authority.issue(HEALTHY),
            MOVED: authority.issue(MOVED),
            EXPIRED: authority.issue(EXPIRED, days=-2, started=60),
            HOSTILE: authority.issue(HOSTILE, subject=ATTACK[:64], organization=ATTACK, days=12),
        }
        self.hosts = {name: self.world.host(name, identity) for name, (identity, _) in identities.items()}
        self.keys = {name: key for name, (_, key) in identities.items()}
        self.world.pins("shop", HEALTHY, pki.pin(self.keys[HEALTHY]), pki.pin(pki.new_key()))
        self.world.pins("wallet", MOVED, pki.pin(self.keys[MOVED]), pki.pin(pki.new_key()))

    def start(self):
        self.world.start()
        for name in self.hosts:
            self.world.scanned(name)
        self.hosts[MOVED].serve(self.world.authority.issue(MOVED)[0])
        self.world.receiver.wait(lambda message: message["data"]["finding"]["kind"] == "pin.rejected", PERIOD + 30)
        peers.wait_until(lambda: len(self.spans()) == 2, 30, "the second span")

    def target(self, name):
        found, = [target for target in self.world.service.items("targets") if target["host"] == name]
        return found["id"]

    def spans(self):
        return self.world.service.items(f"targets/{self.target(MOVED)}/spans")

    @property
    def base(self):
        return f"http://127.0.0.1:{self.world.service.port}/"

    def stop(self):
        self.world.stop()
