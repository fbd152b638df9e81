//! How much a search may spend, and the meter that counts it.

use std::time::{Duration, Instant};

/// Depth, nodes, time, work, or any together: the first to run out ends the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<Duration>,
    work: Option<Work>,
}

/// What may be spent by prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Work {
    all: u64,
    /// The price of a node, without what its heuristic does.
    node: u32,
}

/// A budget that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// Nothing is limited.
    #[error("a budget needs at least one of depth, nodes and ms")]
    Unlimited,
    /// A limit of zero.
    #[error("a budget of {0} = 0 allows nothing: at least 1 is needed")]
    Zero(&'static str),
}

impl Budget {
    /// A budget of any of the three.
    ///
    /// # Errors
    /// Where none is given, or one that allows nothing.
    pub fn new(
        depth: Option<u32>,
        nodes: Option<u64>,
        time: Option<Duration>,
    ) -> Result<Self, BudgetError> {
        match (depth, nodes, time) {
            (None, None, None) => Err(BudgetError::Unlimited),
            (Some(0), _, _) => Err(BudgetError::Zero("depth")),
            (_, Some(0), _) => Err(BudgetError::Zero("nodes")),
            (_, _, Some(Duration::ZERO)) => Err(BudgetError::Zero("ms")),
            _ => Ok(Self { depth, nodes, time, work: None }),
        }
    }

    const WHOLE: Self = Self { depth: None, nodes: None, time: None, work: None };

    /// So much work, where a node costs so much besides what its heuristic [pays](Meter::pay).
    #[must_use]
    pub fn work(all: u64, node: u32) -> Self {
        Self { work: Some(Work { all, node: node.max(1) }), ..Self::WHOLE }
    }

    /// That many plies, at least 1.
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies.max(1)), ..Self::WHOLE }
    }

    /// That many nodes, at least 1.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes.max(1)), ..Self::WHOLE }
    }

    /// The most plies to look ahead.
    #[must_use]
    pub fn depth_limit(&self) -> Option<u32> {
        self.depth
    }

    /// Whether it is a depth and nothing else: then that depth is searched, without deepening.
    #[must_use]
    pub fn is_depth_alone(&self) -> bool {
        self.nodes.is_none() && self.time.is_none() && self.work.is_none()
    }

    /// The same budget, looking at most so deep.
    #[must_use]
    pub fn at_most_depth(mut self, plies: u32) -> Self {
        self.depth = self.depth.map(|depth| depth.min(plies));
        self
    }

    /// The same budget with so much work at the most, as [`Self::work`] has it.
    #[must_use]
    pub fn with_work(self, all: u64, node: u32) -> Self {
        Self { work: Self::work(all, node).work, ..self }
    }

    /// The same budget with at most so many nodes, at least 1.
    #[must_use]
    pub fn at_most_nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(self.nodes.map_or(nodes, |own| own.min(nodes)).max(1));
        self
    }
}

/// Where a search reads the time, and whether somebody wants it to stop.
pub trait Clock {
    /// The time, since whatever moment: searches take differences.
    fn now(&mut self) -> Duration;

    /// Whether the search should end at once, without a result.
    fn interrupted(&mut self) -> bool {
        false
    }
}

/// The real time.
#[derive(Clone, Copy, Debug)]
pub struct StopWatch(Instant);

impl StopWatch {
    /// A watch that shows zero now.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for StopWatch {
    fn now(&mut self) -> Duration {
        self.0.elapsed()
    }
}

/// Why a node was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The nodes are spent.
    Nodes,
    /// The time is up.
    Time,
    /// The heuristic wants no more.
    Heuristic,
    /// Somebody asked for an end.
    Interrupted,
}

/// Counts nodes, and looks at the clock now and then.
#[derive(Debug)]
pub struct Meter<'c, C: ?Sized> {
    nodes: u64,
    /// The count at which to look up: reading the clock at each node would take 2.5 times the time
    /// of the search itself.
    look_up_at: u64,
    node_limit: u64,
    nodes_between_looks: u64,
    deadline: Option<Duration>,
    work: Option<Work>,
    /// What heuristics paid.
    paid: u64,
    clock: &'c mut C,
}

impl<'c, C: Clock + ?Sized> Meter<'c, C> {
    /// A meter for that budget, whose time begins now.
    pub fn new(budget: &Budget, nodes_between_looks: u64, clock: &'c mut C) -> Self {
        // Only asked where it matters: reading the time costs as much as ten nodes.
        let deadline = budget.time.map(|time| clock.now().saturating_add(time));
        let of_work = budget.work.map(|work| work.all / u64::from(work.node));
        let nodes = budget.nodes.into_iter().chain(of_work).min();
        let meter = Self::with_limits(nodes, deadline, nodes_between_looks, clock);
        Self { work: budget.work, ..meter }
    }

    /// A meter that only asks whether to go on.
    pub fn unlimited(nodes_between_looks: u64, clock: &'c mut C) -> Self {
        Self::with_limits(None, None, nodes_between_looks, clock)
    }

