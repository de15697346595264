/**
 * MQTT 3.1.1 and 5.0 as bytes, as far as a load generator speaks it, in our own words and without the broker's codec.
 *
 * <p>Enter at {@link io.heddle.perf.load.wire.PacketReader} for what comes in and {@link io.heddle.perf.load.wire.PacketWriter}
 * for what goes out; {@link io.heddle.perf.load.wire.Stamp} is what each payload begins with. No state, any thread. Invariant:
 * reading a PUBLISH or an acknowledgement and writing one allocate nothing. Deliberately not here: validation for its own sake
 * (UTF-8, unknown properties of a PUBLISH), topic aliases, wills, authentication exchange.
 */
@NullMarked
package io.heddle.perf.load.wire;

import org.jspecify.annotations.NullMarked;
