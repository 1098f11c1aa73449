//! Values that grow, and evaluations that do not end.

use super::{Template, body, grows, invariant, one, property};

macro_rules! templates {
    ($($name:literal $sizes:expr, $make:expr;)*) => {
        &[$(Template { name: $name, sizes: &$sizes, make: $make },)*]
    };
}

/// Values that one operation makes larger and larger.
const GROWING: &[Template] = templates! {
    "grow-concat" [2, 16, 100], |n| grows("[1]", &vec!["v"; n].join("^"));
    "grow-conc" [2, 16, 100], |n| grows("[1]", &format!("conc([{}])", vec!["v"; n].join(",")));
    "grow-conc-lambda" [3, 3_000, 300_000], |n| grows("[1]", &format!("conc(%i.(i : 1..{n} | v))"));
    "grow-conc-constant" [3, 3_000, 30_000_000], |n| grows("[1]", &format!("conc((1..{n}) * {{v}})"));
    "grow-append" [1, 5], |n| grows("[0]", &format!("v{}", " <- 1".repeat(n)));
    "grow-reverse" [2, 50], |n| grows("[1, 2]", &format!("rev({})", vec!["v"; n].join("^")));
    "grow-square" [2, 16], |n| grows("3", &vec!["v"; n].join(" * "));
    "grow-power" [2, 9], |n| grows(&n.to_string(), "v ** v");
    "grow-power-fixed" [2, 1_000, 300_000, 100_000_000], |n| grows("3", &format!("v ** {n}"));
    "grow-factorial" [2, 40], |n| grows("{1}", &format!("{{PI(i).(i : 1..(card(v) * {n}) | i)}} \\/ v"));
    "grow-union" [2, 1_000], |n| grows("{0}", &format!("v \\/ ran(%i.(i : v | i + {n}))"));
    "grow-shifted" [2, 1_000], |n| grows("{0}", &format!("v \\/ {{x | #y.(y : v & x = y * 2 + {n})}} \\/ {{x | #y.(y : v & x = y + 1)}}"));
    "grow-product" [2, 3], |n| grows("{1}", &format!("ran(%(a,b).(a : v & b : v | a * {n} + b)) \\/ v"));
    "grow-relation" [2, 3], |n| grows("{0 |-> 0}", &format!("v \\/ ran(%i.(i : v | (prj1(INTEGER, INTEGER)(i) + {n}) |-> prj2(INTEGER, INTEGER)(i))) \\/ ((v ; succ) \\/ v)"));
    "grow-composition" [10, 1_000, 3_000], |n| grows(&format!("(1..{n}) * (1..{n})"), "(v ; v)");
    "grow-direct-product" [10, 1_000], |n| grows("0", &format!("card(((1..{n}) * (1..{n})) >< ((1..{n}) * (1..{n})))"));
    "grow-parallel-product" [10, 1_000], |n| grows("0", &format!("card(((1..{n}) * (1..{n}) || (1..{n}) * (1..{n})))"));
    "grow-string" [2, 16], |n| one(format!(
        "MACHINE M DEFINITIONS \"LibraryStrings.def\" VARIABLES v INVARIANT v : STRING INITIALISATION v := \"ab\" OPERATIONS grow = v := {} END",
        (1..n).fold("v".to_owned(), |text, _| format!("STRING_APPEND({text}, v)"))));
    "grow-string-concat" [2, 100], |n| one(format!(
        "MACHINE M DEFINITIONS \"LibraryStrings.def\" VARIABLES v INVARIANT v : STRING INITIALISATION v := \"ab\" OPERATIONS grow = v := STRING_CONC([{}]) END",
        vec!["v"; n].join(",")));
    "grow-string-pad" [10, 1_000_000, 1_000_000_000], |n| one(format!(
        "MACHINE M DEFINITIONS \"LibraryStrings.def\" VARIABLES v INVARIANT v : STRING INITIALISATION v := \"ab\" OPERATIONS grow = v := STRING_PADLEFT(v, {n}, \"x\") END"));
    "grow-chars" [2, 16], |n| one(format!(
        "MACHINE M DEFINITIONS \"LibraryStrings.def\" VARIABLES v INVARIANT v : STRING INITIALISATION v := \"ab\" OPERATIONS grow = v := STRING_CONC(STRING_CHARS(v) ^ {}) END",
        vec!["STRING_CHARS(v)"; n].join("^")));
    "grow-term" [1, 50], |n| one(format!(
        "MACHINE M FREETYPES T = nil, cons(T) VARIABLES v INVARIANT v : T INITIALISATION v := nil OPERATIONS o = v := {}v{} END",
        "cons(".repeat(n), ")".repeat(n)));
    "grow-tree" [1, 6], |n| one(format!(
        "MACHINE M FREETYPES T = nil, both(T * T) VARIABLES v INVARIANT v : T INITIALISATION v := nil OPERATIONS o = v := {}v{} END",
        "both(v |-> ".repeat(n), ")".repeat(n)));
    "grow-loop-append" [100, 1_000_000], |n| body(&format!(
        "VAR s, i IN s := []; i := 0; WHILE i < {n} DO s := s <- i; i := i + 1 INVARIANT 1 = 1 VARIANT {n} - i END; v := size(s) END"));
    "grow-loop-double" [10, 60], |n| body(&format!(
        "VAR s, i IN s := [1]; i := 0; WHILE i < {n} DO s := s ^ s; i := i + 1 INVARIANT 1 = 1 VARIANT {n} - i END; v := size(s) END"));
    "grow-loop-square" [4, 100], |n| body(&format!(
        "VAR s, i IN s := 3; i := 0; WHILE i < {n} DO s := s * s; i := i + 1 INVARIANT 1 = 1 VARIANT {n} - i END; v := s END"));
    "grow-loop-union" [10, 10_000_000], |n| body(&format!(
        "VAR s, i IN s := {{}}; i := 0; WHILE i < {n} DO s := s \\/ {{i * 7}}; i := i + 1 INVARIANT 1 = 1 VARIANT {n} - i END; v := card(s) END"));
    "grow-loop-override" [10, 10_000_000], |n| body(&format!(
        "VAR s, i IN s := {{}}; i := 0; WHILE i < {n} DO s := s <+ {{i |-> i}}; i := i + 1 INVARIANT 1 = 1 VARIANT {n} - i END; v := card(s) END"));
    "grow-sets-of-sets" [2, 5], |n| grows("{{}}", &format!("v \\/ {{x | #y.(y : v & x = y \\/ {{card(v) * {n}}})}}"));
};

