//! Counts of what kernels read, write and compute, for estimates of their speed on devices that are not at hand.
//!
//! A counting device runs the same kernels with counters. They are added to the kernels after parsing, in the intermediate
//! representation of naga: before every branch, a counter grows by what has been executed since the branch before. So counts
//! are those of the real searches, and the source of the kernels has no trace of them.
//!
//! Words are those of storage arrays and tables. Parameters, and variables of an invocation, are in constant memory or in registers
//! and do not count. Operations are counted as [`operations`] says. The compiler of a device may merge or split them.

use std::collections::HashMap;

use wgpu::naga::front::wgsl::parse_str;
use wgpu::naga::valid::{Capabilities, FunctionInfo, ValidationFlags, Validator};
use wgpu::naga::{
    AddressSpace, Arena, BinaryOperator, Block, Expression, Function, GlobalVariable, Handle,
    Literal, MathFunction, Module, Range, Span, Statement, TypeInner,
};

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels::{Family, Kernel, Tables, source};

/// The counters that are added to the kernels.
const COUNTERS: &str = include_str!("kernels/counts.wgsl");

/// The number of invocations whose counts are kept apart, as in `kernels/counts.wgsl`.
const INVOCATIONS: usize = 1 << 14;

/// The number of counters of an invocation, as in `kernels/counts.wgsl`.
const COUNTERS_PER_INVOCATION: usize = 4;

/// The words of the array of counters.
pub(crate) const COUNT_WORDS: usize = Kernel::ALL.len() * INVOCATIONS * COUNTERS_PER_INVOCATION;

/// The number of invocations that a device is taken to run in lockstep.
const LANES: usize = 32;

/// What a kernel did, for all its invocations together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelCounts {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// The number of words that were read from the arrays that all agents share: the graph, the index and its tables.
    pub index_words: u64,
    /// The number of words that were read from the arrays of agents: queries, results, labels, open lists and paths.
    pub own_words: u64,
    /// The number of words that were written.
    pub written_words: u64,
    /// The number of operations.
    pub operations: u64,
    /// The number of operations if 32 consecutive invocations take as long as the longest of them.
    pub lockstep_operations: u64,
}

impl Gpu {
    /// Opens the device that [`new`](Self::new) opens, with kernels that count. They find the same answers, more slowly.
    ///
    /// # Errors
    /// Fails if there is no adapter, or if it cannot be used.
    pub fn counting() -> Result<Self, GpuError> {
        Self::open(Tables::default(), true)
    }

    /// Returns the counts of all kernels that have run since the last call. A device that does not count returns none.
    ///
    /// # Errors
    /// Fails if the device fails.
    pub fn take_counts(&self) -> Result<Vec<KernelCounts>, GpuError> {
        let Some(counts) = self.counts() else {
            return Ok(Vec::new());
        };
        let words = self.read(counts, COUNT_WORDS)?;
        self.clear(counts);
        let of_kernels = words.chunks_exact(INVOCATIONS * COUNTERS_PER_INVOCATION);
        let counts = Kernel::ALL.iter().zip(of_kernels).map(summed);
        Ok(counts.filter(|counts| counts.operations > 0).collect())
    }
}

fn summed((kernel, words): (&Kernel, &[u32])) -> KernelCounts {
    let of_invocation = || words.chunks_exact(COUNTERS_PER_INVOCATION);
    let sum = |counter: usize| of_invocation().map(|of| u64::from(of[counter])).sum();
    let operations: Vec<u64> = of_invocation().map(|of| u64::from(of[3])).collect();
    let longest = operations.chunks(LANES).filter_map(|of| of.iter().max());
    KernelCounts {
        kernel: kernel.entry_point(),
        index_words: sum(0),
        own_words: sum(1),
        written_words: sum(2),
        operations: sum(3),
        lockstep_operations: LANES as u64 * longest.sum::<u64>(),
    }
}

/// What is executed between two branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Work {
    index_words: u32,
    own_words: u32,
    written_words: u32,
    operations: u32,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.index_words += other.index_words;
        self.own_words += other.own_words;
        self.written_words += other.written_words;
        self.operations += other.operations;
    }
}

