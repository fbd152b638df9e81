//! What a locked process is refused: each case is a process of its own, which is locked and tries it.
//!
//! It has no harness, since the process of a harness has more threads than one.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn main() {
    let policy = isolation_jail::Policy {
        readable: Vec::new(),
        listable: Vec::new(),
        memory: None,
        cpu_seconds: None,
        open_files: 64,
        user: None,
        parent: None,
    };
    assert!(isolation_jail::available().enforced.is_empty());
    assert!(isolation_jail::prepare(&policy).is_err());
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn main() {
    on_linux::main();
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod on_linux {
    use std::fs::{self, File, OpenOptions, Permissions};
    use std::io::{self, Error, ErrorKind, Read, Write};
    use std::net::{TcpListener, UdpSocket};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::{UnixDatagram, UnixStream};
    use std::os::unix::process::parent_id;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio, exit, id};
    use std::time::Duration;
    use std::{env, thread};

    use isolation_jail::{Level, Policy, Protection, available, prepare};

    /// A case: what it is called, what is tried, whether it is refused.
    type Case = (&'static str, fn(&Path) -> io::Result<()>, bool);

    const CHILD: &str = "ISOLATION_JAIL_CASE";
    const FOLDER: &str = "ISOLATION_JAIL_FOLDER";
    const REFUSED: i32 = 42;
    const NOBODY: u32 = 65534;

    const CASES: &[Case] = &[
        ("read what is allowed", |at| File::open(at.join("allowed/file")).map(drop), false),
        ("list what is allowed", |at| fs::read_dir(at.join("allowed")).map(drop), false),
        ("list what may be listed", |at| fs::read_dir(at.join("listed/below")).map(drop), false),
        (
            "read what may be listed alone",
            |at| File::open(at.join("listed/below/file")).map(drop),
            true,
        ),
        (
            "read what is allowed below it",
            |at| File::open(at.join("listed/read/file")).map(drop),
            false,
        ),
        ("read where nobody else may pass", |at| File::open(at.join("own/file")).map(drop), false),
        ("read beside it", |at| File::open(at.join("own-secret")).map(drop), true),
        (
            "write where nobody else may pass",
            |at| OpenOptions::new().append(true).open(at.join("own/file")).map(drop),
            true,
        ),
        (
            "write to null",
            |_| OpenOptions::new().write(true).open("/dev/null")?.write_all(b"x"),
            false,
        ),
        (
            "sleep",
            |_| {
                thread::sleep(Duration::from_millis(1));
                Ok(())
            },
            false,
        ),
        (
            "see who one is",
            |_| {
                assert!(id() > 0);
                Ok(())
            },
            false,
        ),
        ("read a secret", |at| File::open(at.join("secret")).map(drop), true),
        ("list a folder", |at| fs::read_dir(at).map(drop), true),
        ("read one's own memory", |_| File::open("/proc/self/mem").map(drop), true),
        ("read by a way around", |at| File::open(at.join("allowed/../secret")).map(drop), true),
        ("read by a link", |at| File::open(at.join("allowed/link")).map(drop), true),
        ("make a file", |at| File::create(at.join("allowed/new")).map(drop), true),
        (
            "write to a file",
            |at| OpenOptions::new().append(true).open(at.join("allowed/file")).map(drop),
            true,
        ),
        ("make a folder", |at| fs::create_dir(at.join("allowed/new")), true),
        ("remove a file", |at| fs::remove_file(at.join("allowed/file")), true),
        ("rename a file", |at| fs::rename(at.join("allowed/file"), at.join("allowed/new")), true),
        ("link a file", |at| fs::hard_link(at.join("allowed/file"), at.join("allowed/new")), true),
        ("make a link", |at| symlink("file", at.join("allowed/new")), true),
        (
            "change a mode",
            |at| fs::set_permissions(at.join("allowed/file"), Permissions::from_mode(0o777)),
            true,
        ),
        ("listen", |_| TcpListener::bind("127.0.0.1:0").map(drop), true),
        ("send datagrams", |_| UdpSocket::bind("127.0.0.1:0").map(drop), true),
        ("talk to itself by sockets", |_| UnixStream::pair().map(drop), true),
        ("a socket without a name", |_| UnixDatagram::unbound().map(drop), true),
        ("start a program", |_| Command::new("/bin/true").status().map(drop), true),
        ("start a thread", |_| thread::Builder::new().spawn(|| ()).map(drop), true),
        (
            "take too much memory",
            |_| {
                Vec::<u8>::new()
                    .try_reserve_exact(1 << 30)
                    .map_err(|_| ErrorKind::PermissionDenied.into())
            },
            true,
        ),
    ];

    pub(super) fn main() {
        if let (Ok(case), Some(folder)) = (env::var(CHILD), env::var_os(FOLDER)) {
            child(&case, Path::new(&folder));
        }
        let folder = folder();
        let level = available();
        for identity in [None, Some(NOBODY)] {
            for &(case, _, refused) in CASES {
                let code = run(case, &folder, identity);
                // Landlock alone keeps files from being read.
                let known =
                    level.enforced.contains(&Protection::Files) || !case.starts_with("read");
                let right = if refused { REFUSED } else { 0 };
                assert!(
                    !known || code == Some(right),
                    "{case} as {identity:?}: {code:?}, not {right}"
                );
            }
            for law in LAWS {
                assert_eq!(run(law, &folder, identity), Some(0), "{law} as {identity:?}");
            }
        }
        fs::remove_dir_all(folder).expect("it is ours");
    }

    const LAWS: &[&str] =
        &["level", "no capability", "threads", "missing path", "other parent", "no memory left"];

    fn child(case: &str, folder: &Path) -> ! {
        let user = env::var("USER_TO_BE").ok().and_then(|user| user.parse().ok());
        let policy = Policy {
            readable: vec![folder.join("allowed"), folder.join("own"), folder.join("listed/read")],
            listable: vec![folder.join("listed")],
            memory: Some(512),
            cpu_seconds: Some(20),
            open_files: 32,
            user,
            parent: Some(parent_id()),
        };
        if let Some((_, tried, _)) = CASES.iter().find(|(name, ..)| *name == case) {
            lock(&policy);
            match tried(folder) {
                Ok(()) => exit(0),
                Err(error) if is_refusal(&error) => exit(REFUSED),
                Err(error) => panic!("{case}: {error}"),
            }
        }
        match case {
            "level" => {
                let missing = available().missing;
                let found = lock(&policy);
                assert_eq!(found.missing, missing);
                assert!(found.enforced.contains(&Protection::SystemCalls));
            }
            "no capability" => {
                // Without one that forbids others to read, none is needed.
                let mut status = File::open("/proc/self/status").expect("is free");
                lock(&Policy { readable: vec![folder.join("allowed")], ..policy });
                let mut text = String::new();
                status.read_to_string(&mut text).expect("it is open");
                let effective = text.lines().find_map(|line| line.strip_prefix("CapEff:"));
                let is_root = text.lines().any(|line| line.starts_with("Uid:\t0\t"));
                assert!(is_root || effective.map(str::trim) == Some("0000000000000000"), "{text}");
            }
            "threads" => {
                thread::spawn(|| thread::sleep(Duration::from_secs(60)));
                refuses(&policy, "2 threads");
            }
            "missing path" => {
                refuses(&Policy { readable: vec!["/not/there".into()], ..policy }, "/not/there");
            }
            "other parent" => refuses(&Policy { parent: Some(id()), ..policy }, "parent"),
            "no memory left" => refuses(&Policy { memory: Some(1), ..policy }, "1 MiB"),
            _ => panic!("{case} is no case"),
        }
        exit(0)
    }

    fn lock(policy: &Policy) -> Level {
        prepare(policy).and_then(isolation_jail::Prepared::lock).expect("can be locked")
    }

    /// It says why, and nothing is locked.
    fn refuses(policy: &Policy, why: &str) {
        let error = prepare(policy).err().expect("is refused");
        assert!(error.to_string().contains(why), "{error}");
        let mut text = String::new();
        File::open("/proc/self/status")
            .and_then(|mut file| file.read_to_string(&mut text))
            .expect("is free");
    }

    fn is_refusal(error: &Error) -> bool {
        // Threads are refused by `WouldBlock` where the limit of processes is what is met first.
        matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::WouldBlock)
    }

    fn run(case: &str, folder: &Path, user: Option<u32>) -> Option<i32> {
        let mut command = Command::new(env::current_exe().expect("it runs"));
        command.env(CHILD, case).env(FOLDER, folder).stdin(Stdio::null());
        if let Some(user) = user {
            command.env("USER_TO_BE", user.to_string());
        }
        command.status().expect("it starts").code()
    }

    /// A file that may be read, and one beside it that may not. Both belong to everybody, so that nothing but
    /// the jail is in the way. And both once more for their owner alone, who is to become another user.
    fn folder() -> PathBuf {
        let folder = env::temp_dir().join(format!("isolation-jail-{}", id()));
        let (allowed, listed) = (folder.join("allowed"), folder.join("listed"));
        let below = [listed.join("below"), listed.join("read")];
        for each in [&allowed, &below[0], &below[1]] {
            fs::create_dir_all(each).expect("there is room");
        }
        let files = [
            &folder.join("secret"),
            &allowed.join("file"),
            &below[0].join("file"),
            &below[1].join("file"),
        ];
        for file in files {
            fs::write(file, "text").expect("there is room");
            fs::set_permissions(file, Permissions::from_mode(0o666)).expect("it is ours");
        }
        symlink("../secret", allowed.join("link")).expect("there is room");
        for each in [&folder, &allowed, &listed, &below[0], &below[1]] {
            fs::set_permissions(each, Permissions::from_mode(0o777)).expect("it is ours");
        }
        let own = folder.join("own");
        fs::create_dir(&own).expect("there is room");
        for each in [own.join("file"), folder.join("own-secret")] {
            fs::write(&each, "text").expect("there is room");
            fs::set_permissions(each, Permissions::from_mode(0o600)).expect("it is ours");
        }
        fs::set_permissions(own, Permissions::from_mode(0o700)).expect("it is ours");
        folder
    }
}