/// One expression that is large by itself.
const LARGE: &[Template] = templates! {
    "large-power-set" [3, 16, 20, 30, 1_000_000], |n| grows("{{1}}", &format!("{{s | s : POW(1..{n}) & card(s) /= 1}}"));
    "large-power-set-card" [3, 22, 1_000], |n| invariant(&format!("card(POW(1..{n})) > v"));
    "large-power-set-union" [3, 18, 24], |n| invariant(&format!("union(POW(1..{n})) = 1..{n}"));
    "large-permutations" [3, 9, 12, 2_000], |n| invariant(&format!("card({{p | p : perm(1..{n}) & p(1) /= 2}}) > v"));
    "large-injections" [3, 10, 3_000], |n| invariant(&format!("{{s | s : iseq(1..{n}) & size(s) > 2}} /= {{}}"));
    "large-functions" [3, 8, 100], |n| invariant(&format!("card({{f | f : 1..{n} --> 1..{n} & f(1) /= f(2)}}) > v"));
    "large-relations" [2, 4, 50], |n| invariant(&format!("card({{f | f : 1..{n} <-> 1..{n} & dom(f) /= {{}}}}) > v"));
    "large-product" [10, 2_000, 100_000], |n| invariant(&format!("card({{p | p : (1..{n}) * (1..{n}) & prj1(INTEGER,INTEGER)(p) > 3}}) >= v - 9"));
    "large-closure" [20, 1_000, 5_000], |n| invariant(&format!("card(closure1(%i.(i : 1..{n} | i + 1))) > v"));
    "large-closure-dense" [20, 300, 900], |n| invariant(&format!("card(closure1(%(i).(i : 1..{n} | (i * 7) mod {n} + 1) \\/ %(i).(i : 1..{n} | (i * 11) mod {n} + 1))) >= v"));
    "large-iterate" [5, 1_000_000_000], |n| invariant(&format!("iterate(%i.(i : 0..9 | (i + 1) mod 10), {n}) /= {{v |-> v}}"));
    "large-sigma" [10, 10_000_000, 1_000_000_000], |n| invariant(&format!("SIGMA(i).(i : 1..{n} | i * i mod 7) > v"));
    "large-pi" [10, 20_000, 1_000_000], |n| invariant(&format!("PI(i).(i : 1..{n} | i) > v"));
    "large-pi-large" [2, 60], |n| invariant(&format!("PI(i).(i : 1..{n} | 7 ** (10000 * i)) > v"));
    "large-exponent" [2, 100_000, 1_000_000, 100_000_000], |n| invariant(&format!("3 ** {n} > v"));
    "large-exponent-mod" [2, 300_000], |n| invariant(&format!("(3 ** {n}) mod (7 ** {}) >= v - 3", n / 2));
    "large-exponent-shown" [2, 600_000], |n| invariant(&format!("3 ** {n} < v"));
    "large-tower" [1, 3, 50], |n| invariant(&format!("2 ** ({}2{}) > v", "2 ** (".repeat(n), ")".repeat(n)));
    "large-union-of-intervals" [5, 5_000], |n| invariant(&format!("card(UNION(i).(i : 1..{n} | i..(i * i))) > v"));
    "large-inter" [5, 5_000], |n| invariant(&format!("INTER(i).(i : 1..{n} | 0..(i * i + 3)) /= {{}}"));
    "large-filter" [10, 10_000_000, 1_000_000_000], |n| invariant(&format!("card({{i | i : 1..{n} & i mod 3 = 1}}) > v - 9"));
    "large-nested-filter" [10, 3_000, 100_000], |n| invariant(&format!("card({{i, j | i : 1..{n} & j : 1..{n} & i * j mod 3 = 1}}) > v - 9"));
    "large-forall" [10, 100_000_000], |n| invariant(&format!("!i.(i : 1..{n} => i * i >= i)"));
    "large-forall-product" [3, 400, 30_000], |n| invariant(&format!("!(i, j, k).(i : 1..{n} & j : 1..{n} & k : 1..{n} => i + j + k > 0)"));
    "large-exists" [10, 100_000_000], |n| invariant(&format!("#i.(i : 1..{n} & i * i = {n} + 3 * i + 7) or v = v"));
    "large-choose" [3, 22], |n| invariant(&format!("card({{x | x : POW(POW(1..{n})) & card(x) < 2}}) > v"));
    "large-struct" [3, 20], |n| invariant(&format!("card({{r | r : struct({}) & r'f1 = TRUE}}) > v", super::list(n, ",", |i| format!("f{i} : BOOL"))));
    "large-max" [10, 50_000_000], |n| invariant(&format!("max({{i | i : 1..{n} & i mod 2 = 0}}) > v - 9"));
    "large-concat-constant" [10, 5_000_000], |n| grows("0", &format!("size(%i.(i : 1..{n} | i) ^ %i.(i : 1..{n} | i))"));
    "large-inverse" [10, 3_000_000], |n| grows("0", &format!("card((%i.(i : 1..{n} | i mod 7))~[{{3}}])"));
    "large-function-variable" [5, 100_000], |n| grows(&format!("%i.(i : 1..{n} | 0)"), "v <+ {(v(1) + 1) |-> 1, 1 |-> v(1) + 1}");
    "large-sort" [5, 100_000], |n| one(format!(
        "MACHINE M DEFINITIONS \"SORT.def\" VARIABLES v INVARIANT v = v INITIALISATION v := 0 OPERATIONS o = v := size(SORT({{x | x : 1..{n} & x mod 3 = 0}})) END"));
    "large-set-union-doubling" [4, 40], |n| property(&format!("c = {}", (0..n).fold("{1}".to_owned(), |t, i| format!("union({{{t}, {{{i}}}}})"))));
    "large-comparison" [10, 2_000], |n| invariant(&format!("{{i, j | i : 1..{n} & j : 1..{n} & i < j}} /= {{i, j | i : 1..{n} & j : 1..{n} & i <= j}}"));
    "large-power-of-relations" [2, 3, 6], |n| invariant(&format!("card({{r | r : (1..{n} <-> 1..{n}) <-> BOOL & card(r) = 1}}) > v"));
};

