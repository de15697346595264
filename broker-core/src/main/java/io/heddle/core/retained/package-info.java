/**
 * Retained messages: the last message of each topic, for later subscribers.
 *
 * <p>Entry classes: {@link io.heddle.core.retained.RetainedMessages}, which stores them, and
 * {@link io.heddle.core.retained.RetainedCursor}, which finds those of a topic filter in steps of bounded work. Any thread
 * stores: one lock, held for one topic. Readers are lock-free and see each message complete.
 * {@link io.heddle.core.retained.RetainedLimits} bounds the memory; nothing is evicted. Decided elsewhere: who may publish or
 * subscribe, whether a subscription requests retained messages, and how they are sent.
 */
@NullMarked
package io.heddle.core.retained;

import org.jspecify.annotations.NullMarked;
