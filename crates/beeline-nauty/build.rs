//! Compiles nauty's C sources, and our small function in front of them.

fn main() {
    let files = ["nauty.c", "nautil.c", "naugraph.c", "schreier.c", "naurng.c"];
    println!("cargo:rerun-if-changed=nauty");
    println!("cargo:rerun-if-changed=src/door.c");
    cc::Build::new()
        .include("nauty")
        .files(files.map(|f| format!("nauty/{f}")))
        .file("src/door.c")
        .define("WORDSIZE", "64")
        .define("MAXN", "0")
        // Scratch space belongs to the thread.
        .define("USE_TLS", None)
        .opt_level(2)
        .warnings(false)
        .compile("beeline_nauty");
}
