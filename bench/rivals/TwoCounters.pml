/* TwoCounters.mch for Spin: 1,000,000 states, 3,996,000 transitions. */
#define TOP 999
short a, b;

active proctype counters() {
  do
  :: atomic { a < TOP -> a++ }
  :: atomic { a > 0   -> a-- }
  :: atomic { b < TOP -> b++ }
  :: atomic { b > 0   -> b-- }
  od
}
