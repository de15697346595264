/**
 * Health and readiness of this node, as reported by {@code /actuator/health}.
 *
 * <p>Entry class: {@link io.heddle.app.health.StoresReadiness}. One housekeeping thread for each store runs the checks; any thread may read
 * their latest results. Requests never query a store, because they need no sign-in.
 */
@NullMarked
package io.heddle.app.health;

import org.jspecify.annotations.NullMarked;
