/**
 * The last message of each topic, for whoever subscribes later.
 *
 * <p>Entry classes: {@link io.heddle.core.retained.RetainedMessages}, where publishing stores them, and
 * {@link io.heddle.core.retained.RetainedCursor}, which finds those of a topic filter in steps of bounded work. Any thread stores:
 * one lock, held for one topic. Readers are lock-free and see each message whole. What is kept is bounded by
 * {@link io.heddle.core.retained.RetainedLimits}; nothing is evicted to make room. Not here: who may publish or subscribe, whether a
 * subscription wants retained messages, and how they are sent.
 */
@NullMarked
package io.heddle.core.retained;

import org.jspecify.annotations.NullMarked;
