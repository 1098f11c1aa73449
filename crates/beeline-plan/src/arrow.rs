//! The arrows of B: which spaces of relations they make.

use beeline_model::BinaryOp;

/// What an arrow demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// At most one value for each element of the source.
    pub function: bool,
    /// A value for each element of the source.
    pub total: bool,
    /// At most one element of the source for each value.
    pub injective: bool,
    /// Each element of the target is a value.
    pub surjective: bool,
}

/// The demands of an arrow operator, by its number; nothing for other operators.
pub fn arrow(op: usize) -> Option<Arrow> {
    use BinaryOp as B;
    const TABLE: [(BinaryOp, [bool; 4]); 12] = [
        (B::Relations, [false, false, false, false]),
        (B::PartialFunctions, [true, false, false, false]),
        (B::TotalFunctions, [true, true, false, false]),
        (B::PartialInjections, [true, false, true, false]),
        (B::TotalInjections, [true, true, true, false]),
        (B::PartialSurjections, [true, false, false, true]),
        (B::TotalSurjections, [true, true, false, true]),
        (B::PartialBijections, [true, false, true, true]),
        (B::TotalBijections, [true, true, true, true]),
        (B::TotalRelations, [false, true, false, false]),
        (B::SurjectiveRelations, [false, false, false, true]),
        (B::TotalSurjectiveRelations, [false, true, false, true]),
    ];
    TABLE.iter().find(|(o, _)| *o as usize == op).map(
        |(_, [function, total, injective, surjective])| Arrow {
            function: *function,
            total: *total,
            injective: *injective,
            surjective: *surjective,
        },
    )
}