/// Returns the kernels of a family, with counters.
pub(crate) fn counting_module(family: Family, tables: Tables) -> Module {
    let text = format!("{}\n{COUNTERS}", source(family, tables));
    let mut module = parse_str(&text).expect("the kernels are valid, which a test checks");
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let types = validator.validate(&module).expect("the kernels are valid");
    let counters = Counters::new(&module);
    let of_functions: Vec<WorkOf> = module
        .functions
        .iter()
        .map(|(handle, function)| work_of(&module, function, &types[handle]))
        .collect();
    let of_entries: Vec<WorkOf> = (0..)
        .zip(&module.entry_points)
        .map(|(i, entry)| work_of(&module, &entry.function, types.get_entry_point(i)))
        .collect();
    for ((handle, function), work) in module.functions.iter_mut().zip(of_functions) {
        if handle != counters.add_counts {
            let is_invocation = function.name.as_deref() == Some("invocation");
            let at_return = match is_invocation {
                true => AtReturn::StoreInvocation,
                false => AtReturn::Nothing,
            };
            count(function, work, &counters, at_return);
        }
    }
    for (entry, work) in module.entry_points.iter_mut().zip(of_entries) {
        let kernel = Kernel::ALL
            .iter()
            .position(|kernel| kernel.entry_point() == entry.name);
        let kernel = kernel.expect("every entry point is a kernel") as u32;
        count(
            &mut entry.function,
            work,
            &counters,
            AtReturn::AddCounts(kernel),
        );
    }
    module
}

/// The variables and the function of `kernels/counts.wgsl`.
struct Counters {
    invocation: Handle<GlobalVariable>,
    index_words: Handle<GlobalVariable>,
    own_words: Handle<GlobalVariable>,
    written_words: Handle<GlobalVariable>,
    operations: Handle<GlobalVariable>,
    add_counts: Handle<Function>,
}

impl Counters {
    fn new(module: &Module) -> Self {
        let variable = |name: &str| {
            let found = module
                .global_variables
                .fetch_if(|variable| variable.name.as_deref() == Some(name));
            found.expect("a variable of counts.wgsl")
        };
        let add_counts = module
            .functions
            .fetch_if(|function| function.name.as_deref() == Some("add_counts"));
        Self {
            invocation: variable("counted_invocation"),
            index_words: variable("index_words"),
            own_words: variable("own_words"),
            written_words: variable("written_words"),
            operations: variable("operations"),
            add_counts: add_counts.expect("the function of counts.wgsl"),
        }
    }
}

/// The work of the expressions of a function, and of the stores to their pointers.
struct WorkOf {
    expressions: HashMap<Handle<Expression>, Work>,
    /// The expressions that point into storage.
    storage: HashMap<Handle<Expression>, bool>,
}

fn work_of(module: &Module, function: &Function, types: &FunctionInfo) -> WorkOf {
    let mut work = WorkOf {
        expressions: HashMap::new(),
        storage: HashMap::new(),
    };
    for (handle, expression) in function.expressions.iter() {
        let components = |handle: Handle<Expression>| components(types, module, handle);
        let is_storage = match space(module, function, handle) {
            Some(AddressSpace::Storage { .. }) => true,
            Some(_) | None => false,
        };
        work.storage.insert(handle, is_storage);
        let mut own = Work {
            operations: operations(expression, components(handle), components),
            ..Work::default()
        };
        let words = match *expression {
            Expression::Load { pointer } => match space(module, function, pointer) {
                Some(AddressSpace::Storage { access }) => {
                    own.operations = 1;
                    let is_shared = !access.contains(wgpu::naga::StorageAccess::STORE);
                    Some((is_shared, components(handle)))
                }
                Some(AddressSpace::Uniform) => {
                    own.operations = 1;
                    None
                }
                _ => None,
            },
            Expression::ImageLoad { .. } => Some((true, 1)),
            _ => None,
        };
        match words {
            Some((true, words)) => own.index_words = words,
            Some((false, words)) => own.own_words = words,
            None => {}
        }
        work.expressions.insert(handle, own);
    }
    work
}

