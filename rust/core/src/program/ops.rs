//! The instructions of a program: one table of names, operands and what each does.

/// The three kinds of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// 64 bits: integers, truths, players, cells, handles of games, addresses.
    Int,
    /// Floats.
    Float,
    /// Sets of cells of the board.
    Mask,
}

impl Class {
    /// All, in the order in which numbers of registers are given.
    pub const ALL: [Self; 3] = [Self::Int, Self::Float, Self::Mask];

    /// The letter that registers of the class are written with.
    #[must_use]
    pub const fn letter(self) -> char {
        ['i', 'f', 'm'][self as usize]
    }
}

/// What an operand of an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A register that is read: `i`, `f` or `m`.
    Read(Class),
    /// A register that is written: `I`, `F` or `M`.
    Write(Class),
    /// A register that is read and written: `Ii` or `Mm`.
    Change(Class),
    /// A number in the instruction itself: `n`.
    Number,
    /// The place of an integer among the constants: `k`.
    Integer,
    /// The place of a float among the constants: `q`.
    Float,
    /// The place of an instruction in the function: `l`.
    Label,
    /// The place of a function: `p`.
    Function,
}

/// What there is to know of an instruction but its operands.
#[derive(Debug)]
pub struct Opcode {
    /// Its name.
    pub name: &'static str,
    /// Its operands.
    pub kinds: &'static [Kind],
    /// The same as they are written in the table.
    pub letters: &'static [&'static str],
    /// What it does.
    pub summary: &'static str,
}

/// How an operand is kept. `b` is a number from 0 to 255.
macro_rules! kept {
    (n) => {
        i32
    };
    (k) => {
        u16
    };
    (q) => {
        u16
    };
    (l) => {
        u16
    };
    ($register:ident) => {
        u8
    };
}

macro_rules! kind {
    (i) => {
        Kind::Read(Class::Int)
    };
    (f) => {
        Kind::Read(Class::Float)
    };
    (m) => {
        Kind::Read(Class::Mask)
    };
    (I) => {
        Kind::Write(Class::Int)
    };
    (F) => {
        Kind::Write(Class::Float)
    };
    (M) => {
        Kind::Write(Class::Mask)
    };
    (Ii) => {
        Kind::Change(Class::Int)
    };
    (Mm) => {
        Kind::Change(Class::Mask)
    };
    (n) => {
        Kind::Number
    };
    (b) => {
        Kind::Number
    };
    (k) => {
        Kind::Integer
    };
    (q) => {
        Kind::Float
    };
    (l) => {
        Kind::Label
    };
    (p) => {
        Kind::Function
    };
}

macro_rules! letters {
    (b) => {
        "n"
    };
    ($kind:ident) => {
        stringify!($kind)
    };
}

macro_rules! instructions {
    ($($name:ident($($operand:ident: $kind:ident),*) $summary:literal)*) => {
        /// One instruction. Registers are given by their number in their class.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Instruction {
            $(#[doc = $summary] $name($(kept!($kind)),*),)*
        }

        /// All instructions; the place of one is its number.
        pub const OPCODES: &[Opcode] = &[$(Opcode {
            name: stringify!($name),
            kinds: &[$(kind!($kind)),*],
            letters: &[$(letters!($kind)),*],
            summary: $summary,
        }),*];

        #[derive(Clone, Copy)]
        enum Number {
            $($name),*
        }

        impl Instruction {
            /// The instruction of a number and operands, each within what is kept of it.
            ///
            /// # Errors
            /// What is wrong with them.
            pub fn decode(number: i64, operands: &[i64]) -> Result<Self, String> {
                $(if number == Number::$name as i64 {
                    let &[$($operand),*] = operands else {
                        return Err(miscounted(&OPCODES[Number::$name as usize], operands.len()));
                    };
                    return Ok(Self::$name($(
                        <kept!($kind)>::try_from($operand)
                            .map_err(|_| format!("{} is no operand `{}`", $operand, letters!($kind)))?
                    ),*));
                })*
                Err(format!("there is no instruction {number}"))
            }

            /// What it is.
            #[must_use]
            pub fn opcode(self) -> &'static Opcode {
                match self {
                    $(Self::$name(..) => &OPCODES[Number::$name as usize],)*
                }
            }

            /// Its number, as [`Self::decode`] takes it.
            #[must_use]
            pub fn number(self) -> i64 {
                match self {
                    $(Self::$name(..) => Number::$name as i64,)*
                }
            }

            /// Whether what follows it may not run after it.
            #[must_use]
            pub fn ends_stretch(self) -> bool {
                matches!(self, Self::Ret() | Self::Bail())
                    || self.opcode().kinds.contains(&Kind::Label)
            }

            /// Its operands, each with its kind.
            pub fn operands(self) -> impl Iterator<Item = (Kind, i64)> + use<> {
                let mut found = [0; MOST_OPERANDS];
                match self {
                    $(Self::$name($($operand),*) => {
                        let operands: &[i64] = &[$(i64::from($operand)),*];
                        found[..operands.len()].copy_from_slice(operands);
                    })*
                }
                self.opcode().kinds.iter().copied().zip(found)
            }
        }
    };
}

