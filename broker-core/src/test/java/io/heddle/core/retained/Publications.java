package io.heddle.core.retained;

import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.changelog.LogFollower;
import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.InMemoryChangeLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Creates messages to retain, controls the clock, and lists the messages that a filter finds. */
final class Publications {
    static final int LEVELS = 64;
    static final RetainedLimits ROOMY = new RetainedLimits(Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, 0);

    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final InMemoryChangeLog<TopicName, PublishMessage> log = new InMemoryChangeLog<>();
    private final AtomicLong nanos = new AtomicLong();
    final SteadyClock clock = new SteadyClock(() -> Instant.ofEpochSecond(1_000), nanos::get);

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    RetainedMessages retained(RetainedLimits limits) {
        return new RetainedMessages(limits, clock, metrics);
    }

    /** Lets a node apply the records of the log at once. */
    RetainedMessages following(RetainedLimits limits) {
        RetainedMessages following = retained(limits);
        log.follow(new LogFollower<>() {
            @Override
            public void onStart(List<Long> ends) {}

            @Override
            public boolean hasRoom() {
                return true;
            }

            @Override
            public void onRecord(int partition, long offset, Change<TopicName, PublishMessage> record) {
                following.apply(record, offset);
            }

            @Override
            public void onReached(int partition, long next) {}

            @Override
            public void onLost(String reason) {
                throw new AssertionError(reason);
            }
        });
        return following;
    }

    PublishMessage message(String topic, String payload) {
        return by("publisher", topic, payload);
    }

    PublishMessage by(String client, String topic, String payload) {
        return message(client, topic, payload, PublishProperties.NONE);
    }

    PublishMessage expiring(String topic, String payload, long seconds) {
        return message("publisher", topic, payload, PublishProperties.NONE.withMessageExpirySeconds(seconds));
    }

    PublishMessage message(String client, String topic, String payload, PublishProperties properties) {
        return PublishMessage.receivedAt(
                clock,
                new ClientId(client),
                TopicName.parse(topic, LEVELS),
                QoS.AT_LEAST_ONCE,
                true,
                properties,
                BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8)));
    }

    double counted(String counter) {
        return metrics.get(counter).counter().count();
    }

    double refused(RetainOutcome.Refused reason) {
        return metrics.get("heddle.retained.refused")
                .tag("reason", reason.tag())
                .counter()
                .count();
    }

    static RetainedCursor cursor(RetainedMessages retained, String filter) {
        return retained.matching(TopicFilter.parse(filter, LEVELS));
    }

    /** Returns the messages that a filter finds as topic=payload, in iteration order. */
    static List<String> found(RetainedMessages retained, String filter) {
        List<String> found = new ArrayList<>();
        RetainedCursor cursor = cursor(retained, filter);
        while (!cursor.isDone()) {
            PublishMessage message = cursor.next(3);
            if (message != null) {
                found.add(message.topic() + "=" + text(message));
            }
        }
        return found;
    }

    static String text(PublishMessage message) {
        return new String(message.payload().array(), StandardCharsets.UTF_8);
    }
}
