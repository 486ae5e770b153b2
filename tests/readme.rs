//! Every command in README.md prints what README.md says.

#[test]
fn the_readme_s_examples_are_true() {
    trycmd::TestCases::new().case("README.md");
}
