/**
 * The logs of APPLICATION clients: their sizes, the lag of the clients, and changes of their positions. Entry class: {@link
 * io.heddle.api.applications.ApplicationController}, on the virtual thread of the request. The holder of the client's bucket changes a
 * position; any node is asked.
 */
@NullMarked
package io.heddle.api.applications;

import org.jspecify.annotations.NullMarked;
