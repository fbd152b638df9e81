//! The loop of a jailed process: it waits for its referee's requests, and answers each.
//!
//! From the moment at which a submission is loaded, Python runs below this loop and nowhere else. The searches
//! are made here: the budget, the position and the kind of heuristic are those of the request, whatever the
//! submission has done to the Python around them. What frames hold is drawn in
//! `isolation_fast/process/frames.py` and `isolation_fast/worker/messages.py`; a test compares the numbers.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::mem::{self, ManuallyDrop};
use std::os::fd::FromRawFd;
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicBool, Ordering};

use isolation_core::{AnyPosition, Budget, Method, Mode, Options, Reason, with_position};
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::board::Board;
use crate::callback::{Found, Nan, PythonSearch};
use crate::errors::Error;
use crate::heuristics::Heuristic;
use crate::spending::{Paid, Terms};
use crate::tags::Key;
use crate::watch::ProcessClock;
use crate::{engine_lock, searching};

const MOST_BYTES: usize = 64 * 1024;
/// Kind, length and number.
const HEADER: usize = 13;

/// Of a search that a submission may have asked for itself: the root, and one heuristic call.
const NODES_OF_ITS_OWN: u64 = 2;

const DONE: u8 = 4;
const MOVED: u8 = 5;
const FAULT: u8 = 6;
const LOAD: u8 = 16;
const SEARCH: u8 = 18;
const KEY: u8 = 25;
/// What the Python side may answer: LOADED, DONE, MOVED, FAULT, MEASURED, READ, VALUES.
const ANSWERS: std::ops::RangeInclusive<u8> = 3..=9;

/// What is sent where describing an exception fails too; `isolation_fast/endings.py` numbers the endings.
const UNSHOWN: &[u8] = b"\x03{\"detail\":\"an exception that cannot be shown\",\"trace\":\"\"}";
const OUT_OF_MEMORY: &[u8] = b"\x09{\"detail\":\"MemoryError\",\"trace\":\"\"}";
const REFUSED: u8 = 10;
const BROKEN: u8 = 11;

/// Answers the requests that come by one descriptor by the other one, until there are no more.
///
/// `handler` has four methods: `answer(kind, content)` gives kind and content of the answer to any request but
/// a search and the key; `turn(moves)` gives board, heuristic and its exceptions for spent time; `searched()` is called
/// after a search; `fault(error)` gives the content of a fault. What a search may spend, and what it has
/// spent, stays here: whatever Python is told, a submission can read. So does the key that comes first, with which
/// answers to searches are signed.
#[pyfunction]
pub(crate) fn serve(
    py: Python<'_>,
    requests: i32,
    answers: i32,
    handler: &Bound<'_, PyAny>,
) -> PyResult<()> {
    static ENTERED: AtomicBool = AtomicBool::new(false);
    if !engine_lock::is_locked() || ENTERED.swap(true, Ordering::Relaxed) {
        return Err(Error::NotServed.into());
    }
    let mut server = Server::new(handler)?;
    let failed = |error: io::Error| PyOSError::new_err(error.to_string());
    let requests = RefereesPipe::at(requests).map_err(failed)?;
    let mut requests = BufReader::with_capacity(HEADER + MOST_BYTES, requests);
    let mut answers = end_of_pipe(answers);
    loop {
        let Some(mut request) = py.detach(|| Frame::read(&mut requests)).map_err(failed)? else {
            return Ok(());
        };
        let (kind, content) = server.answer(py, &mut request, requests.get_ref().is_replaced);
        let frame = Frame { kind, number: request.number, content };
        answers.write_all(&frame.encoded()).map_err(failed)?;
    }
}

/// The pipe by which requests come, and whether anything ever came by another one that lies in its place.
///
/// A submission may put a pipe of its own there and ask itself. A native node takes a twentieth of the time that
/// its referee counts for one, so our search would be of use to it.
struct RefereesPipe {
    file: ManuallyDrop<File>,
    identity: (u64, u64),
    is_replaced: bool,
}

impl RefereesPipe {
    fn at(descriptor: i32) -> io::Result<Self> {
        let file = end_of_pipe(descriptor);
        let identity = identity(&file)?;
        Ok(Self { file, identity, is_replaced: false })
    }
}

