/** Links between simulated processes, in virtual time. Frames wait, connections break and directions are cut as the faults require. */
@NullMarked
package io.heddle.core.simulation.link;

import org.jspecify.annotations.NullMarked;