    /// A meter for so many nodes, until the clock shows that time.
    pub(crate) fn with_limits(
        nodes: Option<u64>,
        deadline: Option<Duration>,
        nodes_between_looks: u64,
        clock: &'c mut C,
    ) -> Self {
        let node_limit = nodes.unwrap_or(u64::MAX);
        // Without a deadline only an interruption waits for a look, and a short search ends before it:
        // at depth 3 a look is a twentieth of a search.
        let (look_up_at, nodes_between_looks) = match deadline {
            Some(_) => (0, nodes_between_looks),
            None => (node_limit.min(64), nodes_between_looks.max(64)),
        };
        let (work, paid) = (None, 0);
        Self { nodes: 0, look_up_at, node_limit, nodes_between_looks, deadline, work, paid, clock }
    }

    /// What heuristics paid.
    #[must_use]
    pub fn paid(&self) -> u64 {
        self.paid
    }

    /// The work that is left, where it is limited.
    #[must_use]
    #[inline]
    pub fn work_left(&self) -> Option<u64> {
        let Work { all, node } = self.work?;
        Some(all.saturating_sub(self.paid + self.nodes * u64::from(node)))
    }

    /// Pays for what a heuristic did: fewer nodes are left then.
    ///
    /// # Errors
    /// Where it is more than is left: then all is spent.
    #[inline]
    pub fn pay(&mut self, price: u64) -> Result<(), Stop> {
        let left = self.work_left();
        self.paid = self.paid.saturating_add(price);
        let (Some(left), Some(Work { node, .. })) = (left, self.work) else { return Ok(()) };
        let Some(left) = left.checked_sub(price) else {
            self.paid -= price - left;
            (self.node_limit, self.look_up_at) = (self.nodes, self.nodes);
            return Err(Stop::Nodes);
        };
        self.node_limit = self.node_limit.min(self.nodes + left / u64::from(node));
        self.look_up_at = self.look_up_at.min(self.node_limit);
        Ok(())
    }

    /// How many nodes were granted.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Asks for one more node.
    ///
    /// # Errors
    /// Where it is refused: of a budget of N nodes, the N+1st.
    #[inline]
    pub fn spend(&mut self) -> Result<(), Stop> {
        if self.nodes == self.look_up_at {
            self.look_up()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Whether so many nodes are granted before it looks up the next time.
    #[inline]
    pub(crate) fn grants(&self, nodes: u64) -> bool {
        nodes <= self.look_up_at - self.nodes
    }

    /// Counts nodes, no more than it [`grants`](Self::grants).
    #[inline]
    pub(crate) fn count(&mut self, nodes: u64) {
        debug_assert!(self.grants(nodes), "a look is passed over");
        self.nodes += nodes;
    }

    /// Has it look up at the next node, whenever it would have: something took long.
    pub fn look_soon(&mut self) {
        self.look_up_at = self.nodes;
    }

    /// Asks for many nodes at once, which somebody else has used.
    ///
    /// # Errors
    /// Where there are not so many left: then all are spent.
    pub(crate) fn spend_many(&mut self, nodes: u64) -> Result<(), Stop> {
        let is_granted = nodes <= self.node_limit - self.nodes;
        self.nodes = self.node_limit.min(self.nodes.saturating_add(nodes));
        self.look_up_at = self.nodes;
        if is_granted { Ok(()) } else { Err(Stop::Nodes) }
    }

    /// The nodes and the time that are left, where there is a limit.
    pub(crate) fn left(&mut self) -> (Option<u64>, Option<Duration>) {
        let nodes = (self.node_limit < u64::MAX).then(|| self.node_limit - self.nodes);
        (nodes, self.deadline.map(|deadline| deadline.saturating_sub(self.clock.now())))
    }

    /// The clock, to look at it while others work.
    pub(crate) fn clock(&mut self) -> &mut C {
        self.clock
    }

    /// Lends the meter to work that is compiled once for all clocks.
    pub(crate) fn lend<T>(&mut self, work: impl FnOnce(&mut Meter<'_, dyn Clock + '_>) -> T) -> T
    where
        C: Sized,
    {
        let clock: &mut dyn Clock = self.clock;
        let mut lent = Meter {
            nodes: self.nodes,
            look_up_at: self.look_up_at,
            node_limit: self.node_limit,
            nodes_between_looks: self.nodes_between_looks,
            deadline: self.deadline,
            work: self.work,
            paid: self.paid,
            clock,
        };
        let result = work(&mut lent);
        (self.nodes, self.look_up_at) = (lent.nodes, lent.look_up_at);
        result
    }

    #[cold]
    fn look_up(&mut self) -> Result<(), Stop> {
        if self.nodes == self.node_limit {
            return Err(Stop::Nodes);
        }
        if self.clock.interrupted() {
            return Err(Stop::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| self.clock.now() >= deadline) {
            return Err(Stop::Time);
        }
        self.look_up_at = self.node_limit.min(self.nodes.saturating_add(self.nodes_between_looks));
        Ok(())
    }
}
