/**
 * Several nodes on one machine, for {@code ./heddle --nodes}: the options, ports and processes of the nodes.
 *
 * <p>Entry class: {@link io.heddle.app.nodes.NodeProcess}. Any thread. The process that supervises the nodes runs the bundled servers;
 * {@code io.heddle.app.start} starts both and stops the nodes before the servers.
 */
@NullMarked
package io.heddle.app.nodes;

import org.jspecify.annotations.NullMarked;
