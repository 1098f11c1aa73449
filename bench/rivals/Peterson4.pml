/* Peterson4.mch for Spin: 903,452 states, 3,208,325 transitions. Statement merging is switched off
   (-o1 -o3), so that every statement is a step, as in the machine. */
#define COUNT 4
byte level[COUNT];
byte latest[COUNT];
byte inside;

active [COUNT] proctype filter() {
  byte l = 0;
  byte k = 0;
  do
  :: l = 1;
     do
     :: l < COUNT ->
        level[_pid] = l;
        latest[l] = _pid;
        k = 0;
        do
        :: atomic {
             k < COUNT && (latest[l] != _pid || k == _pid || level[k] < l) -> k++
           }
        :: k >= COUNT -> break
        od;
        l++
     :: l >= COUNT -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     level[_pid] = 0;
     l = 0;
     k = 0
  od
}
