/**
 * Who may administer the broker: the people and tools that sign in to its REST interface and console.
 *
 * <p>Entry class: {@link io.heddle.core.administration.AdminUsers}, a port that may block and is called on virtual threads only;
 * {@link io.heddle.core.administration.FirstAdministrator} uses it at start.
 * Invariant: a cluster's first administrator is created exactly once, however many nodes start together, and
 * not before somebody was told the password. Comes after {@code
 * authentication} in the staircase, whose password hash it shares, and is used by no other package of core: MQTT clients and
 * administrators are different people with different passwords. Signing in and what a role may do is not decided here, but
 * where the interface is.
 */
@NullMarked
package io.heddle.core.administration;

import org.jspecify.annotations.NullMarked;
