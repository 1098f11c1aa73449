//! Canonical labelling of coloured graphs, by nauty (McKay & Piperno).
//!
//! [`Labeller::order`] puts the vertices of a coloured digraph into an order that depends on the
//! graph up to isomorphism only. This crate refuses to know what the graph stands for.
//!
//! The C sources of nauty lie in `nauty/`, unchanged, under the Apache License 2.0 (see
//! `nauty/COPYRIGHT`). The only `unsafe` code of the workspace that calls C is in this file.

use std::ffi::c_int;

// SAFETY of the declaration: it repeats the one function in `door.c`.
#[allow(unsafe_code)]
unsafe extern "C" {
    fn beeline_nauty(
        n: c_int,
        m: c_int,
        graph: *mut u64,
        lab: *mut c_int,
        ptn: *mut c_int,
        orbits: *mut c_int,
        canonical: *mut u64,
    ) -> c_int;
}

/// Graphs with more vertices than this are refused: the matrix would take more than 8 MiB.
pub const MAX_VERTICES: usize = 8192;

/// Space for one labelling after the other.
#[derive(Debug, Default)]
pub struct Labeller {
    graph: Vec<u64>,
    canonical: Vec<u64>,
    lab: Vec<c_int>,
    ptn: Vec<c_int>,
    orbits: Vec<c_int>,
    n: usize,
    m: usize,
}

impl Labeller {
    /// Begins a graph without edges. `false`: it is too large.
    pub fn begin(&mut self, vertices: usize) -> bool {
        if vertices > MAX_VERTICES {
            return false;
        }
        self.n = vertices;
        self.m = vertices.div_ceil(64);
        self.graph.clear();
        self.graph.resize(self.n * self.m, 0);
        true
    }

    /// Adds an edge. Vertices that are out of range are ignored.
    pub fn edge(&mut self, from: usize, to: usize) {
        if from < self.n && to < self.n {
            // nauty counts bits from the left.
            self.graph[from * self.m + to / 64] |= 1 << (63 - to % 64);
        }
    }

    /// All vertices in canonical order. `cells` are the colours: vertices of one colour, one
    /// colour after the other; each vertex must be in exactly one. `None`: nauty gave up, or the
    /// cells are not a partition.
    pub fn order(&mut self, cells: &[Vec<usize>]) -> Option<Vec<usize>> {
        self.lab.clear();
        self.ptn.clear();
        let mut seen = vec![false; self.n];
        for cell in cells {
            for (i, vertex) in cell.iter().enumerate() {
                if std::mem::replace(seen.get_mut(*vertex)?, true) {
                    return None;
                }
                self.lab.push(*vertex as c_int);
                self.ptn.push(c_int::from(i + 1 < cell.len()));
            }
        }
        if self.lab.len() != self.n {
            return None;
        }
        if self.n == 0 {
            return Some(Vec::new());
        }
        self.orbits.clear();
        self.orbits.resize(self.n, 0);
        self.canonical.clear();
        self.canonical.resize(self.n * self.m, 0);
        // SAFETY: all buffers have the sizes nauty asks for (n * m words, n numbers), and `lab`
        // is a permutation of 0..n by the check above. nauty keeps no pointer to them.
        #[allow(unsafe_code)]
        let status = unsafe {
            beeline_nauty(
                self.n as c_int,
                self.m as c_int,
                self.graph.as_mut_ptr(),
                self.lab.as_mut_ptr(),
                self.ptn.as_mut_ptr(),
                self.orbits.as_mut_ptr(),
                self.canonical.as_mut_ptr(),
            )
        };
        (status == 0).then(|| self.lab.iter().map(|v| *v as usize).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The edges of a graph in canonical order.
    fn form(n: usize, edges: &[(usize, usize)], cells: &[Vec<usize>]) -> Vec<(usize, usize)> {
        let mut labeller = Labeller::default();
        assert!(labeller.begin(n));
        edges.iter().for_each(|(a, b)| labeller.edge(*a, *b));
        let order = labeller.order(cells).unwrap();
        let place = |v: usize| order.iter().position(|o| *o == v).unwrap();
        let mut all: Vec<_> = edges.iter().map(|(a, b)| (place(*a), place(*b))).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn isomorphic_graphs_have_one_form() {
        let one = vec![(0..6).collect::<Vec<_>>()];
        let ring = form(6, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)], &one);
        let same = form(6, &[(3, 1), (1, 5), (5, 0), (0, 2), (2, 4), (4, 3)], &one);
        let two = form(6, &[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], &one);
        assert_eq!(ring, same);
        assert_ne!(ring, two);
    }

    #[test]
    fn colours_are_kept_apart() {
        let edges = [(0, 1)];
        let first = form(3, &edges, &[vec![0], vec![1, 2]]);
        let second = form(3, &edges, &[vec![1], vec![0, 2]]);
        assert_ne!(first, second);
    }

    #[test]
    fn what_is_no_partition_is_refused() {
        let mut labeller = Labeller::default();
        assert!(!labeller.begin(MAX_VERTICES + 1));
        assert!(labeller.begin(3));
        assert_eq!(labeller.order(&[vec![0, 1]]), None);
        assert_eq!(labeller.order(&[vec![0, 1], vec![1]]), None);
        assert_eq!(labeller.order(&[vec![0, 1, 7]]), None);
        assert!(labeller.order(&[vec![2], vec![0, 1]]).is_some());
    }

    #[test]
    fn threads_do_not_share_space() {
        let one = vec![(0..40).collect::<Vec<_>>()];
        let forms: Vec<_> = std::thread::scope(|scope| {
            let run = |shift: usize| {
                let edges: Vec<_> =
                    (0..40).map(|i| ((i * 7 + shift) % 40, ((i + 1) * 7 + shift) % 40)).collect();
                (0..50).map(|_| form(40, &edges, &one)).collect::<Vec<_>>()
            };
            let all: Vec<_> = (0..4).map(|t| scope.spawn(move || run(t))).collect();
            all.into_iter().flat_map(|t| t.join().unwrap()).collect()
        });
        assert!(forms.windows(2).all(|w| w[0] == w[1]));
    }
}
