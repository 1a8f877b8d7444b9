"""A small file system in an image, which can be shut down as by a loss of power."""
import fcntl
import os
import shutil
import struct
import subprocess

# FS_IOC_GOINGDOWN of ext4 and xfs (linux/fs.h: _IOR('X', 125, __u32)); 2: without flushing the log.
GOING_DOWN, NO_LOG_FLUSH = 0x8004587D, 2


class PowerLoss:
    def __init__(self, folder, file_system):
        self.base, self.image = os.path.join(folder, "base.img"), os.path.join(folder, "run.img")
        self.mount_point, self.is_mounted = os.path.join(folder, "mnt"), False
        os.mkdir(self.mount_point)
        with open(self.base, "wb") as file:
            file.truncate((32 if file_system == "ext4" else 320) << 20)
        subprocess.run(["mkfs." + file_system, "-q", self.base], check=True, stdout=subprocess.DEVNULL)

    def renew(self):
        """Mounts an empty file system and returns its path."""
        self.unmount()
        shutil.copyfile(self.base, self.image)
        self.mount()
        return self.mount_point

    def mount(self):
        subprocess.run(["mount", "-o", "loop", self.image, self.mount_point], check=True)
        self.is_mounted = True

    def unmount(self):
        if self.is_mounted:
            subprocess.run(["umount", self.mount_point], check=True)
            self.is_mounted = False

    def cut(self, commits_journal):
        if commits_journal:
            unrelated = os.open(os.path.join(self.mount_point, ".unrelated"), os.O_CREAT | os.O_WRONLY)
            os.write(unrelated, b"x")
            os.fsync(unrelated)
            os.close(unrelated)
        root = os.open(self.mount_point, os.O_RDONLY)
        try:
            fcntl.ioctl(root, GOING_DOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(root)
        self.unmount()
        self.mount()

    def remove(self):
        self.unmount()
        shutil.rmtree(self.mount_point)
        os.unlink(self.base)
