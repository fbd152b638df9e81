"""What becomes of memory in a locked process: it grows, and that of our engine stays as it is."""

import pytest
from jail_scripts import printed

GROWING = {
    "a list": ("[]", "what.extend([7] * (1 << 20))", 14 << 20, "what[-1] == 7"),
    "bytes": ("b''", "what += bytes(8 << 20)", 112 << 20, "not any(what[-9:])"),
    "a bytearray": ("bytearray(b'x')", "what += bytes(8 << 20)", 112 << 20, "what[0] == ord('x')"),
    "a text": ("''", "what += 'x' * (8 << 20)", 112 << 20, "what[:1] + what[-1:] == 'xx'"),
    "an array": (
        "numpy.zeros(1)",
        "what.resize(len(what) + (1 << 20), refcheck=False)",
        14 << 20,
        "what[-1] == 0.0",
    ),
    "memory of C": (
        "Block()",
        "what.grow(8 << 20)",
        112 << 20,
        "what.first == 7",
    ),
}


@pytest.mark.parametrize("what", GROWING)
def test_what_grows_beyond_a_hundred_megabytes_is_copied_and_given_back(what: str) -> None:
    # glibc asks for `mremap`, which is refused, and copies.
    begun, grown, least, right = GROWING[what]
    script = f"""
        class Block:
            def __init__(self):
                self.size, self.at = 1, ctypes.c_void_p(realloc(None, 1))
                ctypes.cast(self.at, ctypes.POINTER(ctypes.c_ubyte))[0] = 7

            def grow(self, by):
                self.size += by
                self.at = ctypes.c_void_p(realloc(self.at, self.size))
                ctypes.memset(self.at.value + self.size - by, 1, by)

            first = property(lambda self: ctypes.cast(self.at, ctypes.POINTER(ctypes.c_ubyte))[0])
            __len__ = lambda self: self.size
            __del__ = lambda self: free(self.at)

        libc = ctypes.CDLL(None)
        realloc, free = libc.realloc, libc.free
        realloc.argtypes, realloc.restype = (ctypes.c_void_p, ctypes.c_size_t), ctypes.c_void_p
        free.argtypes, free.restype = (ctypes.c_void_p,), None
        sizes = os.open("/proc/self/statm", os.O_RDONLY)
        pages = lambda: int(os.pread(sizes, 99, 0).split()[0])
        jail.lock_down(jail.Policy(**policy | dict(memory=2048)))
        least = pages()
        for _ in range(4):
            what = {begun}
            while len(what) < {least}:
                {grown}
            assert {right}
            del what
            assert (pages() - least) * 4096 < 64 << 20
        print("grown")
    """
    assert printed(script) == "grown\n"


def test_the_memory_of_our_engine_stays_as_it_is_where_the_kernel_can_seal_it() -> None:
    script = """
        places = {}
        for line in open("/proc/self/maps"):
            if "_native" in line:
                place, rights = line.split()[:2]
                places.setdefault(rights, [int(each, 16) for each in place.split("-")])
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        level = jail.lock_down(jail.Policy(**policy))
        can_seal = "sealing" in level.enforced

        def tried(call, rights, *more):
            start, end = places[rights]
            # What succeeds would be the end of the process.
            place = ctypes.c_void_p(start), ctypes.c_size_t(end - start)
            return can_seal and (getattr(libc, call)(*place, *more) in (-1, 2**64 - 1), ctypes.get_errno())

        refused = (True, 1) if can_seal else False
        print(tried("munmap", "r-xp") == refused)
        print(tried("mprotect", "r-xp", 3) == refused)
        print(tried("mprotect", "rw-p", 1) == refused)
        print(tried("mmap", "rw-p", 3, 0x32, -1, ctypes.c_long(0)) == refused)
        print(can_seal != ("sealing" in level.missing), level.name)
    """
    assert printed(script).split() == ["True"] * 5 + ["full"]
