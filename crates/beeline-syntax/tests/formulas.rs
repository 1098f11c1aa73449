//! What formulas mean: precedence, associativity, and each form of atom.

mod support;

use support::{formula, formula_problems};

fn check(cases: &[(&str, &str)]) {
    for (text, tree) in cases {
        assert_eq!(formula(text), *tree, "{text}");
    }
}

#[test]
fn predicates_bind_as_the_french_manual_says() {
    check(&[
        ("p = q => r = s => t = u", "(=> (=> (= p q) (= r s)) (= t u))"),
        ("P or Q & R", "(& (or P Q) R)"),
        ("P & Q or R", "(or (& P Q) R)"),
        ("P & Q & R or S or T & U", "(& (or (& P Q R) S T) U)"),
        ("P <=> Q & R", "(& (<=> P Q) R)"),
        ("P => Q <=> R", "(=> P (<=> Q R))"),
        ("P <=> Q <=> R", "(<=> (<=> P Q) R)"),
        ("P => Q & R", "(=> P (& Q R))"),
        ("P & (Q & R)", "(& P [(& Q R)])"),
        ("not(P) & Q", "(& (not P) Q)"),
        ("not(P & Q)", "(not (& P Q))"),
        ("a = b & c /: d", "(& (= a b) (/: c d))"),
        ("x:S-{y}", "(: x (- S (set y)))"),
        ("x : A <-> B => y", "(=> (: x (<-> A B)) y)"),
    ]);
}

#[test]
fn arithmetic_binds_as_usual_but_for_powers_of_negatives() {
    check(&[
        ("-2**2", "(** (neg 2) 2)"),
        ("2**-1", "(** 2 (neg 1))"),
        ("2**3**2", "(** 2 (** 3 2))"),
        ("a - b - c", "(- (- a b) c)"),
        ("a - -b", "(- a (neg b))"),
        ("a * -b", "(* a (neg b))"),
        ("-a + b", "(+ (neg a) b)"),
        ("-f(x)~[S]", "(neg (image (~ (call f x)) S))"),
        ("a + b * c mod d / e", "(+ a (/ (mod (* b c) d) e))"),
        ("1..n+1", "(.. 1 (+ n 1))"),
        ("1..3 \\/ {4}", "(\\/ (.. 1 3) (set 4))"),
    ]);
}

#[test]
fn set_operators_are_one_level_and_arrows_looser() {
    check(&[
        ("a|->b|->c", "(|-> (|-> a b) c)"),
        ("A*B-->C", "(--> (* A B) C)"),
        ("A<->B-->C", "(--> (<-> A B) C)"),
        ("f<+{a|->b}\\/g", "(\\/ (<+ f (set (|-> a b))) g)"),
        ("(f ∘ g ; h)", "[(; (∘ f g) h)]"),
        ("A \\/ B /\\ C", "(/\\ (\\/ A B) C)"),
        ("s<-x", "(<- s x)"),
        ("x -> s <- y", "(<- (-> x s) y)"),
        ("s^t/|\\2\\|/1", "(\\|/ (/|\\ (^ s t) 2) 1)"),
        ("S <| r |> T <<| q |>> U", "(|>> (<<| (|> (<| S r) T) q) U)"),
        ("A >-> B >->> C >+> D >+>> E", "(>+>> (>+> (>->> (>-> A B) C) D) E)"),
        ("A +-> B +->> C -->> D", "(-->> (+->> (+-> A B) C) D)"),
        ("A <<-> B <->> C <<->> D", "(<<->> (<->> (<<-> A B) C) D)"),
        ("r >< s", "(>< r s)"),
        ("A \\ B - C", "(- (\\ A B) C)"),
    ]);
}

#[test]
fn commas_make_tuples_only_in_parentheses() {
    check(&[
        ("(a, b, c)", "(tuple a b c)"),
        ("(a, b |-> c)", "(tuple a (|-> b c))"),
        ("{a, b}", "(set a b)"),
        ("[a, b]", "(sequence a b)"),
        ("f(a, b)", "(call f a b)"),
        ("f((a, b))", "(call f (tuple a b))"),
        ("((a))", "[[a]]"),
    ]);
    assert_eq!(
        formula_problems("x = a, b"),
        ["1:6 B0201 expected an operator or the end, found `,`"]
    );
}