/// Returns the address space of the variable that a pointer leads into.
fn space(
    module: &Module,
    function: &Function,
    mut pointer: Handle<Expression>,
) -> Option<AddressSpace> {
    loop {
        match function.expressions[pointer] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                pointer = base;
            }
            Expression::GlobalVariable(variable) => {
                return Some(module.global_variables[variable].space);
            }
            _ => return None,
        }
    }
}

/// Returns the number of components of a vector, and 1 of everything else.
fn components(types: &FunctionInfo, module: &Module, handle: Handle<Expression>) -> u32 {
    match types[handle].ty.inner_with(&module.types) {
        TypeInner::Vector { size, .. } => u32::from(*size as u8),
        _ => 1,
    }
}

/// Returns the number of operations of an expression without memory: one per component for arithmetic, comparisons,
/// selections and conversions, and one for the address of an indexed element. A distance is a subtraction and a
/// multiplication with addition per component, and a square root. Bit casts and swizzles are free.
fn operations(
    expression: &Expression,
    width: u32,
    components: impl Fn(Handle<Expression>) -> u32,
) -> u32 {
    match *expression {
        Expression::Binary { left, .. } => width.max(components(left)),
        Expression::Unary { .. } | Expression::Select { .. } => width,
        Expression::Relational { argument, .. } => components(argument),
        Expression::As {
            convert: Some(_), ..
        } => width,
        Expression::Access { .. } | Expression::ImageLoad { .. } => 1,
        Expression::Math { fun, arg, .. } => match fun {
            MathFunction::Distance => 2 * components(arg) + 1,
            MathFunction::Length => components(arg) + 1,
            MathFunction::Dot => components(arg),
            _ => width,
        },
        _ => 0,
    }
}

/// What a function does before it returns.
#[derive(Clone, Copy)]
enum AtReturn {
    Nothing,
    /// Keeps the number of the invocation, which it returns.
    StoreInvocation,
    /// Adds the counters of an invocation of a kernel to the array.
    AddCounts(u32),
}

/// Adds counters to a function.
fn count(function: &mut Function, work: WorkOf, counters: &Counters, at_return: AtReturn) {
    let body = std::mem::take(&mut function.body);
    let mut counting = CountingFunction {
        expressions: &mut function.expressions,
        work,
        counters,
        at_return,
    };
    function.body = counting.block(body, Work::default());
}

struct CountingFunction<'a> {
    expressions: &'a mut Arena<Expression>,
    work: WorkOf,
    counters: &'a Counters,
    at_return: AtReturn,
}

