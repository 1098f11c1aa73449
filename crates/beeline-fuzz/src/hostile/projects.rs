//! Several files that refer to each other, definitions that multiply, Event-B in all its forms.

use super::{Template, list, one};
use std::io::{Cursor, Write};

type Files = Vec<(String, Vec<u8>)>;

macro_rules! templates {
    ($($name:literal $sizes:expr, $make:expr;)*) => {
        &[$(Template { name: $name, sizes: &$sizes, make: $make },)*]
    };
}

fn file(name: impl Into<String>, text: impl Into<Vec<u8>>) -> (String, Vec<u8>) {
    (name.into(), text.into())
}

/// Machines in a row, each with a clause that names the next; the last has an operation.
fn row(n: usize, clause: impl Fn(usize) -> String) -> Files {
    let last = format!(
        "MACHINE M{n} VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0 OPERATIONS o{n} = v := 1 END"
    );
    let text = |i: usize| format!("MACHINE M{i} {} END", clause(i + 1));
    let mut files: Files = (0..n).map(|i| file(format!("M{i}.mch"), text(i))).collect();
    files.push(file(format!("M{n}.mch"), last));
    files
}

/// A refinement chain, the most concrete first.
fn refinements(n: usize) -> Files {
    let start =
        "MACHINE M0 VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0 OPERATIONS o = v := 1 END";
    let refined = |i: usize| {
        format!(
            "REFINEMENT M{i} REFINES M{} VARIABLES v INITIALISATION v := 0 OPERATIONS o = v := 1 END",
            i - 1
        )
    };
    let mut files: Files = (1..=n).rev().map(|i| file(format!("M{i}.ref"), refined(i))).collect();
    files.push(file("M0.mch", start));
    files
}

const COMPOSED: &[Template] = templates! {
    "includes-twice" [3, 12, 18, 30, 300], |n| row(n, |i| format!("INCLUDES a.M{i}, b.M{i}"));
    "includes-thrice" [3, 9, 100], |n| row(n, |i| format!("INCLUDES a.M{i}, b.M{i}, c.M{i}"));
    "extends-twice" [3, 30], |n| row(n, |i| format!("EXTENDS a.M{i}, b.M{i}"));
    "includes-chain" [3, 100, 2_000], |n| row(n, |i| format!("INCLUDES M{i}"));
    "includes-promotes" [3, 60], |n| row(n, |i| format!("INCLUDES M{i} PROMOTES o{n}"));
    "sees-chain" [3, 100, 2_000], |n| row(n, |i| format!("SEES M{i}"));
    "uses-twice" [3, 30], |n| row(n, |i| format!("USES a.M{i}, b.M{i}"));
    "includes-itself" [1], |_| vec![file("M.mch", "MACHINE M INCLUDES M END")];
    "includes-renamed-self" [1], |_| vec![file("M.mch", "MACHINE M INCLUDES a.M, b.M END")];
    "includes-circle" [3, 50], |n| (0..n).map(|i| file(format!("M{i}.mch"), format!("MACHINE M{i} INCLUDES a.M{0}, b.M{0} END", (i + 1) % n))).collect();
    "sees-circle" [3, 50], |n| (0..n).map(|i| file(format!("M{i}.mch"), format!("MACHINE M{i} SEES M{} END", (i + 1) % n))).collect();
    "includes-many" [3, 300, 3_000], |n| vec![
        file("M.mch", format!("MACHINE M INCLUDES {} END", list(n, ", ", |i| format!("p{i}.N")))),
        file("N.mch", "MACHINE N VARIABLES v INVARIANT v : 0..1 INITIALISATION v :: 0..1 OPERATIONS o = v := 1 END"),
    ];
    "includes-missing" [3, 300], |n| vec![file("M.mch", format!("MACHINE M INCLUDES {} END", list(n, ", ", |i| format!("N{i}"))))];
    "refinement-chain" [3, 40, 400], refinements;
    "refines-itself" [1], |_| vec![file("M.ref", "REFINEMENT M REFINES M END")];
    "implementation-imports" [3, 300], |n| vec![
        file("I.imp", format!("IMPLEMENTATION I REFINES A IMPORTS {} END", list(n, ", ", |i| format!("p{i}.N")))),
        file("A.mch", "MACHINE A END"),
        file("N.mch", "MACHINE N VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0 OPERATIONS o = v := 1 END"),
    ];
    "calls" [3, 60, 600], |n| {
        let step = |i: usize| format!("MACHINE M{i} INCLUDES M{0} OPERATIONS o{i} = BEGIN o{0} END END", i + 1);
        let mut files: Files = (0..n).map(|i| file(format!("M{i}.mch"), step(i))).collect();
        files.push(file(format!("M{n}.mch"), format!("MACHINE M{n} VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0 OPERATIONS o{n} = v := 1 END")));
        files
    };
    "calls-doubled" [3, 16, 40], |n| {
        let step = |i: usize| format!("MACHINE M{i} INCLUDES M{0} OPERATIONS o{i} = BEGIN IF 1 = 1 THEN o{0} ELSE o{0} END END END", i + 1);
        let mut files: Files = (0..n).map(|i| file(format!("M{i}.mch"), step(i))).collect();
        files.push(file(format!("M{n}.mch"), format!("MACHINE M{n} VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0 OPERATIONS o{n} = v := 1 END")));
        files
    };
};

