/**
 * Construction of the services, and ordered start and stop.
 *
 * <p>Entry class: {@link io.heddle.core.lifecycle.Broker}, whose phases start in order and stop in reverse on the calling thread.
 * A phase that cannot start throws a {@link io.heddle.core.lifecycle.StartupException} with one sentence for the operator. The
 * application defines the phases. {@link io.heddle.core.lifecycle.BrokerCore} constructs the services of core from its ports, for the
 * application and for tests. {@link io.heddle.core.lifecycle.Node} provides the status of the running node.
 */
@NullMarked
package io.heddle.core.lifecycle;

import org.jspecify.annotations.NullMarked;
