//! The `agros` command.
fn main() {}
