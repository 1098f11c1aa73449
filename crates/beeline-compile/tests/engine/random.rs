//! Random predicates over small domains: what the planner and the solver find is what plain
//! testing of every candidate finds.

use crate::common::solutions;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn int(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.pick(&["x", "y", "0", "1", "2"]).into();
        }
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        match self.below(7) {
            0 => format!("({a}+{b})"),
            1 => format!("({a}-{b})"),
            2 => format!("({a}*{b})"),
            3 => "card(s)".into(),
            4 => format!("card(f[{{{a}}}])"),
            5 => format!("SIGMA(z).(z:s|z+{a})"),
            _ => a,
        }
    }

    fn set(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.pick(&["s", "{x}", "{x,y}", "(0..2)", "dom(f)", "ran(f)", "{}"]).into();
        }
        let (a, b) = (self.set(depth - 1), self.set(depth - 1));
        match self.below(6) {
            0 => format!("({a}\\/{b})"),
            1 => format!("({a}/\\{b})"),
            2 => format!("({a}-{b})"),
            3 => format!("f[{a}]"),
            4 => format!("{{w|w:{a} & w>{}}}", self.int(0)),
            _ => a,
        }
    }

    fn pred(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 7 } else { 12 }) {
            0 => format!("{}={}", self.int(1), self.int(1)),
            1 => format!("{}/={}", self.int(1), self.int(1)),
            2 => format!("{}<={}", self.int(1), self.int(1)),
            3 => format!("{}:{}", self.int(1), self.set(1)),
            4 => format!("{}/:{}", self.int(0), self.set(1)),
            5 => format!("{}<:{}", self.set(1), self.set(1)),
            6 => format!("{}={}", self.set(1), self.set(1)),
            7 => format!("({} & {})", self.pred(depth - 1), self.pred(depth - 1)),
            8 => format!("({} or {})", self.pred(depth - 1), self.pred(depth - 1)),
            9 => format!("not({})", self.pred(depth - 1)),
            10 => format!("({} => {})", self.pred(depth - 1), self.pred(depth - 1)),
            _ => format!("#v.(v:{} & v+x>{})", self.set(1), self.int(0)),
        }
    }
}

#[test]
fn solver_and_plain_tests_agree() {
    let mut r = Random(0x9E37_79B9_7F4A_7C15);
    let types = "x:0..2 & y:0..2 & s<:0..2 & f:0..2 +-> 0..2";
    // More on demand: BEELINE_ROUNDS=100000.
    let rounds = std::env::var("BEELINE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    for round in 0..rounds {
        let n = 1 + r.below(3);
        let preds: Vec<String> = (0..n).map(|_| r.pred(1)).collect();
        let wanted = preds.join(" & ");
        // bool(...) = TRUE hides the conjuncts from planner and solver: everything is listed.
        let (plain, c1) = solutions("x,y,s,f", &format!("{types} & bool({wanted}) = TRUE"));
        let (solved, c2) = solutions("x,y,s,f", &format!("{types} & {wanted}"));
        assert!(c1 && c2, "round {round}: {wanted}");
        assert_eq!(plain, solved, "round {round}: {wanted}");
    }
}
