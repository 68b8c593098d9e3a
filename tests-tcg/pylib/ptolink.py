# SPDX-License-Identifier: GPL-2.0-or-later
"""Live QEMU process with its monitor (QMP) and its debug stub (RSP).

Both channels are socket pairs inherited by the child, so that nothing has to
be named, polled for or cleaned up in the file system.
"""
import json
import os
import select
import socket
import subprocess
import tempfile


class LinkError(Exception):
    """The process is gone or does not follow the protocol."""


class Refused(LinkError):
    """The stub understands a request and does not accept it."""


class _Channel:
    """Buffered byte stream with a time limit on every read."""

    def __init__(self, sock, timeout):
        self.sock = sock
        self.timeout = timeout
        self.buf = bytearray()
        sock.settimeout(timeout)

    def send(self, data):
        try:
            self.sock.sendall(data)
        except OSError as exc:
            raise LinkError(f"connection lost while sending: {exc}") from exc

    def fill(self):
        try:
            data = self.sock.recv(1 << 16)
        except socket.timeout as exc:
            raise LinkError(f"no answer within {self.timeout} s") from exc
        except OSError as exc:
            raise LinkError(f"connection lost: {exc}") from exc
        if not data:
            raise LinkError("connection closed by QEMU")
        self.buf += data

    def pending(self):
        return bool(select.select([self.sock], [], [], 0)[0])


class Qmp(_Channel):
    """QMP client; events are dropped unless asked for."""

    def __init__(self, sock, timeout=30.0):
        super().__init__(sock, timeout)
        self.events = []
        self.keep_events = False
        greeting = self._message()
        if "QMP" not in greeting:
            raise LinkError(f"unexpected QMP greeting: {greeting}")
        self.command("qmp_capabilities")

    def _line(self):
        while True:
            end = self.buf.find(b"\n")
            if end >= 0:
                line = bytes(self.buf[:end])
                del self.buf[:end + 1]
                return line
            self.fill()

    def _message(self):
        return json.loads(self._line())

    def drain(self):
        """Throw away events that have arrived, so that QEMU need not keep
        them; only whole lines are removed."""
        while self.pending():
            self.fill()
        if not self.keep_events:
            end = self.buf.rfind(b"\n")
            del self.buf[:end + 1]

    def try_command(self, name, **args):
        """Answer object: either {"return": ...} or {"error": ...}."""
        request = {"execute": name}
        if args:
            request["arguments"] = {k.replace("_", "-"): v
                                    for k, v in args.items()}
        self.send(json.dumps(request).encode() + b"\n")
        while True:
            answer = self._message()
            if "event" in answer:
                if self.keep_events:
                    self.events.append(answer)
                continue
            return answer

    def command(self, name, **args):
        answer = self.try_command(name, **args)
        if "error" in answer:
            raise LinkError(f"{name}: {answer['error']['desc']}")
        return answer["return"]


class Rsp(_Channel):
    """GDB remote protocol client: memory, registers, stepping."""

    CHUNK = 1800        # bytes of memory in one packet, QEMU's buffer is 4096

    def packet(self, text):
        data = text.encode("latin-1")
        self.send(b"$%b#%02x" % (data, sum(data) & 255))

    def reply(self):
        while True:
            start = self.buf.find(b"$")
            end = self.buf.find(b"#", start + 1)
            if start >= 0 and end >= 0 and len(self.buf) >= end + 3:
                text = self.buf[start + 1:end].decode("latin-1")
                del self.buf[:end + 3]
                return text
            self.fill()

    def ask(self, text):
        self.packet(text)
        return self.reply()

    def expect_ok(self, text):
        answer = self.ask(text)
        if answer.startswith("E."):
            raise Refused(answer[2:])
        if answer != "OK":
            raise LinkError(f"'{text[:40]}' answered '{answer}'")

    def write(self, address, data):
        for at in range(0, len(data), self.CHUNK):
            part = data[at:at + self.CHUNK]
            self.expect_ok(f"M{address + at:x},{len(part):x}:{part.hex()}")

    def read(self, address, length):
        out = bytearray()
        while len(out) < length:
            n = min(self.CHUNK, length - len(out))
            answer = self.ask(f"m{address + len(out):x},{n:x}")
            if answer.startswith("E"):
                raise LinkError(f"cannot read memory at {address + len(out):#x}")
            out += bytes.fromhex(answer)
        return bytes(out)

    def step(self):
        """One instruction attempt; the stop reply."""
        return self.ask("s")

    def cont(self, timeout=None):
        """Run until the next stop.  None: time is up and the machine was
        interrupted."""
        self.packet("c")
        if timeout is None:
            return self.reply()
        self.sock.settimeout(timeout)
        try:
            return self.reply()
        except LinkError:
            self.sock.settimeout(self.timeout)
            self.send(b"\x03")
            self.reply()
            return None
        finally:
            self.sock.settimeout(self.timeout)

    def breakpoint(self, address, insert=True):
        self.expect_ok(f"{'Z' if insert else 'z'}0,{address:x},2")

    def document(self, name):
        """A target description document (qXfer)."""
        text = ""
        while True:
            answer = self.ask(f"qXfer:features:read:{name}:{len(text):x},7f0")
            if answer[:1] not in ("l", "m"):
                raise LinkError(f"no target description {name}: {answer}")
            text += answer[1:]
            if answer[0] == "l":
                return text


