"""Runs a program as a container engine would, in namespaces that unshare(1) has made: `contain.py '{"root": "/…", …}'`.

A new root that cannot be written to, tmpfs and binds where they are asked for, a user that is not root, no capability that could ever be
had, no new privileges, and a seccomp profile in the form of the OCI runtime specification. Engines do the same with runc.
"""
import ctypes
import json
import os
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 24, 38, 47, 4
MNT_DETACH = 2
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}[os.uname().machine]
ACTIONS = {"SCMP_ACT_ALLOW": lambda _: 0x7FFF0000, "SCMP_ACT_ERRNO": lambda errno: 0x00050000 | errno}
COMPARISONS = {"SCMP_CMP_NE": 1, "SCMP_CMP_EQ": 4, "SCMP_CMP_MASKED_EQ": 7}


class Argument(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def check(result, what):
    if result < 0:
        raise OSError(ctypes.get_errno() or -result, what)


def seccomp(profile):
    """Makes the filter of a profile; what its kernel's libseccomp has no name for is left out, as runc leaves it out."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ACTIONS[profile["defaultAction"]](profile["defaultErrnoRet"])))
    for rule in profile["syscalls"]:
        arguments = [Argument(a["index"], COMPARISONS[a["op"]], a["value"], a.get("valueTwo", 0)) for a in rule.get("args", [])]
        action = ACTIONS[rule["action"]](rule.get("errnoRet", 1))
        for name in rule["names"]:
            number = library.seccomp_syscall_resolve_name(name.encode())
            if number >= 0:
                array = (Argument * len(arguments))(*arguments)
                check(library.seccomp_rule_add_array(context, ctypes.c_uint32(action), number, len(arguments), array), name)
    return lambda: check(library.seccomp_load(context), "seccomp_load")


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def make_target(root, bind):
    target = root + bind["to"]
    if os.path.exists(target):
        return
    os.makedirs(target if os.path.isdir(bind["from"]) else os.path.dirname(target), exist_ok=True)
    if not os.path.isdir(bind["from"]):
        open(target, "a").close()


def make_root(spec):
    root = spec["root"]
    mount("--make-rprivate", "/")
    mount("--bind", root, root)
    for folder in spec["tmpfs"]:
        os.makedirs(root + folder, exist_ok=True)
    for bind in spec["binds"]:
        make_target(root, bind)
    for folder in ("dev", "proc", "sys"):
        os.makedirs(f"{root}/{folder}", exist_ok=True)
    mount("-o", "remount,bind,ro,nosuid", root)
    mount("-t", "proc", "-o", "nosuid,nodev,noexec", "proc", f"{root}/proc")
    mount("-t", "tmpfs", "-o", "nosuid,mode=755", "dev", f"{root}/dev")
    for name, minor in (("null", 3), ("zero", 5), ("full", 7), ("random", 8), ("urandom", 9)):
        os.mknod(f"{root}/dev/{name}", 0o20666, os.makedev(1, minor))
        os.chmod(f"{root}/dev/{name}", 0o666)
    os.symlink("/proc/self/fd", f"{root}/dev/fd")
    os.mkdir(f"{root}/dev/shm")
    mount("-t", "tmpfs", "-o", "nosuid,nodev,mode=1777", "shm", f"{root}/dev/shm")
    for folder in spec["tmpfs"]:
        mount("-t", "tmpfs", "-o", "nosuid,nodev,mode=1777", "tmp", root + folder)
    for bind in spec["binds"]:
        make_target(root, bind)  # once more, for what stands in a volume
        mount("--bind", bind["from"], root + bind["to"])
        if bind["readonly"]:
            mount("-o", "remount,bind,ro", root + bind["to"])


def enter(root):
    """Another root, not chroot(2): who is in a chroot may make no user namespace, which the browser's sandbox is made of."""
    os.chdir(root)
    check(libc.syscall(PIVOT_ROOT, b".", b"."), "pivot_root")
    check(libc.umount2(b".", MNT_DETACH), "umount2")
    os.chdir("/")


def main():
    spec = json.loads(sys.argv[1])
    load = seccomp(spec["seccomp"]) if "seccomp" in spec else lambda: None
    make_root(spec)
    enter(spec["root"])
    last = 40
    for capability in range(last + 1):
        check(libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0), "capbset")
    os.setgroups([])
    os.setresgid(spec["gid"], spec["gid"], spec["gid"])
    os.setresuid(spec["uid"], spec["uid"], spec["uid"])
    check(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "ambient")
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    os.chdir(spec["cwd"])
    load()
    os.execve(spec["argv"][0], spec["argv"], spec["env"])


main()