/// The most operands that an instruction has.
const MOST_OPERANDS: usize = 4;

fn miscounted(opcode: &Opcode, given: usize) -> String {
    format!("{} takes {} operands, not {given}", opcode.name, opcode.kinds.len())
}

// `Origin` is `Location` by value. It is apart since each instruction that asks the board stands for one call of
// a method of the board, and this one stands for none. `Opponent` stands for one.
//
// Where a summary says *bails*, the run ends without a value. A player is the lowest bit of a register:
// 0 the first one, 1 the second. A cell is row + column * height. An address is that of a word in the arena.
instructions! {
    // Constants and copies.
    ConstI(to: I, value: n) "to = value"
    ConstK(to: I, value: k) "to = the integer constant"
    ConstF(to: F, value: q) "to = the float constant"
    MovI(to: I, from: i) "to = from"
    MovF(to: F, from: f) "to = from"
    MovM(to: M, from: m) "to = from"

    // Integers, as Python's; beyond 64 bits they bail.
    AddI(to: I, a: i, b: i) "to = a + b"
    SubI(to: I, a: i, b: i) "to = a - b"
    MulI(to: I, a: i, b: i) "to = a * b"
    AddN(to: I, a: i, number: n) "to = a + number"
    FloorDivI(to: I, a: i, b: i) "to = a // b; bails where b is 0"
    ModI(to: I, a: i, b: i) "to = a % b; bails where b is 0"
    PowI(to: I, a: i, b: i) "to = a ** b; bails where b is negative"
    NegI(to: I, a: i) "to = -a"
    AbsI(to: I, a: i) "to = abs(a)"
    NotI(to: I, a: i) "to = ~a"
    IsZero(to: I, a: i) "to = not a: 1 if a is 0, else 0"
    AndI(to: I, a: i, b: i) "to = a & b"
    OrI(to: I, a: i, b: i) "to = a | b"
    XorI(to: I, a: i, b: i) "to = a ^ b"
    ShlI(to: I, a: i, b: i) "to = a << b; bails where b is negative"
    ShrI(to: I, a: i, b: i) "to = a >> b; bails where b is negative"
    MinI(to: I, a: i, b: i) "to = min(a, b)"
    MaxI(to: I, a: i, b: i) "to = max(a, b)"

    // Comparisons give 1 or 0.
    EqI(to: I, a: i, b: i) "to = a == b"
    NeI(to: I, a: i, b: i) "to = a != b"
    LtI(to: I, a: i, b: i) "to = a < b"
    LeI(to: I, a: i, b: i) "to = a <= b"
    EqF(to: I, a: f, b: f) "to = a == b"
    NeF(to: I, a: f, b: f) "to = a != b"
    LtF(to: I, a: f, b: f) "to = a < b"
    LeF(to: I, a: f, b: f) "to = a <= b"

    // Floats, bit by bit as CPython's; where it raises or gives a complex number they bail.
    AddF(to: F, a: f, b: f) "to = a + b"
    SubF(to: F, a: f, b: f) "to = a - b"
    MulF(to: F, a: f, b: f) "to = a * b"
    DivF(to: F, a: f, b: f) "to = a / b; bails where b is 0"
    FloorDivF(to: F, a: f, b: f) "to = a // b; bails where b is 0"
    ModF(to: F, a: f, b: f) "to = a % b; bails where b is 0"
    PowF(to: F, a: f, b: f) "to = a ** b"
    NegF(to: F, a: f) "to = -a"
    AbsF(to: F, a: f) "to = abs(a)"
    SqrtF(to: F, a: f) "to = math.sqrt(a)"
    MathF(to: F, a: f, function: b) "to = that function of `floats::MATH` of a"
    Math2F(to: F, a: f, b: f, function: b) "to = that function of `floats::MATH_2` of a and b"
    CeilI(to: I, a: f) "to = math.ceil(a)"
    FloorI(to: I, a: f) "to = math.floor(a)"
    TruncI(to: I, a: f) "to = int(a)"
    RoundI(to: I, a: f) "to = round(a), halves to even"
    IToF(to: F, a: i) "to = float(a), the nearest one"
    IToFExact(to: F, a: i) "to = float(a); bails beyond 2 ** 53"

    // Control.
    Jump(to: l) "goes to the label"
    JumpIf(a: i, to: l) "goes there if a is not 0"
    JumpIfNot(a: i, to: l) "goes there if a is 0"
    JumpEqI(a: i, b: i, to: l) "goes there if a == b"
    JumpNeI(a: i, b: i, to: l) "goes there if a != b"
    JumpLtI(a: i, b: i, to: l) "goes there if a < b"
    JumpLeI(a: i, b: i, to: l) "goes there if a <= b"
    JumpEqN(a: i, number: n, to: l) "goes there if a == number"
    JumpNeN(a: i, number: n, to: l) "goes there if a != number"
    JumpLtN(a: i, number: n, to: l) "goes there if a < number"
    JumpLeN(a: i, number: n, to: l) "goes there if a <= number"
    JumpGtN(a: i, number: n, to: l) "goes there if a > number"
    JumpGeN(a: i, number: n, to: l) "goes there if a >= number"
    JumpEqF(a: f, b: f, to: l) "goes there if a == b"
    JumpNeF(a: f, b: f, to: l) "goes there if a != b"
    JumpLtF(a: f, b: f, to: l) "goes there if a < b"
    JumpLeF(a: f, b: f, to: l) "goes there if a <= b"
    JumpNotLtF(a: f, b: f, to: l) "goes there unless a < b"
    JumpNotLeF(a: f, b: f, to: l) "goes there unless a <= b"
    Call(function: p, ints: b, floats: b, masks: b)
        "calls: arguments are read from these registers of the caller on, results written there"
    Ret() "returns: the results are the first registers of each class"
    Bail() "bails"

    // The arena: words of 64 bits, given back when the run ends.
    Alloc(to: I, words: i) "to = the address of so many new words, all 0; bails where there are too many"
    LoadI(to: I, address: i, offset: n) "to = the word; bails outside what was allocated"
    LoadF(to: F, address: i, offset: n) "to = the word as a float; bails outside what was allocated"
    StoreI(address: i, offset: n, from: i) "the word = from; bails outside what was allocated, and in the data"
    StoreF(address: i, offset: n, from: f) "the word = from; bails outside what was allocated, and in the data"

    // Lists: a header of length, capacity, address of the elements, words an element. What is no list bails.
    ListNew(to: I, words: b) "to = a new list, its elements of so many words, at least 1"
    ListLen(to: I, list: i) "to = len(list)"
    ListAt(to: I, list: i, index: i) "to = the address of list[index]; bails where there is none"
    ListPush(to: I, list: i) "to = the address of a new last element, all 0"
    ListPop(to: I, list: i) "to = the address of the last element, which is taken off; bails where there is none"
    ListCopy(to: I, list: i) "to = list[:]"
    ListSlice(to: I, list: i, from: i, end: i) "to = list[from:end]"
    ListReverse(list: i) "reverses the list"
    ListClear(list: i) "makes the list empty"
    ListRemove(list: i, index: i) "del list[index]; bails where there is none"
    ListExtend(list: i, more: i) "adds the elements of another list; bails where their elements differ in words"
    ListInsert(to: I, list: i, index: i) "to = the address of a new element before list[index], all 0"
    Find(to: I, list: i, key: i, words: b)
        "to = the first index whose element begins with the words at the address `key`, or -1"
    Lookup(to: I, list: i, key: i, words: b) "the same, where Python finds it by its hash"
    SortI(list: i, keys: i, reverse: b) "sorts by the integers of another list, of one word each; stable"
    SortF(list: i, keys: i, reverse: b) "sorts by the floats of another list, of one word each; bails on NaN"

    // Sets of cells.
    MaskEmpty(to: M) "to = no cells"
    MaskAnd(to: M, a: m, b: m) "to = the cells in both"
    MaskOr(to: M, a: m, b: m) "to = the cells in either"
    MaskWithout(to: M, a: m, b: m) "to = the cells of a that are not in b"
    MaskXor(to: M, a: m, b: m) "to = the cells in just one of both"
    MaskCount(to: I, a: m) "to = how many cells there are"
    MaskHas(to: I, a: m, cell: i) "to = whether the cell is in it; 0 off the board"
    MaskAdd(set: Mm, cell: i) "puts the cell in; bails off the board"
    MaskPop(to: I, set: Mm, none: l) "to = the lowest cell, which is taken out; goes to the label if there is none"
    CellOf(to: I, row: i, column: i) "to = the cell, or -1 off the board"
    RowOf(to: I, cell: i) "to = its row; bails off the board"
    ColOf(to: I, cell: i) "to = its column; bails off the board"

    // Games: handle 0 is the board that is asked about. What is no handle bails.
    Width(to: I) "to = columns of the board"
    Height(to: I) "to = rows of the board"
    MoveCount(to: I, game: i) "to = moves made so far"
    Active(to: I, game: i) "to = the player to move"
    Opponent(to: I, player: i) "to = the other player"
    Location(to: I, game: i, player: i) "to = its cell, or -1 where it is not placed"
    Origin(to: I, game: i, player: i)
        "to = the cell in whose order the board lists the player's moves: its own, or -1 where it is not placed"
    Blank(to: M, game: i) "to = the blank cells"
    Moves(to: M, game: i, player: i) "to = its moves: all blank cells where it is not placed"
    Mobility(to: I, game: i, player: i) "to = how many they are"
    CanMove(to: I, game: i, player: i) "to = whether there are any"
    IsLoser(to: I, game: i, player: i) "to = whether it is to move and has no move"
    IsWinner(to: I, game: i, player: i) "to = whether the other is to move and has no move"
    IsBlank(to: I, game: i, cell: i) "to = whether the cell is blank; 0 off the board"
    MobilityFrom(to: I, game: i, cell: i) "to = how many blank cells are a knight's move away; bails off the board"
    MovesFrom(to: M, game: i, cell: i) "to = these cells; bails off the board"
    Forecast(to: I, game: i, cell: i)
        "to = the game after the player to move has gone there, unchecked; bails off the board"
    CopyGame(to: I, game: i) "to = a copy of the game"
    Apply(game: i, cell: i) "makes that move on the game itself; bails off the board and on handle 0"

    // The order in which the board lists moves from a cell. From -1: increasing.
    PackMoves(to: I, moves: m, origin: i)
        "to = at most 8 cells in that order, 1 more than each in a byte, the first in the lowest; else bails"
    NextPacked(to: I, packed: Ii, none: l) "to = the first of them, which is taken out; goes to the label if there is none"
    OrderedList(to: I, moves: m, origin: i) "to = a list of these cells in that order; bails where a knight has fewer"
}

const _: () = assert!(size_of::<Instruction>() == 8);
