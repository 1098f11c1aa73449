/* The one function that Rust calls: canonical labelling of a vertex-coloured digraph. Options are
   filled in here, so that Rust need not know how nauty lays them out. */
#include "nauty.h"

int beeline_nauty(int n, int m, graph *g, int *lab, int *ptn, int *orbits, graph *canonical)
{
    static DEFAULTOPTIONS_GRAPH(defaults);
    optionblk options = defaults;
    statsblk stats;
    options.getcanon = TRUE;
    options.digraph = TRUE;
    options.defaultptn = FALSE;
    densenauty(g, lab, ptn, orbits, &options, &stats, m, n, canonical);
    return stats.errstatus;
}
