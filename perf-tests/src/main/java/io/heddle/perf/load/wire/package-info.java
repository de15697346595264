/**
 * The subset of MQTT 3.1.1 and 5.0 that a load generator needs, implemented independently of the broker's codec.
 *
 * <p>Enter at {@link io.heddle.perf.load.wire.PacketReader} for received and {@link io.heddle.perf.load.wire.PacketWriter} for sent
 * packets; each payload begins with a {@link io.heddle.perf.load.wire.Stamp}. No state, any thread. Invariant: reading a PUBLISH or an
 * acknowledgement and writing one allocate nothing. Deliberately not here: validation for its own sake (UTF-8, unknown properties of a
 * PUBLISH), topic aliases, wills, authentication exchange.
 */
@NullMarked
package io.heddle.perf.load.wire;

import org.jspecify.annotations.NullMarked;
