//! What the frontier of each search order costs by itself.

use beeline::explore::{Order, frontier_cost};

/// What is measured.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many states wait
    #[arg(long, default_value_t = 10_000_000)]
    entries: u32,
    /// One order; memory is measured best if a process has only one
    #[arg(long)]
    order: Option<String>,
}

/// Prints a line an order.
pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let names = ["bf", "df", "mixed", "random", "hash", "distance", "probe"];
    let wanted = |name: &&&str| arguments.order.as_deref().is_none_or(|order| order == **name);
    println!("| order | ns an operation | bytes an entry |\n|---|--:|--:|");
    for name in names.iter().filter(wanted) {
        let order = Order::by_name(name).ok_or("no such order")?;
        let cost = frontier_cost(order, arguments.entries);
        println!("| {name} | {:.0} | {:.1} |", cost.nanoseconds, cost.bytes);
    }
    Ok(true)
}