#[test]
fn composition_stands_only_between_brackets() {
    check(&[
        ("(f;g;h)", "[(; (; f g) h)]"),
        ("(f||g)", "[(|| f g)]"),
        ("r[f;g]", "(image r (; f g))"),
        ("{f;g, h}", "(set (; f g) h)"),
        ("%x.(P|f;g)", "(% <x> P (; f g))"),
        ("dom(f;g)", "(dom (; f g))"),
        ("iterate(f;g, n)", "(iterate (; f g) n)"),
        ("((f;g), (a||b))", "(tuple [(; f g)] [(|| a b)])"),
        ("(f;g, a||b)", "(tuple (; f g) (|| a b))"),
        ("rec(a : f;g)", "(rec a:(; f g))"),
        ("(f /*@symbolic*/ ; g)", "[(/*@symbolic*/ ; f g)]"),
        ("f((g;h))", "(call f [(; g h)])"),
    ]);
    for text in ["f(g;h)", "[f;g]", "x = f;g", "#FORMULA f;g"] {
        assert_eq!(formula_problems(text).len(), 1, "{text}");
    }
    assert_eq!(
        formula_problems("(x = f;g)"),
        ["1:7 B0209 `;` composes relations, but one of its operands is a predicate"]
    );
}

#[test]
fn postfix_forms_chain() {
    check(&[
        ("f~(x)", "(call (~ f) x)"),
        ("f~[S]", "(image (~ f) S)"),
        ("f(x)(y)", "(call (call f x) y)"),
        ("r'f'g", "(field (field r f) g)"),
        ("f(x)'g[S]~", "(~ (image (field (call f x) g) S))"),
        ("a.b.c(x)", "(call a.b.c x)"),
        ("x$0 + a.x$0", "(+ x$0 a.x$0)"),
        ("succ(1)", "(call succ 1)"),
        ("prj1(S,T)(p)", "(call (prj1 S T) p)"),
        ("prj1(p)", "(prj1 p)"),
        ("@prj1(p)", "(call @prj1 p)"),
        ("{a|->b}(a)", "(call (set (|-> a b)) a)"),
        ("%x.(P|E)(3)", "(call (% <x> P E) 3)"),
        ("r'`id`", "(field r id)"),
    ]);
    assert_eq!(formula("f⁻¹"), "(~ f)");
    assert_eq!(formula("(f~)~"), "(~ [(~ f)])");
}

#[test]
fn quantifiers_and_comprehensions() {
    check(&[
        ("!x.(x:S => P)", "(! <x> (=> (: x S) P))"),
        ("#(x,y).(x=y)", "(# <x y> (= x y))"),
        ("!x,y.(P) & Q", "(& (! <x y> P) Q)"),
        ("SIGMA(x).(x:S|x*x)", "(SIGMA <x> (: x S) (* x x))"),
        ("PI x.(P|x) = UNION(y).(Q|y)", "(= (PI <x> P x) (UNION <y> Q y))"),
        ("INTER(x).(P|E)", "(INTER <x> P E)"),
        ("%x.(x:S|-1)", "(% <x> (: x S) (neg 1))"),
        ("{x|x:S}", "(such <x> (: x S))"),
        ("{x,y|P}", "(such <x y> P)"),
        ("{(x,y)|P}", "(such <x y> P)"),
        ("{x.y|P}", "(such <x.y> P)"),
        ("{(x,y).P|E;F}", "(such <x y> P (; E F))"),
        ("{(x).P|E}", "(such <x> P E)"),
        ("{x,y · P ∣ E}", "(such <x y> P E)"),
        ("/*@symbolic*/ {x|P}", "(symbolic-such <x> P)"),
        ("/*@symbolic*/ %x.(P|E)", "(symbolic-% <x> P E)"),
        ("∀x·(P) ∧ ∃y.(Q)", "(& (! <x> P) (# <y> Q))"),
    ]);
}

