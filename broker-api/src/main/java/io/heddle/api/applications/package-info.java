/**
 * The logs of APPLICATION clients: their sizes, the lag of the clients, and changes of their positions.
 *
 * <p>Entry class: {@link io.heddle.api.applications.ApplicationController}, on the virtual thread of the request. The holder of the
 * client's bucket changes a position, whichever node is asked. A change is durable when it is answered, and skips no message that was
 * published afterwards.
 */
@NullMarked
package io.heddle.api.applications;

import org.jspecify.annotations.NullMarked;