impl Read for RefereesPipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Here and nowhere else: what is in a buffer may have come before another pipe was put in its place.
        self.is_replaced |= identity(&self.file).ok() != Some(self.identity);
        self.file.read(buffer)
    }
}

fn identity(file: &File) -> io::Result<(u64, u64)> {
    let metadata = file.metadata()?;
    Ok((metadata.dev(), metadata.ino()))
}

/// An end of a pipe that is never closed: the process ends first.
#[allow(unsafe_code, reason = "a number is a descriptor only because the caller says so")]
fn end_of_pipe(descriptor: i32) -> ManuallyDrop<File> {
    // SAFETY: nothing is closed by it, and what is read and written by a wrong one are bytes.
    ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) })
}

struct Frame {
    kind: u8,
    number: u64,
    content: Vec<u8>,
}

impl Frame {
    /// The next one; None where there is none any more. Signals that come meanwhile wait for the next turn.
    fn read(requests: &mut impl Read) -> io::Result<Option<Self>> {
        let mut header = [0; HEADER];
        if let Err(error) = requests.read_exact(&mut header) {
            return if error.kind() == io::ErrorKind::UnexpectedEof {
                Ok(None)
            } else {
                Err(error)
            };
        }
        let mut parts = Reader(&header);
        let whole = "the header has its length";
        let (kind, length, number) = (
            parts.u8().expect(whole),
            parts.u32().expect(whole) as usize,
            parts.u64().expect(whole),
        );
        if length > MOST_BYTES {
            return Err(io::Error::other(format!("a request of {length} bytes")));
        }
        let mut content = vec![0; length];
        requests.read_exact(&mut content)?;
        Ok(Some(Self { kind, number, content }))
    }

    fn encoded(&self) -> Vec<u8> {
        let length = u32::try_from(self.content.len()).expect("at most MOST_BYTES");
        let mut bytes = Vec::with_capacity(HEADER + self.content.len());
        bytes.push(self.kind);
        bytes.extend(length.to_le_bytes());
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(&self.content);
        bytes
    }
}

/// Takes numbers off the front of bytes.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

/// What a SEARCH frame asks for.
struct Asked {
    mode: Mode,
    nan: Nan,
    moves: Vec<(u16, u16)>,
    position: AnyPosition,
    budget: Budget,
    /// Where work is spent: nanoseconds of the reference machine for each of this one.
    scale: Option<f64>,
    /// What one value may take, in nanoseconds of the reference machine.
    of_a_value: Option<u64>,
}

impl Asked {
    fn read(content: &[u8]) -> Option<Self> {
        let mut content = Reader(content);
        let depth = Some(content.u32()?).filter(|&depth| depth > 0);
        let nodes = Some(content.u64()?).filter(|&nodes| nodes > 0);
        let ms = f64::from_bits(content.u64()?);
        if !(ms.is_finite() && ms >= 0.0) {
            return None;
        }
        let ms = Some(ms).filter(|&ms| ms > 0.0);
        let mode = match content.u8()? {
            0 => Mode::Plain,
            1 => Mode::Fast,
            _ => return None,
        };
        let nan = match content.u8()? {
            0 => Nan::Course,
            1 => Nan::Refuse,
            _ => return None,
        };
        let work = Some(content.u64()?).filter(|&work| work > 0);
        let scale = f64::from_bits(content.u64()?);
        if !(scale.is_finite() && scale >= 0.0) {
            return None;
        }
        let value_work = Some(content.u64()?).filter(|&work| work > 0);
        let count = content.u16()?;
        let moves = (0..count)
            .map(|_| Some((content.u16()?, content.u16()?)))
            .collect::<Option<Vec<_>>>()?;
        let position: AnyPosition = std::str::from_utf8(content.0).ok()?.parse().ok()?;
        let allowance =
            searching::allowance(depth, nodes, ms, work).ok()?.with_value_work(value_work);
        let (budget, of_a_value) = with_position!(&position, |position| {
            (allowance.on(position), allowance.of_a_value(position))
        });
        let scale = work.or(value_work).map(|_| scale);
        Some(Self { mode, nan, moves, position, budget, scale, of_a_value })
    }
}

