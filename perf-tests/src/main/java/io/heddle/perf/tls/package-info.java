/**
 * What TLS costs a node, for each implementation and for plain TCP.
 *
 * <p>Enter at {@link io.heddle.perf.tls.TlsCost}, a program of its own: the figures are the processor time of the threads of the server, which
 * JMH does not measure, and the memory of its process.
 */
@NullMarked
package io.heddle.perf.tls;

import org.jspecify.annotations.NullMarked;
