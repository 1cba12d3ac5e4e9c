"""The daemons that people run, each with a configuration of its own below a folder, on a free loopback port.

They are children of the test and are ended by their number. Where the test is root they run as `nobody`, for most of them
refuse root; Postfix alone needs it, to give its parts to other users.
"""

import contextlib
import grp
import os
import pathlib
import pwd
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))

import servers  # noqa: E402

IS_ROOT = os.geteuid() == 0
USER = "nobody" if IS_ROOT else pwd.getpwuid(os.geteuid()).pw_name
GROUP = "nogroup" if IS_ROOT else grp.getgrgid(os.getegid()).gr_name
AS_NOBODY = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] if IS_ROOT else []


class Missing(Exception):
    """The daemon is not installed, or cannot be run by this user."""


def program(*places):
    found = next((each for each in places if pathlib.Path(each).exists()), None) or shutil.which(places[0])
    if not found:
        raise Missing(f"{places[0]} is not installed; `.ci/install peers` does that")
    return found


def give(folder):
    """Leaves what was written to the daemon's user; only it may read the key."""
    for file in (folder, *folder.rglob("*")):
        if IS_ROOT:
            shutil.chown(file, "nobody", "nogroup")
        file.chmod(0o700 if file.is_dir() else 0o600)


@contextlib.contextmanager
def running(folder, arguments, port, prefix=AS_NOBODY, stop=None):
    with open(folder / "log.txt", "ab") as log:
        process = subprocess.Popen([*prefix, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder)
    try:
        assert servers.listening(process, port, 40), (folder / "log.txt").read_text()[-3000:]
        yield port
    finally:
        if stop:
            subprocess.run([*map(str, stop)], check=False, capture_output=True)
        else:
            process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def postfix(folder, certificate, key, offers):
    program("/usr/sbin/postfix")
    if not IS_ROOT:
        raise Missing("Postfix's master must be started by root")
    port = servers.free_port()
    for each in ("queue", "data"):
        (folder / each).mkdir()
    shutil.chown(folder / "data", "postfix")
    (folder / "main.cf").write_text(
        f"compatibility_level = 3.6\nqueue_directory = {folder}/queue\ndata_directory = {folder}/data\nmail_owner = postfix\n"
        f"setgid_group = postdrop\ndaemon_directory = /usr/lib/postfix/sbin\ncommand_directory = /usr/sbin\nmyhostname = mail.shop.test\n"
        f"inet_interfaces = 127.0.0.1\nmynetworks = 127.0.0.0/8\nalias_maps =\nalias_database =\nmaillog_file =\n"
        + (f"smtpd_tls_security_level = may\nsmtpd_tls_chain_files = {key}, {certificate}\n" if offers else "smtpd_tls_security_level = none\n"))
    services = "".join(f"{line}\n" for line in (
        f"127.0.0.1:{port} inet n - n - - smtpd", "tlsmgr unix - - n 1000? 1 tlsmgr", "cleanup unix n - n - 0 cleanup",
        "rewrite unix - - n - - trivial-rewrite", "anvil unix - - n - 1 anvil", "proxymap unix - - n - - proxymap",
        "pickup unix n - n 60 1 pickup", "qmgr unix n - n 300 1 qmgr"))
    (folder / "master.cf").write_text(services)
    return running(folder, ["/usr/sbin/postfix", "-c", folder, "start-fg"], port, prefix=[], stop=["/usr/sbin/postfix", "-c", folder, "stop"])


def dovecot(protocol):
    def start(folder, certificate, key, offers):
        dovecot = program("/usr/sbin/dovecot")
        program(f"/usr/lib/dovecot/{protocol}")
        port = servers.free_port()
        tls = f"ssl = yes\nssl_cert = <{certificate}\nssl_key = <{key}\n" if offers else "ssl = no\n"
        (folder / "dovecot.conf").write_text(
            f"protocols = {protocol}\nbase_dir = {folder}/run\nstate_dir = {folder}/state\nlog_path = /dev/stderr\n{tls}"
            f"default_internal_user = {USER}\ndefault_login_user = {USER}\ndefault_internal_group = {GROUP}\n"
            "mail_location = maildir:~/mail\npassdb {\n  driver = static\n  args = password=none\n}\n"
            # Who is not root cannot change its root.
            + "".join(f"service {name} {{\n  chroot =\n{more}}}\n" for name, more in (
                ("anvil", ""),
                (f"{protocol}-login", f"  chroot =\n  inet_listener {protocol} {{\n    address = 127.0.0.1\n    port = {port}\n  }}\n"
                                      f"  inet_listener {protocol}s {{\n    port = 0\n  }}\n"))))
        give(folder)
        return running(folder, [dovecot, "-F", "-c", folder / "dovecot.conf"], port)
    return start


def postgres(folder, certificate, key, offers):
    newest = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
    if not newest:
        raise Missing("PostgreSQL is not installed; `.ci/install peers` does that")
    port = servers.free_port()
    give(folder)
    subprocess.run([*AS_NOBODY, newest[-1] / "initdb", "-D", folder / "db", "-A", "trust", "-U", "test", "--no-sync"],
                   check=True, capture_output=True, cwd=folder)
    tls = [f"ssl_cert_file={certificate}", f"ssl_key_file={key}", "ssl=on"] if offers else ["ssl=off"]
    settings = [word for each in ("listen_addresses=127.0.0.1", f"unix_socket_directories={folder}", *tls) for word in ("-c", each)]
    return running(folder, [newest[-1] / "postgres", "-D", folder / "db", "-p", port, *settings], port)


def slapd(folder, certificate, key, offers):
    slapd = program("/usr/sbin/slapd")
    port = servers.free_port()
    (folder / "slapd.conf").write_text(
        f"pidfile {folder}/slapd.pid\n" + (f"TLSCertificateFile {certificate}\nTLSCertificateKeyFile {key}\n" if offers else ""))
    give(folder)
    return running(folder, [slapd, "-f", folder / "slapd.conf", "-h", f"ldap://127.0.0.1:{port}/", "-d", "0"], port)


def vsftpd(folder, certificate, key, offers):
    vsftpd = program("/usr/sbin/vsftpd")
    port = servers.free_port()
    (folder / "empty").mkdir()
    tls = f"ssl_enable=YES\nrsa_cert_file={certificate}\nrsa_private_key_file={key}\nssl_ciphers=HIGH\n" if offers else ""
    (folder / "vsftpd.conf").write_text(
        f"listen=YES\nlisten_address=127.0.0.1\nlisten_port={port}\nbackground=NO\nanonymous_enable=YES\nanon_root={folder}/empty\n"
        f"secure_chroot_dir={folder}/empty\nrun_as_launching_user=YES\nseccomp_sandbox=NO\nxferlog_enable=NO\n{tls}")
    give(folder)
    return running(folder, [vsftpd, folder / "vsftpd.conf"], port)


def prosody(folder, certificate, key, offers):
    prosody = program("/usr/bin/prosody")
    port = servers.free_port()
    tls = f'ssl = {{ key = "{key}"; certificate = "{certificate}" }}\n' if offers else ""
    modules = '"saslauth"; "disco"; ' + ('"tls"; ' if offers else "")
    (folder / "prosody.cfg.lua").write_text(
        f'pidfile = "{folder}/prosody.pid"\ndata_path = "{folder}/data"\ndaemonize = false\nlog = {{ info = "*console" }}\n'
        f'interfaces = {{ "127.0.0.1" }}\nc2s_ports = {{ {port} }}\ns2s_ports = {{ }}\nhttp_ports = {{ }}\nhttps_ports = {{ }}\n'
        f'modules_enabled = {{ {modules}}}\nmodules_disabled = {{ "s2s"; {"" if offers else chr(34) + "tls" + chr(34)} }}\n'
        f'certificates = "{folder}"\n{tls}VirtualHost "mail.shop.test"\n')
    (folder / "data").mkdir()
    give(folder)
    return running(folder, [prosody, "-F", "--config", folder / "prosody.cfg.lua"], port)


def mariadb(folder, certificate, key, offers):
    mariadbd = program("/usr/sbin/mariadbd")
    port = servers.free_port()
    (folder / "db").mkdir()
    give(folder)
    tls = [f"--ssl-cert={certificate}", f"--ssl-key={key}"] if offers else ["--skip-ssl"]
    return running(folder, [mariadbd, "--no-defaults", f"--datadir={folder}/db", "--bind-address=127.0.0.1", f"--port={port}",
                            f"--socket={folder}/db.sock", f"--pid-file={folder}/db.pid", "--skip-grant-tables", *tls], port)


# Each with the protocol that it is asked in.
ALL = {
    "postfix": ("smtp", postfix), "dovecot imap": ("imap", dovecot("imap")), "dovecot pop3": ("pop3", dovecot("pop3")),
    "postgresql": ("postgres", postgres), "slapd": ("ldap", slapd), "vsftpd": ("ftp", vsftpd),
    "prosody": ("xmpp-client", prosody), "mariadb": ("mysql", mariadb),
}
