//! A listed set: its elements in order, each once.
//!
//! A sorted vector: sets are built once and then read, and a trace holds many of them.

use super::Value;

/// A finite set of values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Set(Box<[Value]>);

impl Set {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Is a value in it?
    pub fn contains(&self, value: &Value) -> bool {
        self.0.binary_search(value).is_ok()
    }

    /// The elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.0.iter()
    }

    /// The greatest element.
    pub fn last(&self) -> Option<&Value> {
        self.0.last()
    }

    /// The least element.
    pub fn first(&self) -> Option<&Value> {
        self.0.first()
    }

    /// The elements from the first one on that is not less than a value.
    pub fn from_on(&self, value: &Value) -> &[Value] {
        &self.0[self.0.partition_point(|v| v < value)..]
    }

    /// The pairs from the first one on whose first half is not less than a value.
    pub fn from_first(&self, left: &Value) -> &[Value] {
        let less = |v: &Value| matches!(v, Value::Pair(both) if both.0 < *left);
        &self.0[self.0.partition_point(less)..]
    }

    /// Is each of its elements in another set?
    pub fn is_subset(&self, other: &Set) -> bool {
        let mut rest = other.iter();
        self.len() <= other.len() && self.iter().all(|v| rest.by_ref().any(|o| o == v))
    }

    /// The elements of both.
    pub fn union(&self, other: &Set) -> Set {
        let mut all = Vec::with_capacity(self.len() + other.len());
        let (mut a, mut b) = (self.iter().peekable(), other.iter().peekable());
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            let order = x.cmp(y);
            if order.is_le() {
                all.extend(a.next().cloned());
            }
            if order.is_ge() {
                let next = b.next();
                all.extend(next.filter(|_| order.is_gt()).cloned());
            }
        }
        all.extend(a.chain(b).cloned());
        Set(all.into())
    }
}

/// A set in the making.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    values: Vec<Value>,
    /// So many of them are in order, each once.
    ordered: usize,
    /// Values that have no order: sets that cannot be listed, or with such inside.
    pub odd: Vec<Value>,
}

impl Gathered {
    /// Adds a value that may be there already; `false` if there are certainly more than `most`
    /// then.
    pub fn add(&mut self, value: Value, most: usize) -> bool {
        self.values.push(value);
        // Repeated values are thrown out only when it is worth it.
        if self.values.len() > most.max(2 * self.ordered) {
            self.order();
        }
        self.ordered <= most
    }

    fn order(&mut self) {
        self.values.sort_unstable();
        self.values.dedup();
        self.ordered = self.values.len();
    }

    /// The odd ones, and the others in order, each once.
    pub fn finish(mut self) -> (Vec<Value>, Vec<Value>) {
        self.order();
        (self.odd, self.values)
    }
}

impl FromIterator<Value> for Set {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Set {
        let mut all: Vec<Value> = values.into_iter().collect();
        if !all.is_sorted_by(|a, b| a < b) {
            all.sort_unstable();
            all.dedup();
        }
        Set(all.into())
    }
}

impl<'a> IntoIterator for &'a Set {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[i64]) -> Set {
        numbers.iter().map(|n| Value::int(*n)).collect()
    }

    #[test]
    fn each_element_once_and_in_order() {
        assert_eq!(set(&[3, 1, 2, 3, 1]), set(&[1, 2, 3]));
        assert_eq!(set(&[2, 1]).iter().collect::<Vec<_>>(), [&Value::int(1), &Value::int(2)]);
        assert!(set(&[5, 7]).contains(&Value::int(7)) && !set(&[5, 7]).contains(&Value::int(6)));
        assert_eq!(set(&[1, 4, 9]).from_on(&Value::int(2)), [Value::int(4), Value::int(9)]);
    }

    #[test]
    fn union_and_inclusion_agree_with_lists() {
        let sets = [&[][..], &[1], &[1, 2], &[2, 3, 5], &[1, 5], &[4]].map(set);
        for a in &sets {
            for b in &sets {
                let both: Set = a.iter().chain(b).cloned().collect();
                assert_eq!(a.union(b), both);
                assert_eq!(a.is_subset(b), a.iter().all(|v| b.contains(v)));
            }
        }
    }
}
