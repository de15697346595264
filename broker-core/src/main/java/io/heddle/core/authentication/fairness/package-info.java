/**
 * Fairness among sign-ins: no network and no name keeps the others from signing in.
 *
 * <p>Entry classes: {@link io.heddle.core.authentication.fairness.SignInTurns} orders those that wait for something expensive, {@link
 * io.heddle.core.authentication.fairness.PendingSignIns} bounds their number, and {@link
 * io.heddle.core.authentication.fairness.SignInFailures} counts recent failures, which delay refusals and lower the priority. {@link
 * io.heddle.core.authentication.fairness.ConnectRates} limits how many clients connect in a second. The others know an
 * attempt by its {@link io.heddle.core.authentication.fairness.SignInSource} only. Called from any thread; only turns block.
 */
@NullMarked
package io.heddle.core.authentication.fairness;

import org.jspecify.annotations.NullMarked;
