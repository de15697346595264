/**
 * The clients and topics with the most messages, bytes and connections in the last half to whole minute.
 *
 * <p>Entry: {@link io.heddle.core.client.activity.Activity}. Each event loop owns its {@link io.heddle.core.client.activity.LoopActivity}, whose
 * memory is bounded. Above {@value io.heddle.core.client.activity.Sampler#PER_SECOND} events a second, an event loop counts a random sample of
 * them, so that the cost does not grow with the load. Messages that clients have missed are in {@link io.heddle.core.client.PastMessages}.
 */
@NullMarked
package io.heddle.core.client.activity;

import org.jspecify.annotations.NullMarked;
