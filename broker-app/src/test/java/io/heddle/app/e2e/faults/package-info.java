/**
 * Faults at random in a cluster of broker processes under load, and the ledger that proves that nothing acknowledged was lost.
 *
 * <p>Entry class: {@link io.heddle.app.e2e.faults.ClusterFaultsIT}. The clients and the ledger belong to one event loop; the faults come
 * from the test thread. Servers and processes are those of {@code io.heddle.app.e2e} and {@code io.heddle.app.launcher}.
 */
@NullMarked
package io.heddle.app.e2e.faults;

import org.jspecify.annotations.NullMarked;
