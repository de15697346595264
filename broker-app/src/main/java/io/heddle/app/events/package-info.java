/**
 * The settings of the events of clients, and the phase that publishes them.
 *
 * <p>Entry class: {@link io.heddle.app.events.EventPublishing}, with one housekeeping thread while events are published, and none if no kind of
 * event is switched on. Core tells what happens to clients; the adapter for Kafka writes it.
 */
@NullMarked
package io.heddle.app.events;

import org.jspecify.annotations.NullMarked;