fn defined(definitions: String, used: &str) -> Files {
    one(format!(
        "MACHINE M DEFINITIONS {definitions} VARIABLES v INVARIANT v : INTEGER & {used} INITIALISATION v := 0 END"
    ))
}

const DEFINED: &[Template] = templates! {
    "definitions-double" [3, 20, 60, 1_000], |n| defined(format!("d0 == v; {}", list(n, "; ", |i| format!("d{i} == d{0} + d{0}", i - 1))), &format!("d{n} = 0"));
    "definitions-double-arguments" [3, 20, 60], |n| defined(format!("d0(x) == x; {}", list(n, "; ", |i| format!("d{i}(x) == d{0}(x + x)", i - 1))), &format!("d{n}(v) = 0"));
    "definitions-nested-arguments" [3, 30, 300], |n| defined("d(x) == x + x".into(), &format!("{}v{} = 0", "d(".repeat(n), ")".repeat(n)));
    "definitions-circle" [1, 30], |n| defined(list(n, "; ", |i| format!("d{i} == d{} + 1", i % n + 1)), "d1 = 0");
    "definitions-predicates" [3, 20, 40], |n| defined(format!("d0 == v = 0; {}", list(n, "; ", |i| format!("d{i} == d{0} & d{0}", i - 1))), &format!("d{n}"));
    "definitions-quantified" [3, 20, 40], |n| defined(format!("d0(x) == x = 0; {}", list(n, "; ", |i| format!("d{i}(x) == !y.(y : 0..1 => d{0}(x + y) or d{0}(y))", i - 1))), &format!("d{n}(v) or v = 0"));
    "definition-files" [3, 100], |n| {
        let mut files = vec![file("M.mch", "MACHINE M DEFINITIONS \"D0.def\" END")];
        files.extend((0..n).map(|i| file(format!("D{i}.def"), format!("DEFINITIONS \"D{}.def\"", (i + 1) % n))));
        files
    };
    "definition-files-double" [3, 30], |n| {
        let mut files = vec![file("M.mch", "MACHINE M DEFINITIONS \"D0.def\" END")];
        files.extend((0..n).map(|i| file(format!("D{i}.def"), format!("DEFINITIONS \"D{0}.def\"; \"E{0}.def\"; a{i} == 1", i + 1))));
        files.extend((0..n).map(|i| file(format!("E{i}.def"), format!("DEFINITIONS \"D{0}.def\"; \"E{0}.def\"; b{i} == 1", i + 1))));
        files.extend([file(format!("D{n}.def"), "DEFINITIONS a == 1"), file(format!("E{n}.def"), "DEFINITIONS b == 1")]);
        files
    };
};