#[test]
fn blocks_records_and_literals() {
    check(&[
        ("IF a THEN b ELSIF c THEN d ELSE e END + 1", "(+ (if a b c d e) 1)"),
        ("LET x, y BE x = 1 & y = 2 IN x + y END", "(let <x y> (& (= x 1) (= y 2)) (+ x y))"),
        ("rec(a : 1, (b : TRUE))", "(rec a:1 b:TRUE)"),
        ("struct(a : INT)'a", "(field (struct a:INT) a)"),
        ("[x, y := 1, 2] P & Q", "(& (wp x:1 y:2 P) Q)"),
        ("[x := 1] x = y & Q", "(& (wp x:1 (= x y)) Q)"),
        ("{} \\/ ∅ \\/ [] \\/ <> \\/ < >", "(\\/ (\\/ (\\/ (\\/ {} {}) []) []) [])"),
        ("0x1F + 007", "(+ 31 007)"),
        ("1.5e-3 + 2.0 + 1..3", "(.. (+ (+ 1.5e-3 2.0) 1) 3)"),
        (
            r#""a\"b" ^ '''c'd
e'''"#,
            r#"(^ "a\"b" "c'd\ne")"#,
        ),
        ("```t$x```", "\"t$x\""),
        ("`MACHINE` + `a b`", "(+ MACHINE a b)"),
        ("@finite(S) & @partition(S,A,B)", "(& (@finite S) (@partition S A B))"),
        ("bool(x = y)", "(bool (= x y))"),
        ("floor(1.5) + real(2)", "(+ (floor 1.5) (real 2))"),
        ("{} ⦂ POW(INT)", "(oftype {} (POW INT))"),
    ]);
}

#[test]
fn tree_words_are_built_in_only_before_a_parenthesis() {
    check(&[
        ("top(t) + top", "(+ (top t) top)"),
        ("bin(x) /= bin(a, x, b)", "(/= (bin x) (bin a x b))"),
        ("`top`(t)", "(call top t)"),
        ("left'right", "(field left right)"),
    ]);
    assert_eq!(formula_problems("rank(t)"), ["1:1 B0215 `rank` takes 2 arguments, but gets 1"]);
}

#[test]
fn late_keywords_are_names_in_texts_that_use_them_so() {
    assert_eq!(formula("floor = 1 & floor(x) = 2"), "(& (= floor 1) (= (call floor x) 2))");
    assert_eq!(formula("real(x) = ceiling(y)"), "(= (real x) (ceiling y))");
}

#[test]
fn labels_and_descriptions_belong_to_operands_of_and() {
    check(&[
        ("/*@label a*/ P & /*@label \"b c\"*/ Q => R", "(=> (& (label a P) (label b c Q)) R)"),
        ("P /*@desc one two*/ & Q /*@desc q*/", "(& (desc P \"one two\") (desc Q \"q\"))"),
        ("x = 1 <=> y = 2 /*@desc d*/", "(desc (<=> (= x 1) (= y 2)) \"d\")"),
        ("/*@ label l */ P /*@ desc d */", "(label l (desc P \"d\"))"),
    ]);
}

#[test]
fn glyphs_mean_what_their_ascii_spellings_mean() {
    let pairs = [
        ("a ⇒ b ∨ ¬(c)", "a => b or not(c)"),
        ("x ∈ ℕ ∧ y ∉ ℕ1 ∧ z ∈ ℕ₁", "x : NATURAL & y /: NATURAL1 & z : NATURAL1"),
        ("A ⊆ B ⇔ A ⊂ C", "A <: B <=> A <<: C"),
        ("A ⊈ B ∧ A ⊄ B", "A /<: B & A /<<: B"),
        ("A ↔ B ⇸ C → D ↣ E", "A <-> B +-> C --> D >-> E"),
        ("A ⤔ B ⤀ C ↠ D ⤖ E", "A >+> B +->> C -->> D >->> E"),
        ("A ∪ B ∩ C ∖ D × E", "A \\/ B /\\ C \\ D × E"),
        ("a ↦ b ‥ c", "a |-> b .. c"),
        ("f \u{E103} g ⋖ h ◁ i ⩤ j ▷ k ⩥ l", "f <+ g <+ h <| i <<| j |> k |>> l"),
        ("ℙ(ℤ) ∪ ℙ1(𝔹)", "POW(INTEGER) \\/ POW1(BOOL)"),
        ("λx·(⊤∣x) = ∅", "%x.(btrue|x) = {}"),
        ("⋃(x)·(P|x) ∪ ⋂(x)·(P|x)", "UNION(x).(P|x) \\/ INTER(x).(P|x)"),
        ("∑(x)·(P|x) ÷ ∏(x)·(P|x)", "SIGMA(x).(P|x) / PI(x).(P|x)"),
        ("a ≤ b ∧ c ≥ d ∧ e ≠ f", "a <= b & c >= d & e /= f"),
        ("−a −−> b |−> c", "-a --> b |-> c"),
        ("a ∗ b ˄ c − d", "a * b ** c - d"),
        ("(f ∥ g) ⊗ s ⌒ t ⇾ u ⇽ v ↑ 1 ↓ 2", "(f || g) >< s ^ t -> u <- v /|\\ 1 \\|/ 2"),
    ];
    for (glyphs, ascii) in pairs {
        assert_eq!(formula(glyphs), formula(ascii), "{glyphs}");
    }
    assert_eq!(formula("A ⊇ B & S ∋ x"), "(& (<: B A) (: x S))");
    assert_eq!(formula("x₁′ = été"), "(= x₁′ été)");
}

#[test]
fn longest_match_decides() {
    check(&[
        ("x<-1", "(<- x 1)"),
        ("x> -1 & x>-1", "(& (> x (neg 1)) (> x (neg 1)))"),
        ("A>->B", "(>-> A B)"),
        ("a/\\b*c", "(/\\ a (* b c))"),
        ("a**b", "(** a b)"),
        ("s=<>", "(= s [])"),
        ("{x|x>0}", "(such <x> (> x 0))"),
    ]);
}