/// Evaluations without end, and sets without end.
const ENDLESS: &[Template] = templates! {
    "endless-while" [1], |_| body("WHILE 1 = 1 DO v := v + 1 INVARIANT 1 = 1 VARIANT 1000000000 - v END");
    "endless-while-skip" [1], |_| body("WHILE v = 0 DO skip INVARIANT 1 = 1 VARIANT 1 END");
    "endless-nested-while" [1_000, 100_000], |n| body(&format!(
        "VAR a, b IN a := 0; b := 0; WHILE a < {n} DO b := 0; WHILE b < {n} DO b := b + 1 INVARIANT 1 = 1 VARIANT {n} - b END; a := a + 1 INVARIANT 1 = 1 VARIANT {n} - a END; v := a END"));
    "endless-recursion" [1], |_| property("c = %x.(x : NATURAL | c(x + 1)) & c(1) = 2");
    "endless-recursion-deep" [100, 100_000, 10_000_000], |n| property(&format!(
        "c : INTEGER --> INTEGER & c = %x.(x : NATURAL | IF x = 0 THEN 0 ELSE c(x - 1) + 1 END) & c({n}) = {n}"));
    "endless-fibonacci" [10, 60], |n| property(&format!(
        "c = %x.(x : NATURAL | IF x < 2 THEN 1 ELSE c(x - 1) + c(x - 2) END) & c({n}) > 1"));
    "endless-ackermann" [1, 4], |n| property(&format!(
        "c : NATURAL * NATURAL --> NATURAL & c = %(x, y).(x : NATURAL & y : NATURAL | IF x = 0 THEN y + 1 ELSIF y = 0 THEN c(x - 1, 1) ELSE c(x - 1, c(x, y - 1)) END) & c({n}, 3) > 1"));
    "endless-natural" [1], |_| invariant("!x.(x : NATURAL => x * x >= x)");
    "endless-exists" [1], |_| invariant("#x.(x : NATURAL & x * x = 2)");
    "endless-three" [1], |_| invariant("not(#(x, y, z).(x : NATURAL1 & y : NATURAL1 & z : NATURAL1 & x*x*x + y*y*y = z*z*z))");
    "endless-card" [1], |_| invariant("card({x | x : NATURAL & x mod 2 = 0}) > v");
    "endless-choice" [1], |_| grows("0", "(MU({x | x : NATURAL & x > v}))");
    "endless-init" [1], |_| one("MACHINE M VARIABLES v INVARIANT v : NATURAL INITIALISATION v :: NATURAL OPERATIONS o = v :: NATURAL END".into());
    "endless-states" [1, 1_000], |n| grows("0", &format!("v + {n}"));
    "endless-sequences" [1], |_| one("MACHINE M VARIABLES v INVARIANT v : seq(BOOL) INITIALISATION v :: seq(BOOL) END".into());
    "endless-strings" [1], |_| one("MACHINE M VARIABLES v INVARIANT v : STRING INITIALISATION v :: STRING END".into());
    "endless-reals" [1], |_| one("MACHINE M VARIABLES v INVARIANT v : REAL INITIALISATION v :: REAL END".into());
    "endless-free-type" [1, 300], |n| one(format!(
        "MACHINE M FREETYPES T = nil, {} VARIABLES v INVARIANT v : T INITIALISATION v :: T OPERATIONS o = v :: T END",
        super::list(n, ", ", |i| format!("c{i}(T)"))));
    "endless-mutual-types" [1], |_| one("MACHINE M FREETYPES A = a(B); B = b(A) VARIABLES v INVARIANT v : A INITIALISATION v :: A END".into());
    "endless-functions" [1], |_| one("MACHINE M VARIABLES v INVARIANT v : NATURAL +-> NATURAL INITIALISATION v :: NATURAL +-> NATURAL END".into());
    "endless-compare" [1], |_| invariant("{x | x : NATURAL & x mod 2 = 0} \\/ {x | x : NATURAL & x mod 2 = 1} = NATURAL");
    "endless-subset" [1], |_| invariant("{x | x : INTEGER & x * x > 4} <: {x | x : INTEGER & x * x * x * x > 16}");
    "endless-closure" [1], |_| invariant("closure1(succ) /= {1 |-> v}");
    "endless-image" [1], |_| invariant("closure(succ)[{1}] /= {v}");
};

