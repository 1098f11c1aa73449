//! Texts of an unusual shape: deep, long, wide.

use super::{Template, body, grows, invariant, list, one, property};

type Files = Vec<(String, Vec<u8>)>;

const DEEP: &[usize] = &[20, 400, 3_000, 100_000];
const LONG: &[usize] = &[50, 900, 12_000, 50_000];
const WIDE: &[usize] = &[30, 1_000, 20_000];

/// `open` and `close` around something, so many times.
fn around(n: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(n), close.repeat(n))
}

fn chained(n: usize, operator: &str, item: &str) -> String {
    list(n, &format!(" {operator} "), |_| item.to_owned())
}

macro_rules! deep {
    ($($name:literal $kind:ident $open:literal $inner:literal $close:literal;)*) => {
        &[$(Template { name: concat!("deep-", $name), sizes: DEEP, make: |n| $kind(&around(n, $open, $inner, $close)) },)*]
    };
}

macro_rules! long {
    ($($name:literal $kind:ident $operator:literal $item:literal;)*) => {
        &[$(Template { name: concat!("long-", $name), sizes: LONG, make: |n| $kind(&chained(n, $operator, $item)) },)*]
    };
}

macro_rules! wide {
    ($($name:literal $make:expr;)*) => {
        &[$(Template { name: concat!("wide-", $name), sizes: WIDE, make: $make },)*]
    };
}

fn holds(text: &str) -> Files {
    invariant(&format!("{text} = {text}"))
}

fn integer(text: &str) -> Files {
    invariant(&format!("v <= {text}"))
}

fn set(text: &str) -> Files {
    invariant(&format!("{text} /= {{99}}"))
}

const NESTED: &[Template] = deep! {
    "brackets" integer "(" "v" ")";
    "braces" holds "{" "v" "}";
    "sequences" holds "[" "v" "]";
    "not" invariant "not(" "v = 77" ")";
    "minus" integer "-(" "v" ")";
    "sums" integer "(1 + " "v" ")";
    "power-sets" holds "POW(" "{v}" ")";
    "unions" holds "union({" "{v}" "})";
    "quantifiers" invariant "!q.(q : 0..1 => " "v = v" ")";
    "exists" invariant "#q.(q : 0..1 & " "v = v" ")";
    "comprehensions" holds "{q | q : " "{v}" "}";
    "lambdas" holds "%q.(q : 0..1 | " "v" ")";
    "sigmas" integer "SIGMA(q).(q : 0..1 | " "v" ")";
    "bools" invariant "TRUE = bool(TRUE = " "TRUE" ")";
    "records" holds "rec(a : " "v" ")";
    "implications" invariant "(v = v => " "v = v" ")";
    "if-expressions" integer "IF v = 0 THEN " "v" " ELSE 1 END";
    "lets" integer "LET q BE q = 1 IN " "v" " END";
    "images" holds "{(v |-> v)}[" "{v}" "]";
    "inverses" holds "(" "{v |-> v}" ")~";
    "blocks" body "BEGIN " "v := 1" " END";
    "ifs" body "IF v = 0 THEN " "v := 1" " END";
    "elses" body "IF v = 1 THEN skip ELSE " "v := 1" " END";
    "anys" body "ANY q WHERE q : 0..1 THEN " "v := 1" " END";
    "selects" body "SELECT v = 0 THEN " "v := 1" " END";
    "choices" body "CHOICE skip OR " "v := 1" " END";
    "vars" body "VAR q IN q := v; " "v := 1" " END";
    "cases" body "CASE v OF EITHER 0 THEN " "v := 1" " END END";
    "whiles" body "WHILE v < 2 DO " "v := v + 1" " INVARIANT 1 = 1 VARIANT 3 - v END";
    "asserts" body "ASSERT v = v THEN " "v := 1" " END";
    "comments" integer "/* " "v" " */";
    "open-brackets" integer "(" "v" "";
    "open-braces" integer "{" "v" "";
    "open-ifs" body "IF v = 0 THEN " "v := 1" "";
    "closing" integer "" "v" ")";
    "property-singletons" equal_singletons "{" "c" "}";
    "property-pairs" equal_singletons "(1 |-> " "c" ")";
    "property-sequences" equal_singletons "[" "c" "]";
};

fn equal_singletons(text: &str) -> Files {
    property(&format!("{text} = {}", text.replace('c', "1")))
}