class Machine:
    """A stopped QEMU process with one CPU under control."""

    def __init__(self, qemu, args, ram_size=None, timeout=30.0, stderr=None,
                 with_qmp=True):
        """ram_size: map that many bytes of guest RAM for cheap reading (the
        RAM of the machine is then a shared file)."""
        self.ram = self.qmp = self.rsp = None
        ours, theirs = zip(socket.socketpair(), socket.socketpair())
        fds = [s.fileno() for s in theirs]
        command = [qemu, "-display", "none", "-nodefaults", "-S",
                   "-chardev", f"socket,id=ptogdb,fd={fds[1]}",
                   "-gdb", "chardev:ptogdb", *args]
        if with_qmp:
            command += ["-chardev", f"socket,id=ptoqmp,fd={fds[0]}",
                        "-mon", "chardev=ptoqmp,mode=control"]
        ram_file = None
        if ram_size:
            folder = "/dev/shm" if os.path.isdir("/dev/shm") else None
            ram_file = tempfile.NamedTemporaryFile(dir=folder)
            ram_file.truncate(ram_size)
            command += ["-object",
                        f"memory-backend-file,id=ptoram,size={ram_size},"
                        f"mem-path={ram_file.name},share=on",
                        "-machine", "memory-backend=ptoram",
                        "-m", f"size={ram_size}B"]
        self.command = command
        self.process = subprocess.Popen(command, pass_fds=fds, stderr=stderr,
                                        stdin=subprocess.DEVNULL)
        for sock in theirs:
            sock.close()
        try:
            self.rsp = Rsp(ours[1], timeout)
            if with_qmp:
                self.qmp = Qmp(ours[0], timeout)
                self.cpu = self.qmp.command("query-cpus-fast")[0]["qom-path"]
            else:
                ours[0].close()
            self.rsp.ask("?")       # the stub answers: the machine is built
            if ram_file:
                import mmap
                self.ram = mmap.mmap(ram_file.fileno(), ram_size,
                                     prot=mmap.PROT_READ)
        except LinkError:
            self.close()
            raise
        finally:
            if ram_file:
                ram_file.close()

    def get_state(self):
        """The property arch-state of the current CPU, by the debug stub
        (QMP reads its input byte by byte)."""
        text = ""
        while True:
            part = self.rsp.ask(f"qpto.state:{len(text):x}")
            text += part
            if len(part) < 3800:
                return json.loads(text)

    def set_state(self, state):
        data = json.dumps(state, separators=(",", ":")).encode().hex()
        while len(data) > 3600:
            self.rsp.expect_ok(f"Qpto.more:{data[:3600]}")
            data = data[3600:]
        self.rsp.expect_ok(f"Qpto.state:{data}")

    def attempt(self):
        """(pc, fault code name, fault address, cycle) after a step."""
        answer = self.rsp.ask("qpto.attempt")
        fields = answer.split(";")
        if len(fields) != 4:
            raise LinkError(f"qpto.attempt answered '{answer}'")
        return (int(fields[0], 16), fields[1], int(fields[2], 16),
                int(fields[3], 16))

    def alive(self):
        return self.process.poll() is None

    def close(self):
        """End the process; its exit status (negative: a signal that we did
        not send)."""
        status = self.process.poll()
        if status is None:
            self.process.kill()
            self.process.wait()
        for channel in (self.qmp, self.rsp):
            if channel:
                channel.sock.close()
        return status