/// Why a search has no report.
enum Refusal {
    /// An exception of the submission.
    Raised(PyErr),
    /// Something of ours: the ending, and what to say.
    Told(u8, &'static str),
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

/// The handler's methods, looked up before anything of the submission has run, and what Python is not told.
struct Server<'py> {
    key: Option<Key>,
    has_begun: bool,
    /// All that was spent up to the last search, or until the submission was loaded.
    paid: Cell<Paid>,
    answer: Bound<'py, PyAny>,
    turn: Bound<'py, PyAny>,
    searched: Bound<'py, PyAny>,
    fault: Bound<'py, PyAny>,
    process_time_ns: Bound<'py, PyAny>,
    /// A jailed process has one thread. Its clock goes on where that of a process with a limit stands still.
    thread_time_ns: Bound<'py, PyAny>,
}

/// Board, heuristic, its exceptions for spent time.
type Turn<'py> = (Bound<'py, Board>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

impl<'py> Server<'py> {
    fn new(handler: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(Self {
            key: None,
            has_begun: false,
            paid: Cell::default(),
            answer: handler.getattr("answer")?,
            turn: handler.getattr("turn")?,
            searched: handler.getattr("searched")?,
            fault: handler.getattr("fault")?,
            process_time_ns: handler.py().import("time")?.getattr("process_time_ns")?,
            thread_time_ns: handler.py().import("time")?.getattr("thread_time_ns")?,
        })
    }

    /// Kind and content of the answer to a request.
    fn answer(&mut self, py: Python<'py>, request: &mut Frame, is_its_own: bool) -> (u8, Vec<u8>) {
        let is_first = !mem::replace(&mut self.has_begun, true);
        let answer = match request.kind {
            KEY => self.keep(request, is_first).map(|()| (DONE, Vec::new())),
            SEARCH => self.signed(py, request, is_its_own).map(|content| (MOVED, content)),
            _ => self.asked(py, request),
        };
        match answer {
            Ok(answer) => answer,
            Err(Refusal::Told(ending, detail)) => (FAULT, told(ending, detail)),
            Err(Refusal::Raised(error)) => (FAULT, self.fault(py, error)),
        }
    }

    /// Keeps the key: the submission can send one itself from the second request on.
    fn keep(&mut self, request: &mut Frame, is_first: bool) -> Result<(), Refusal> {
        let key = if is_first { Key::taken_from(&mut request.content) } else { None };
        self.key = Some(key.ok_or(Refusal::Told(BROKEN, "a key comes once, and first"))?);
        Ok(())
    }

    /// The content of the answer to a SEARCH frame, with the tag at its end that its referee looks for.
    ///
    /// One that the submission may have asked for itself has none.
    fn signed(
        &self,
        py: Python<'py>,
        request: &Frame,
        is_its_own: bool,
    ) -> Result<Vec<u8>, Refusal> {
        let unasked = "it was asked for a search before it had a key";
        let key = self.key.as_ref().ok_or(Refusal::Told(BROKEN, unasked))?;
        let found = self.search(py, &request.content, is_its_own);
        self.paid.set(match &found {
            Ok((_, Some(paid))) => *paid,
            // It was no search by work, or one that lost the game.
            _ => Paid::now(&self.thread_time_ns)?,
        });
        let (mut content, _) = found?;
        let tag = if is_its_own { 0 } else { key.tag(request.number, &request.content, &content) };
        content.extend(tag.to_le_bytes());
        Ok(content)
    }

    fn asked(&self, py: Python<'py>, request: &Frame) -> Result<(u8, Vec<u8>), Refusal> {
        let content = PyBytes::new(py, &request.content);
        let answer = self.answer.call1((request.kind, content));
        if request.kind == LOAD {
            self.paid.set(Paid::now(&self.thread_time_ns)?);
        }
        let answer = answer?;
        match answer.extract::<(u8, Bound<'py, PyBytes>)>() {
            Ok((kind, content))
                if ANSWERS.contains(&kind) && content.as_bytes().len() <= MOST_BYTES =>
            {
                Ok((kind, content.as_bytes().to_vec()))
            }
            _ => Err(Refusal::Told(BROKEN, "its process has no answer")),
        }
    }