const CHAINS: &[Template] = long! {
    "and" invariant "&" "v = v";
    "or" invariant "or" "v = 77";
    "implies" invariant "=>" "v = v";
    "equivalent" invariant "<=>" "v = v";
    "plus" integer "+" "1";
    "minus" integer "-" "1";
    "times" integer "*" "1";
    "times-two" integer "*" "2";
    "times-large" integer "*" "123456789123456789";
    "power" integer "**" "2";
    "divide" integer "/" "1";
    "union" set "\\/" "{v}";
    "intersection" set "/\\" "{v}";
    "difference" set "-" "{v}";
    "pairs" holds "|->" "v";
    "product" holds "*" "{v}";
    "concat" holds "^" "[v]";
    "override" holds "<+" "{v |-> v}";
    "composition" composed ";" "{v |-> v}";
    "parallel-product" composed "||" "{v |-> v}";
    "direct-product" holds "><" "{v |-> v}";
    "interval" set ".." "1";
    "relations" holds "<->" "BOOL";
    "functions" holds "-->" "BOOL";
    "sequence" body ";" "v := v + 1";
    "parallel" body "||" "skip";
    "choices" chosen "OR" "v := v + 1";
    "append" holds "<-" "[v]";
    "less" invariant "<" "v";
    "equal" invariant "=" "v";
};

fn composed(text: &str) -> Files {
    holds(&format!("({text})"))
}

fn chosen(text: &str) -> Files {
    body(&format!("CHOICE {text} END"))
}

fn names(n: usize) -> String {
    list(n, ", ", |i| format!("x{i}"))
}