/// Questions that are hard for their size, and many answers.
const HARD: &[Template] = templates! {
    "hard-pigeons" [4, 9, 30], |n| property(&format!("c : 1..{} >-> 1..{n}", n + 1));
    "hard-queens" [4, 12, 60], |n| property(&format!("c : perm(1..{n}) & !(i,j).(i : 1..{n} & j : 1..{n} & i < j => c(i) + i /= c(j) + j & c(i) - i /= c(j) - j)"));
    "hard-no-queens" [3, 10, 20], |n| property(&format!("c : perm(1..{n}) & c(1) = c(2) + 1 & !(i,j).(i : 1..{n} & j : 1..{n} & i < j => c(i) + i /= c(j) + j & c(i) - i /= c(j) - j)"));
    "hard-subset-sum" [5, 30, 60], |n| property(&format!("c <: 1..{n} & SIGMA(i).(i : c | i * i * 7) = {}", n * n * 3 + 1));
    "hard-colouring" [4, 40], |n| property(&format!("c : 1..{n} --> 1..3 & !(i,j).(i : 1..{n} & j : 1..{n} & i /= j & (i * j) mod 4 = 1 => c(i) /= c(j))"));
    "hard-factors" [10, 1_000_000_007], |n| one(format!("MACHINE M CONSTANTS c, d PROPERTIES c : 2..{n} & d : 2..{n} & c * d = {n} * 3 END"));
    "hard-cubes" [10, 5_000], |n| one(format!("MACHINE M CONSTANTS a, b, c PROPERTIES a : 1..{n} & b : 1..{n} & c : 1..{n} & a*a*a + b*b*b = c*c*c END"));
    "many-constants" [3, 22, 200], |n| property(&format!("c <: 1..{n}"));
    "many-function-constants" [2, 7, 30], |n| property(&format!("c : 1..{n} --> 1..{n}"));
    "many-initial-states" [3, 22, 200], |n| one(format!("MACHINE M VARIABLES v INVARIANT v <: 1..{n} INITIALISATION v :: POW(1..{n}) END"));
    "many-initial-functions" [2, 7, 30], |n| one(format!("MACHINE M VARIABLES v INVARIANT v : 1..{n} --> 1..{n} INITIALISATION v :: 1..{n} --> 1..{n} END"));
    "many-choices" [3, 22, 60], |n| body(&super::list(n, "; ", |_| "CHOICE v := v + 1 OR v := v * 2 END".into()));
    "many-anys" [3, 8, 40], |n| body(&super::list(n, "; ", |_| "ANY q WHERE q : 1..9 THEN v := v * 10 + q END".into()));
    "many-parallel-choices" [3, 20], |n| one(format!(
        "MACHINE M VARIABLES {0} INVARIANT {1} INITIALISATION {2} OPERATIONS o = BEGIN {2} END END",
        super::list(n, ",", |i| format!("x{i}")), super::list(n, "&", |i| format!("x{i}:0..9")), super::list(n, "||", |i| format!("x{i}::0..9"))));
    "many-parameters" [2, 8, 40], |n| one(format!(
        "MACHINE M VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0 OPERATIONS o({}) = PRE {} THEN v := v + {} END END",
        super::list(n, ",", |i| format!("x{i}")), super::list(n, "&", |i| format!("x{i} : 1..9")), super::list(n, "+", |i| format!("x{i}"))));
    "many-subset-parameters" [3, 18, 40], |n| one(format!(
        "MACHINE M VARIABLES v INVARIANT v <: 1..{n} INITIALISATION v := {{}} OPERATIONS o(s) = PRE s <: 1..{n} THEN v := s END END"));
    "many-deferred" [3, 30, 3_000], |n| one(format!(
        "MACHINE M SETS S CONSTANTS c PROPERTIES card(S) = {n} & c : S --> S VARIABLES v INVARIANT v <: S INITIALISATION v := {{}} OPERATIONS o(x) = PRE x : S THEN v := v \\/ {{x}} END END"));
    "many-becomes-such" [3, 9, 60], |n| one(format!(
        "MACHINE M VARIABLES v INVARIANT v : INTEGER INITIALISATION v : (v : INTEGER & #({}).({} & v = {})) END",
        super::list(n, ",", |i| format!("x{i}")), super::list(n, "&", |i| format!("x{i} : 1..9")), super::list(n, "+", |i| format!("x{i}*x{i}"))));
    "many-huge-states" [3, 30], |n| one(format!(
        "MACHINE M VARIABLES v, w INVARIANT v <: 1..100000 INITIALISATION v := {{x | x : 1..100000 & x mod 2 = 0}} || w := 0 OPERATIONS o(i) = PRE i : 1..{n} THEN v := v \\/ {{i + w}} || w := w + 1 END END"));
    "many-findings" [3, 3_000], |n| one(format!(
        "MACHINE M VARIABLES v INVARIANT {} INITIALISATION v := 0 OPERATIONS o = v := v + 1 END",
        super::list(n, " & ", |i| format!("v /= {i}"))));
    "huge-trace" [3, 200_000], |n| one(format!(
        "MACHINE M VARIABLES v, w INVARIANT w < 5 INITIALISATION v := %i.(i : 1..{n} | i * i) || w := 0 OPERATIONS o = BEGIN v := v <+ {{w |-> 0}} || w := w + 1 END END"));
    "long-trace" [30, 100_000], |n| one(format!(
        "MACHINE M VARIABLES w INVARIANT w < {n} INITIALISATION w := 0 OPERATIONS o = w := w + 1 END"));
};

pub(super) const TEMPLATES: &[&[Template]] = &[GROWING, LARGE, ENDLESS, HARD];
