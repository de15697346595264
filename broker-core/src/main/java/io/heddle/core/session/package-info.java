/**
 * One client's stateful conversation, from CONNECT to the end of its connection.
 *
 * <p>Entry classes: {@link io.heddle.core.session.ConnectService} and then {@link io.heddle.core.session.ClientSession}. A session is
 * confined to its connection's event loop, asserted at every entry; the only thing that other threads touch is the map of
 * connected clients. At most one session of a client id is alive on a node. Bytes are not known here.
 */
@NullMarked
package io.heddle.core.session;

import org.jspecify.annotations.NullMarked;