const MANY: &[Template] = wide! {
    "variables" |n| one(format!(
        "MACHINE M VARIABLES {} INVARIANT {} INITIALISATION {} OPERATIONS o = x1 := 1 - x1 END",
        names(n), list(n, " & ", |i| format!("x{i} : 0..1")), list(n, " || ", |i| format!("x{i} := 0"))));
    "variables-at-once" |n| one(format!(
        "MACHINE M VARIABLES {0} INVARIANT {1} INITIALISATION {0} := {2} OPERATIONS o = BEGIN x1 := 1 - x1 END END",
        names(n), list(n, " & ", |i| format!("x{i} : 0..1")), list(n, ", ", |_| "0".into())));
    "variables-sequence" |n| one(format!(
        "MACHINE M VARIABLES {} INVARIANT {} INITIALISATION {} OPERATIONS o = BEGIN {} END END",
        names(n), list(n, " & ", |i| format!("x{i} : INTEGER")), list(n, "; ", |i| format!("x{i} := 0")),
        list(n, "; ", |i| format!("x{i} := x{i} + 1"))));
    "chosen-variables" |n| one(format!(
        "MACHINE M VARIABLES {} INVARIANT {} INITIALISATION {} END",
        names(n), list(n, " & ", |i| format!("x{i} : BOOL")), list(n, " || ", |i| format!("x{i} :: BOOL"))));
    "constants" |n| one(format!(
        "MACHINE M CONSTANTS {} PROPERTIES {} END", names(n), list(n, " & ", |i| format!("x{i} = {i}"))));
    "chained-constants" |n| one(format!(
        "MACHINE M CONSTANTS {}, x0 PROPERTIES {} & x0 = 1 END", names(n), list(n, " & ", |i| format!("x{i} = x{} + 1", i - 1))));
    "backward-constants" |n| one(format!(
        "MACHINE M CONSTANTS {}, x0 PROPERTIES x0 = 1 & {} END", names(n),
        list(n, " & ", |i| format!("x{} = x{} + 1", n + 1 - i, n - i))));
    "free-constants" |n| one(format!(
        "MACHINE M CONSTANTS {} PROPERTIES {} END", names(n), list(n, " & ", |i| format!("x{i} : 0..1"))));
    "sets" |n| one(format!("MACHINE M SETS {} END", list(n, "; ", |i| format!("S{i}"))));
    "elements" |n| one(format!(
        "MACHINE M SETS S = {{{}}} VARIABLES v INVARIANT v : S INITIALISATION v :: S OPERATIONS o = v :: S END",
        list(n, ", ", |i| format!("e{i}"))));
    "definitions" |n| one(format!(
        "MACHINE M DEFINITIONS {} VARIABLES v INVARIANT v = d{n} INITIALISATION v := d1 END",
        list(n, "; ", |i| format!("d{i} == {i}"))));
    "chained-definitions" |n| one(format!(
        "MACHINE M DEFINITIONS d0 == 1; {} VARIABLES v INVARIANT v = d{n} INITIALISATION v := d1 END",
        list(n, "; ", |i| format!("d{i} == d{} + 1", i - 1))));
    "operations" |n| one(format!(
        "MACHINE M VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 OPERATIONS {} END",
        list(n, ";\n", |i| format!("o{i} = v := (v + 1) mod {i}"))));
    "parameters" |n| one(format!(
        "MACHINE M VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 OPERATIONS o({}) = PRE {} THEN v := x1 END END",
        names(n), list(n, " & ", |i| format!("x{i} = {i}"))));
    "free-parameters" |n| one(format!(
        "MACHINE M VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 OPERATIONS o({}) = PRE {} THEN v := x1 END END",
        names(n), list(n, " & ", |i| format!("x{i} : 0..1"))));
    "linked-parameters" |n| one(format!(
        "MACHINE M VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 OPERATIONS o({}, x0) = PRE x0 = 0 & {} THEN v := x1 END END",
        names(n), list(n, " & ", |i| format!("x{i} = x{} + v", i - 1))));
    "results" |n| one(format!(
        "MACHINE M VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 OPERATIONS {} <-- o = BEGIN {} END END",
        names(n), list(n, " || ", |i| format!("x{i} := v"))));
    "quantified" |n| invariant(&format!("!({}).({} => x1 = x1)", names(n), list(n, " & ", |i| format!("x{i} = {i}"))));
    "exists-quantified" |n| invariant(&format!("#({}).({})", names(n), list(n, " & ", |i| format!("x{i} : 0..1"))));
    "any-names" |n| body(&format!("ANY {} WHERE {} THEN v := x1 END", names(n), list(n, " & ", |i| format!("x{i} : 0..{i}"))));
    "let-names" |n| body(&format!("LET {} BE {} IN v := x1 END", names(n), list(n, " & ", |i| format!("x{i} = {i}"))));
    "var-names" |n| body(&format!("VAR {} IN {} END", names(n), list(n, "; ", |i| format!("x{i} := {i}"))));
    "comprehension-names" |n| invariant(&format!("{{{}|{}}} /= {{}}", names(n), list(n, " & ", |i| format!("x{i} : 0..1"))));
    "lambda-names" |n| invariant(&format!("dom(%({}).({}|1)) /= {{}}", names(n), list(n, " & ", |i| format!("x{i} = {i}"))));
    "set-literal" |n| invariant(&format!("v : {{{}}} or v = 0", list(n, ", ", |i| i.to_string())));
    "set-literal-of-names" |n| invariant(&format!("card({{{}}}) > v - 9", list(n, ", ", |i| format!("v + {i}"))));
    "sequence-literal" |n| invariant(&format!("size([{}]) > v - 9", list(n, ", ", |i| format!("v * {i}"))));
    "record" |n| invariant(&format!("rec({})'f1 = 1", list(n, ", ", |i| format!("f{i} : {i}"))));
    "struct" |n| invariant(&format!("struct({}) /= {{}}", list(n, ", ", |i| format!("f{i} : BOOL"))));
    "elsif" |n| body(&format!("IF v = 0 THEN v := 1 {} END", list(n, " ", |i| format!("ELSIF v = {i} THEN v := {}", i + 1))));
    "case" |n| body(&format!("CASE v OF EITHER 0 THEN v := 1 {} ELSE skip END END", list(n, " ", |i| format!("OR {i} THEN v := {}", i + 1))));
    "select" |n| body(&format!("SELECT v = 0 THEN v := 1 {} END", list(n, " ", |i| format!("WHEN v = {i} THEN v := {}", i + 1))));
    "assertions" |n| one(format!("MACHINE M ASSERTIONS {} END", list(n, "; ", |i| format!("{i} = {i}"))));
    "strings" |n| invariant(&format!("card({{{}}}) > v", list(n, ", ", |i| format!("\"t{i}\""))));
    "free-type" |n| one(format!(
        "MACHINE M FREETYPES T = {}, nil VARIABLES x INVARIANT x : T INITIALISATION x := nil OPERATIONS o = x := c1(x) END",
        list(n, ", ", |i| format!("c{i}(T)"))));
    "free-type-chosen" |n| one(format!(
        "MACHINE M FREETYPES T = {}, nil VARIABLES x INVARIANT x : T INITIALISATION x :: T END",
        list(n, ", ", |i| format!("c{i}(T)"))));
    "free-types" |n| one(format!(
        "MACHINE M FREETYPES {} VARIABLES x INVARIANT x : T1 INITIALISATION x := n1 END",
        list(n, "; ", |i| format!("T{i} = n{i}, c{i}(T{})", i % n + 1))));
    "machine-parameters" |n| one(format!("MACHINE M({}) CONSTRAINTS {} END", names(n), list(n, " & ", |i| format!("x{i} : 0..1"))));
    "assigned-function" |n| one(format!(
        "MACHINE M VARIABLES f INVARIANT f : 1..{n} --> 0..1 INITIALISATION f := (1..{n}) * {{0}} OPERATIONS o(i) = PRE i : 1..{n} THEN f(i) := 1 END END"));
    "errors" |n| one(format!("MACHINE M INVARIANT {} END", list(n, " & ", |i| format!("unknown{i} = {i}"))));
    "type-errors" |n| one(format!("MACHINE M ASSERTIONS {} END", list(n, "; ", |i| format!("{i} = TRUE"))));
    "duplicates" |n| one(format!("MACHINE M VARIABLES {} END", list(n, ", ", |_| "x".into())));
    "unrelated-types" |n| grows("0", &list(n, " + ", |i| format!("card({{x | x : {{{i}}}}})")));
};

pub(super) const TEMPLATES: &[&[Template]] = &[NESTED, CHAINS, MANY];
