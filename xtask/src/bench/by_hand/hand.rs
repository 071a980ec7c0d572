//! Hand-written walks of single models, with the same draws as the kernel.

/// The random numbers of a walk.
pub struct Draws {
    state: u64,
    increment: u64,
}

fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Draws {
    pub fn of(seed: u64, index: u64) -> Draws {
        let state = mix(seed ^ mix(index));
        let increment = mix(state ^ index) << 1 | 1;
        let mut draws = Draws { state: state.wrapping_add(increment), increment };
        draws.step();
        draws
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(self.increment);
    }

    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        if n <= 1 {
            return 0;
        }
        let state = self.state;
        self.step();
        let random = ((((state >> 18) ^ state) >> 27) as u32).rotate_right((state >> 59) as u32);
        ((u64::from(random) * u64::from(n)) >> 32) as u32
    }
}

/// A model in which every process has one branch at each location.
pub trait Hand {
    /// Number of processes.
    fn processes(&self) -> u32;

    /// Resets to the initial state.
    fn reset(&mut self);

    /// Moves a process, if it can move.
    fn step(&mut self, process: u32) -> bool;

    /// The process with exclusive control.
    fn holder(&self) -> Option<u32> {
        None
    }
}

/// Steps and tries of a walk.
pub fn walk<H: Hand>(hand: &mut H, (seed, index): (u64, u64), depth: u64, pool: &mut Vec<u32>) -> (u64, u64) {
    hand.reset();
    let mut draws = Draws::of(seed, index);
    let (mut steps, mut tries) = (0, 0);
    let count = hand.processes();
    pool.clear();
    pool.extend(0..count);
    let mut touched: Vec<u32> = Vec::new();
    while steps < depth {
        if let Some(holder) = hand.holder() {
            tries += 1;
            assert!(hand.step(holder), "a holder can move");
            steps += 1;
            continue;
        }
        let mut moved = false;
        // Without a move the walk tries once more, for a timeout, and stops.
        for _ in 0..2 {
            let mut left = count;
            while left > 0 && !moved {
                let at = draws.below(left);
                let process = pool[at as usize];
                tries += 1;
                if hand.step(process) {
                    moved = true;
                } else {
                    left -= 1;
                    pool[at as usize] = pool[left as usize];
                    touched.push(at);
                }
            }
            while let Some(at) = touched.pop() {
                pool[at as usize] = at;
            }
            if moved {
                break;
            }
        }
        if !moved {
            break;
        }
        steps += 1;
    }
    (steps, tries)
}

/// Philosophers who all reach for the left fork first. That all wait is no violation, so that walks go on behind it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Philosophers {
    taken: Vec<bool>,
    at: Vec<u8>,
    holder: Option<u32>,
}

impl Philosophers {
    pub const MODEL: &'static str = "
        bool taken[N];
        active [N] proctype Philosopher() {
            do
            :: atomic { !taken[_pid] -> taken[_pid] = true };
            end_waits:
               atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true };
               taken[_pid] = false;
               taken[(_pid + 1) % N] = false
            od
        }";

    pub fn new(n: usize) -> Self {
        Philosophers { taken: vec![false; n], at: vec![0; n], holder: None }
    }
}

impl Hand for Philosophers {
    fn processes(&self) -> u32 {
        self.at.len() as u32
    }

    fn reset(&mut self) {
        self.taken.fill(false);
        self.at.fill(0);
        self.holder = None;
    }

    fn holder(&self) -> Option<u32> {
        self.holder
    }

    fn step(&mut self, process: u32) -> bool {
        let p = process as usize;
        let n = self.at.len();
        let right = if p + 1 == n { 0 } else { p + 1 };
        match self.at[p] {
            0 if !self.taken[p] => self.holder = Some(process),
            2 if !self.taken[right] => self.holder = Some(process),
            1 => {
                self.taken[p] = true;
                self.holder = None;
            }
            3 => {
                self.taken[right] = true;
                self.holder = None;
            }
            4 => self.taken[p] = false,
            5 => self.taken[right] = false,
            _ => return false,
        }
        self.at[p] = if self.at[p] == 5 { 0 } else { self.at[p] + 1 };
        true
    }
}

/// Peterson's mutual exclusion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Peterson {
    wants: [bool; 2],
    turn: u8,
    at: [u8; 2],
}

impl Peterson {
    pub const MODEL: &'static str = "
        bool wants[2]; bit turn;
        active [2] proctype User() {
            pid other = 1 - _pid;
            do
            :: wants[_pid] = true;
               turn = other;
               (!wants[other] || turn == _pid);
               wants[_pid] = false
            od
        }";

    pub fn new() -> Self {
        Peterson { wants: [false; 2], turn: 0, at: [0; 2] }
    }
}

impl Hand for Peterson {
    fn processes(&self) -> u32 {
        2
    }

    fn reset(&mut self) {
        *self = Peterson::new();
    }

    fn step(&mut self, process: u32) -> bool {
        let me = process as usize & 1;
        match self.at[me] {
            0 => self.wants[me] = true,
            1 => self.turn = 1 - me as u8,
            2 if self.wants[1 - me] && self.turn != me as u8 => return false,
            2 => {}
            _ => self.wants[me] = false,
        }
        self.at[me] = (self.at[me] + 1) & 3;
        true
    }
}

/// Stations in a ring of channels, each with a message of its own. That all wait is no violation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ring {
    queues: Vec<([u8; 2], u8)>,
    held: Vec<u8>,
    at: Vec<u8>,
}

impl Ring {
    pub const MODEL: &'static str = "
        chan q[N] = [2] of { byte };
        active [N] proctype Station() {
            byte x;
        end_starts:
            q[_pid]!_pid;
        end_receives:
            do
            :: q[_pid]?x;
            end_sends:
               q[(_pid + 1) % N]!x
            od
        }";

    pub fn new(n: usize) -> Self {
        Ring { queues: vec![([0; 2], 0); n], held: vec![0; n], at: vec![0; n] }
    }

    fn send(&mut self, queue: usize, value: u8) -> bool {
        let (slots, len) = &mut self.queues[queue];
        if *len as usize == slots.len() {
            return false;
        }
        slots[*len as usize] = value;
        *len += 1;
        true
    }
}

impl Hand for Ring {
    fn processes(&self) -> u32 {
        self.at.len() as u32
    }

    fn reset(&mut self) {
        let n = self.at.len();
        *self = Ring::new(n);
    }

    fn step(&mut self, process: u32) -> bool {
        let p = process as usize;
        match self.at[p] {
            0 => {
                if !self.send(p, process as u8) {
                    return false;
                }
                self.at[p] = 1;
            }
            1 => {
                let (slots, len) = &mut self.queues[p];
                if *len == 0 {
                    return false;
                }
                self.held[p] = slots[0];
                *slots = [slots[1], 0];
                *len -= 1;
                self.at[p] = 2;
            }
            _ => {
                let next = if p + 1 == self.at.len() { 0 } else { p + 1 };
                if !self.send(next, self.held[p]) {
                    return false;
                }
                self.at[p] = 1;
            }
        }
        true
    }
}
