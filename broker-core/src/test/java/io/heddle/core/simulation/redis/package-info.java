/** A Redis in virtual time that is slow, away or rolled back on demand, and adapters that implement core's ports on it. */
@NullMarked
package io.heddle.core.simulation.redis;

import org.jspecify.annotations.NullMarked;
