/* Philosophers13.mch for Spin: 1,594,322 states, 13,817,454 transitions.
   All hold their left fork in one state: run with -E, which does not mind. */
#define SEATS 13
bit taken[SEATS];

active [SEATS] proctype philosopher() {
  byte left = _pid;
  byte right = (_pid + 1) % SEATS;
  do
  :: atomic { taken[left] == 0 -> taken[left] = 1 };
     atomic { taken[right] == 0 -> taken[right] = 1 };
     taken[left] = 0;
     taken[right] = 0
  od
}
