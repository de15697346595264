/**
 * The topics {@code $SYS/broker/…}, with which clients read the figures of the broker.
 *
 * <p>Enter at {@link io.heddle.core.sys.SysStatus}, which computes the values from the meters at an interval, and {@link
 * io.heddle.core.sys.SysTopics}, which has the current values for new subscriptions. One thread updates them; the event loops deliver. The
 * values are in no log and count for no limit of retained messages. Nothing here is called for a message of a client.
 */
@NullMarked
package io.heddle.core.sys;

import org.jspecify.annotations.NullMarked;
