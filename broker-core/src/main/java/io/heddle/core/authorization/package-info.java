/**
 * Authorization: decides what an authenticated client may do.
 *
 * <p>Entry class: {@link io.heddle.core.authorization.TopicRules}, called on the publisher's event loop. Immutable and
 * thread-safe. It only knows topics reserved for the broker; rules defined by an administrator do not exist yet.
 */
@NullMarked
package io.heddle.core.authorization;

import org.jspecify.annotations.NullMarked;