impl CountingFunction<'_> {
    /// Adds counters to a block that has done some work when it begins.
    fn block(&mut self, block: Block, before: Work) -> Block {
        let (mut out, mut work) = (Block::new(), before);
        for (statement, span) in block.span_into_iter() {
            let statement = match statement {
                Statement::Emit(range) => {
                    for handle in range.clone() {
                        work += self.work.expressions[&handle];
                    }
                    Statement::Emit(range)
                }
                Statement::Store { pointer, value } => {
                    if self.work.storage[&pointer] {
                        work.written_words += 1;
                        work.operations += 1;
                    }
                    Statement::Store { pointer, value }
                }
                Statement::If {
                    condition,
                    accept,
                    reject,
                } => {
                    work.operations += 1;
                    self.add(&mut out, &mut work);
                    Statement::If {
                        condition,
                        accept: self.block(accept, Work::default()),
                        reject: self.block(reject, Work::default()),
                    }
                }
                Statement::Loop {
                    body,
                    continuing,
                    break_if,
                } => {
                    self.add(&mut out, &mut work);
                    // The jump back.
                    let jump = Work {
                        operations: 1,
                        ..Work::default()
                    };
                    Statement::Loop {
                        body: self.block(body, jump),
                        continuing: self.block(continuing, Work::default()),
                        break_if,
                    }
                }
                Statement::Block(block) => {
                    self.add(&mut out, &mut work);
                    Statement::Block(self.block(block, Work::default()))
                }
                Statement::Switch { selector, cases } => {
                    work.operations += 1;
                    self.add(&mut out, &mut work);
                    let cases = cases.into_iter().map(|mut case| {
                        case.body = self.block(std::mem::take(&mut case.body), Work::default());
                        case
                    });
                    Statement::Switch {
                        selector,
                        cases: cases.collect(),
                    }
                }
                Statement::Return { value } => {
                    self.add(&mut out, &mut work);
                    self.before_return(&mut out, value);
                    Statement::Return { value }
                }
                Statement::Break | Statement::Continue => {
                    self.add(&mut out, &mut work);
                    statement
                }
                other => other,
            };
            out.push(statement, span);
        }
        self.add(&mut out, &mut work);
        out
    }

    fn before_return(&mut self, out: &mut Block, value: Option<Handle<Expression>>) {
        match (self.at_return, value) {
            (AtReturn::StoreInvocation, Some(value)) => {
                let pointer = self.expression(Expression::GlobalVariable(self.counters.invocation));
                out.push(Statement::Store { pointer, value }, Span::UNDEFINED);
            }
            (AtReturn::AddCounts(kernel), _) => {
                let kernel = self.expression(Expression::Literal(Literal::U32(kernel)));
                let call = Statement::Call {
                    function: self.counters.add_counts,
                    arguments: vec![kernel],
                    result: None,
                };
                out.push(call, Span::UNDEFINED);
            }
            _ => {}
        }
    }

    fn expression(&mut self, expression: Expression) -> Handle<Expression> {
        self.expressions.append(expression, Span::UNDEFINED)
    }

    /// Writes statements that add work to the counters, and forgets the work. A block that has ended gets no statement.
    fn add(&mut self, out: &mut Block, work: &mut Work) {
        let work = std::mem::take(work);
        for (counter, amount) in [
            (self.counters.index_words, work.index_words),
            (self.counters.own_words, work.own_words),
            (self.counters.written_words, work.written_words),
            (self.counters.operations, work.operations),
        ] {
            if amount == 0 {
                continue;
            }
            let pointer = self.expression(Expression::GlobalVariable(counter));
            let right = self.expression(Expression::Literal(Literal::U32(amount)));
            let left = self.expression(Expression::Load { pointer });
            let value = self.expression(Expression::Binary {
                op: BinaryOperator::Add,
                left,
                right,
            });
            let emit = Statement::Emit(Range::new_from_bounds(left, value));
            out.push(emit, Span::UNDEFINED);
            out.push(Statement::Store { pointer, value }, Span::UNDEFINED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_with_counters_are_valid() {
        for family in [
            Family::AStar,
            Family::Hierarchy,
            Family::Contraction,
            Family::Labels,
        ] {
            for tables in [Tables::Buffer, Tables::Texture] {
                let module = counting_module(family, tables);
                let flags = ValidationFlags::all();
                let valid = Validator::new(flags, Capabilities::empty()).validate(&module);
                assert!(valid.is_ok(), "{family:?} {tables:?}: {valid:?}");
            }
        }
    }

    #[test]
    fn lanes_wait_for_the_longest() {
        let mut words = vec![0; INVOCATIONS * COUNTERS_PER_INVOCATION];
        // Two invocations of the first 32, and one of the next.
        for (invocation, operations) in [(0, 10), (31, 30), (32, 5)] {
            let at = COUNTERS_PER_INVOCATION * invocation;
            words[at..at + 4].copy_from_slice(&[1, 2, 3, operations]);
        }
        let counts = summed((&Kernel::Connect, &words));
        assert_eq!(counts.kernel, "connect");
        assert_eq!(
            (counts.index_words, counts.own_words, counts.written_words),
            (3, 6, 9)
        );
        assert_eq!(counts.operations, 45);
        assert_eq!(counts.lockstep_operations, 32 * (30 + 5));
    }
}