fn event_b(text: String) -> Files {
    vec![file("M.eventb", text)]
}

fn guarded(guard: &str) -> Files {
    event_b(format!(
        "machine M\nvariables v\ninvariants\n  @i v ∈ ℤ\nevents\n  event INITIALISATION\n    then\n      @a v ≔ 0\n  end\n  \
         event step\n    where\n      @g {guard}\n    then\n      @a v ≔ v + 1\n  end\nend\n"
    ))
}

fn bum(inside: &str) -> Files {
    vec![file(
        "M.bum",
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<org.eventb.core.machineFile org.eventb.core.configuration=\"org.eventb.core.fwd\" version=\"5\">{inside}</org.eventb.core.machineFile>"
        ),
    )]
}

fn doctype(n: usize) -> Files {
    let entities =
        list(n, "", |i| format!("<!ENTITY e{i} \"{}\">", format!("&e{};", i - 1).repeat(10)));
    vec![file(
        "M.bum",
        format!(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE m [<!ENTITY e0 \"ha\">{entities}]>\n<org.eventb.core.machineFile version=\"5\">&e{n};</org.eventb.core.machineFile>"
        ),
    )]
}

/// An archive with these entries, packed.
fn archive(entries: impl IntoIterator<Item = (String, Vec<u8>)>) -> Files {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in entries {
        // Memory takes everything.
        let _ = writer.start_file(name, options).map(|()| writer.write_all(&bytes));
    }
    let bytes = writer.finish().map(Cursor::into_inner).unwrap_or_default();
    vec![file("M.zip", bytes)]
}

fn machine(n: usize) -> Vec<u8> {
    let refines = match n {
        0 => String::new(),
        n => format!(
            "<org.eventb.core.refinesMachine name=\"r\" org.eventb.core.target=\"M{}\"/>",
            n - 1
        ),
    };
    bum(&refines).remove(0).1
}

const EVENT_B: &[Template] = templates! {
    "eventb-deep" [20, 3_000, 100_000], |n| guarded(&format!("{}v{} = 0", "(".repeat(n), ")".repeat(n)));
    "eventb-not" [20, 3_000, 100_000], |n| guarded(&format!("{}v = 0{}", "¬(".repeat(n), ")".repeat(n)));
    "eventb-quantifiers" [20, 400, 3_000], |n| guarded(&format!("{}v = 0{}", "(∀q·q ∈ 0‥1 ⇒ ".repeat(n), ")".repeat(n)));
    "eventb-and" [20, 900, 20_000], |n| guarded(&list(n, " ∧ ", |i| format!("v ≠ −{i}")));
    "eventb-sum" [20, 900, 20_000], |n| guarded(&format!("v < {}", list(n, " + ", |_| "v".into())));
    "eventb-union" [20, 900, 20_000], |n| guarded(&format!("v ∉ {}", list(n, " ∪ ", |i| format!("{{−{i}}}"))));
    "eventb-guards" [20, 1_000, 20_000], |n| guarded(&list(n, "\n      ", |i| format!("@h{i} v ≠ −{i}")));
    "eventb-parameters" [20, 1_000, 5_000], |n| event_b(format!(
        "machine M\nvariables v\ninvariants\n  @i v ∈ ℤ\nevents\n  event INITIALISATION\n    then\n      @a v ≔ 0\n  end\n  event step\n    any {}\n    where\n      {}\n    then\n      @a v ≔ v + 1\n  end\nend\n",
        list(n, " ", |i| format!("p{i}")), list(n, "\n      ", |i| format!("@h{i} p{i} ∈ 0‥{i}"))));
    "eventb-events" [20, 1_000, 10_000], |n| event_b(format!(
        "machine M\nvariables v\ninvariants\n  @i v ∈ ℤ\nevents\n  event INITIALISATION\n    then\n      @a v ≔ 0\n  end\n{}end\n",
        list(n, "", |i| format!("  event e{i}\n    then\n      @a v ≔ v + {i}\n  end\n"))));
    "eventb-variables" [20, 1_000, 10_000], |n| event_b(format!(
        "machine M\nvariables {}\ninvariants\n{}\nevents\n  event INITIALISATION\n    then\n{}\n  end\nend\n",
        list(n, " ", |i| format!("v{i}")), list(n, "\n", |i| format!("  @i{i} v{i} ∈ ℤ")), list(n, "\n", |i| format!("      @a{i} v{i} ≔ 0"))));
    "eventb-constants" [20, 1_000, 10_000], |n| event_b(format!(
        "context C\nconstants {}\naxioms\n{}\nend\nmachine M sees C\nend\n",
        list(n, " ", |i| format!("c{i}")), list(n, "\n", |i| format!("  @x{i} c{i} ∈ 0‥1"))));
    "eventb-chain" [5, 60, 400], |n| event_b(list(n, "\n", |i| format!(
        "machine M{i} {}\nvariables v\ninvariants\n  @i v ∈ ℤ\nevents\n  event INITIALISATION\n    then\n      @a v ≔ 0\n  end\n  event step {}\n    then\n      @a v ≔ v + 1\n  end\nend\n",
        if i > 1 { format!("refines M{}", i - 1) } else { String::new() }, if i > 1 { "refines step" } else { "" })));
    "eventb-refines-itself" [1], |_| event_b("machine M refines M\nend\n".into());
    "eventb-extends-circle" [2, 40], |n| event_b(list(n, "\n", |i| format!("context C{i} extends C{}\nend\n", i % n + 1)));
    "eventb-large" [20, 1_000_000], |n| guarded(&format!("v ∈ {{x ∣ x ∈ 0‥{n} ∧ x mod 2 = 0}} ∪ ℕ"));
    "eventb-endless" [1], |_| guarded("∃x·x ∈ ℕ ∧ x ∗ x = 2");
    "bum-doctype" [1, 9, 1_000], doctype;
    "bum-deep" [20, 1_000, 100_000], |n| bum(&format!("{}{}", "<a>".repeat(n), "</a>".repeat(n)));
    "bum-open" [20, 100_000], |n| bum(&"<a>".repeat(n));
    "bum-elements" [20, 100_000], |n| bum(&list(n, "", |i| format!("<org.eventb.core.variable name=\"n{i}\" org.eventb.core.identifier=\"v{i}\"/>")));
    "bum-events" [20, 20_000], |n| bum(&list(n, "", |i| format!("<org.eventb.core.event name=\"n{i}\" org.eventb.core.convergence=\"0\" org.eventb.core.extended=\"false\" org.eventb.core.label=\"e{i}\"/>")));
    "bum-attribute" [20, 10_000_000], |n| bum(&format!("<org.eventb.core.invariant name=\"n\" org.eventb.core.label=\"i\" org.eventb.core.predicate=\"{}\"/>", "1+".repeat(n)));
    "bum-attributes" [20, 100_000], |n| bum(&format!("<a {}/>", list(n, " ", |i| format!("b{i}=\"c\""))));
    "bum-entities" [20, 100_000], |n| bum(&"&lt;".repeat(n));
    "zip-zeros" [1_000, 100_000_000, 400_000_000], |n| archive([file("M.bum", vec![0; n])]);
    "zip-many" [20, 9_000, 40_000], |n| archive((0..n).map(|i| file(format!("M{i}.bum"), machine(i))));
    "zip-many-zeros" [20, 200], |n| archive((0..n).map(|i| file(format!("M{i}.bum"), vec![b' '; 1_000_000])));
    "zip-outside" [1], |_| archive([file("../../M.bum", machine(0)), file("/etc/M.bum", machine(0))]);
    "zip-in-zip" [1], |_| archive([file("M.zip", archive([file("M.bum", machine(0))]).remove(0).1)]);
    "zip-truncated" [30, 200], |n| {
        let mut whole = archive([file("M.bum", machine(0))]);
        whole[0].1.truncate(n);
        whole
    };
};

pub(super) const TEMPLATES: &[&[Template]] = &[COMPOSED, DEFINED, EVENT_B];
