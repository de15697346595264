/**
 * May you? Decides what a client that is known may do.
 *
 * <p>Entry class: {@link io.heddle.core.authorization.TopicRules}, asked on the publisher's event loop. Immutable, so any thread
 * may ask. It knows the topics that belong to the broker itself; rules that an administrator writes are not here.
 */
@NullMarked
package io.heddle.core.authorization;

import org.jspecify.annotations.NullMarked;
