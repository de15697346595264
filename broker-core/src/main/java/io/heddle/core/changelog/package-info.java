/**
 * Logs of changes that every node follows and keeps in memory.
 *
 * <p>Entry interfaces: {@link io.heddle.core.changelog.ChangeLog}, the port of a map, and {@link io.heddle.core.changelog.LogFollower},
 * which receives the records of a log on a thread of that log. {@link io.heddle.core.changelog.FollowedChanges} applies the changes of a
 * map; {@link io.heddle.core.changelog.FollowedPositions} knows how far a log is applied. A {@link
 * io.heddle.core.changelog.ChangeCondition} lets a change take effect only if no other one has overtaken it. Invariant: a follower writes nothing. The
 * packages that use the maps decide what they contain; sessions have a log of their own in {@code session.persistent}.
 */
@NullMarked
package io.heddle.core.changelog;

import org.jspecify.annotations.NullMarked;