    fn fault(&self, py: Python<'py>, error: PyErr) -> Vec<u8> {
        let unshown =
            if error.is_instance_of::<PyMemoryError>(py) { OUT_OF_MEMORY } else { UNSHOWN };
        let content = self.fault.call1((error.into_value(py),));
        match content.as_ref().map(|content| content.cast_exact::<PyBytes>()) {
            Ok(Ok(content)) if content.as_bytes().len() <= MOST_BYTES => {
                content.as_bytes().to_vec()
            }
            _ => unshown.to_vec(),
        }
    }

    /// What a SEARCH frame's search found, and up to where its work is paid.
    ///
    /// One that the submission may have asked for itself gets hardly any nodes.
    fn search(
        &self,
        py: Python<'py>,
        content: &[u8],
        is_its_own: bool,
    ) -> Result<(Vec<u8>, Option<Paid>), Refusal> {
        let before = self.paid.get();
        let mut asked = Asked::read(content).ok_or(Refusal::Told(
            BROKEN,
            "it was asked for a search in a form that there is not",
        ))?;
        if is_its_own {
            asked.budget = asked.budget.at_most_nodes(NODES_OF_ITS_OWN);
        }
        let moves = PyList::new(py, &asked.moves)?;
        let turn = self.turn.call1((moves,))?;
        let Ok((board, heuristic, stops)) = turn.extract::<Turn<'py>>() else {
            return Err(Refusal::Told(
                BROKEN,
                "its process has no board and heuristic to search with",
            ));
        };
        if heuristic.cast::<Heuristic>().is_ok() {
            let detail = "its heuristic is one of the engine's, which is not for code in a jail";
            return Err(Refusal::Told(REFUSED, detail));
        }
        let root = Board::checked_root(&board)?;
        if root.position != asked.position {
            let detail = "its board is not at the position that it was asked about";
            return Err(Refusal::Told(BROKEN, detail));
        }
        let options = Options {
            budget: asked.budget,
            method: Method::AlphaBeta,
            mode: asked.mode,
            order_bits: root.seating.order_bits,
            root_values: false,
        };
        let python = PythonSearch {
            function: &heuristic,
            compiled: None,
            held: None,
            nan: asked.nan,
            stops,
            by_clock: false,
            spending: asked.scale.map(|scale| Terms {
                clock: &self.thread_time_ns,
                scale,
                paid: before,
                of_a_value: asked.of_a_value,
            }),
        };
        let found = with_position!(&asked.position, |position| {
            python.undisputed(&root, position, &options, |attempt| {
                let mut clock = ProcessClock::start(&self.process_time_ns);
                Ok(attempt
                    .run(&mut clock)
                    .map_err(|failure| Error::of_search(failure, &mut clock.watch))?)
            })
        })?;
        Ok((self.moved(&asked.position, &found, before.asked_since())?, found.paid))
    }

    fn moved(
        &self,
        position: &AnyPosition,
        found: &Found,
        of_boards: u64,
    ) -> Result<Vec<u8>, Refusal> {
        let Found { report, nans, .. } = found;
        let best = report.best.ok_or(Refusal::Told(BROKEN, "there is no legal move"))?;
        let (row, column) = with_position!(position, |position| position.size().coordinates(best));
        self.searched.call0()?;
        let (flags, value) = report.value.map_or((1, 0.0), |value| (3, value));
        let mut content = Vec::with_capacity(70);
        content.extend(i64::from(row).to_le_bytes());
        content.extend(i64::from(column).to_le_bytes());
        content.push(flags);
        content.extend(f64::to_le_bytes(value));
        content.extend(report.depth.to_le_bytes());
        content.extend(report.nodes.to_le_bytes());
        content.push(match report.reason {
            Reason::Depth => 0,
            Reason::Nodes => 1,
            Reason::Time => 2,
            Reason::Exhausted => 3,
            Reason::Heuristic => 4,
        });
        content.extend(of_boards.to_le_bytes());
        content.extend(nans.to_le_bytes());
        content.extend(report.paid.to_le_bytes());
        Ok(content)
    }
}

/// The content of a fault of ours.
fn told(ending: u8, detail: &str) -> Vec<u8> {
    let mut content = vec![ending];
    content.extend(format!("{{\"detail\":\"{detail}\",\"trace\":\"\"}}").into_bytes());
    content
}
