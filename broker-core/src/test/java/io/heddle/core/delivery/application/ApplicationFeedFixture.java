package io.heddle.core.delivery.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.OutboundQueue.StoredMessage;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.testkit.InMemoryApplicationLogs;
import io.heddle.core.testkit.InMemoryChangeLog;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingFeedListener;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Feeds of one session with logs, an event loop and a routing lease that the test controls. */
abstract class ApplicationFeedFixture {
    static final ClientId APP = new ClientId("billing");
    static final long GENERATION = 5;
    static final long SPAN = 100;
    static final Duration BATCH_DELAY = Duration.ofMillis(100);

    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final ManualEventLoop loop = new ManualEventLoop(0);
    final InMemoryApplicationLogs logs = new InMemoryApplicationLogs();
    final InMemoryChangeLog<ProgressKey, Progress> progressLog = new InMemoryChangeLog<>();
    final RecordingFeedListener heard = new RecordingFeedListener();
    long leaseNanos;
    final RoutingLease lease = new RoutingLease(Duration.ofSeconds(5), () -> leaseNanos, metrics);
    ApplicationSessions sessions = new ApplicationSessions(logs, progressLog, lease, metrics);
    long epoch = GENERATION;

    ApplicationFeedFixture() {
        lease.renew(leaseNanos);
        sessions.follow(_ -> {});
        sessions.begin(APP, GENERATION).toCompletableFuture().join();
    }

    /** Opens a feed of a new connection. */
    ApplicationFeed opened() {
        epoch++;
        return sessions.open(new ProgressKey(APP, GENERATION, epoch), SPAN, loop, heard);
    }

    ApplicationFeed started() {
        ApplicationFeed feed = opened();
        feed.begin();
        loop.runTasks();
        return feed;
    }

    /** Restarts the node after a crash. */
    void restart() {
        sessions = new ApplicationSessions(logs, progressLog, lease, metrics);
        sessions.follow(_ -> {});
        take(sessions);
    }

    static void take(ApplicationSessions by) {
        by.take(0, _ -> true, Map.of(APP, GENERATION)).toCompletableFuture().join();
    }

    void append(String... payloads) {
        append(GENERATION, payloads);
    }

    void append(long generation, String... payloads) {
        for (String payload : payloads) {
            logs.append(new ToApplication(APP, generation, message(payload), QoS.EXACTLY_ONCE, false, List.of(3)));
        }
        loop.runTasks();
    }

    static PublishMessage message(String payload) {
        return PublishMessages.message("a", QoS.EXACTLY_ONCE, payload);
    }

    List<String> drain(ApplicationFeed feed) {
        List<String> drained = new ArrayList<>();
        for (StoredMessage fed = feed.peek(); fed != null; fed = feed.peek()) {
            drained.add(fed.sequence() + " "
                    + PublishMessages.text(fed.message())
                    + (fed.duplicate() ? " again" : "")
                    + (fed.received() ? " received" : ""));
            feed.take();
            loop.runTasks();
        }
        return drained;
    }

    Map<ProgressKey, Progress> stored() {
        Map<ProgressKey, Progress> stored = new HashMap<>();
        progressLog.changes().forEach(change -> {
            Progress progress = change.value();
            if (progress == null) {
                stored.remove(change.key());
            } else {
                stored.put(change.key(), progress);
            }
        });
        return stored;
    }

    Progress last() {
        Map<ProgressKey, Progress> stored = stored();
        assertThat(stored).containsOnlyKeys(new ProgressKey(APP, GENERATION, epoch));
        return stored.values().iterator().next();
    }

    /** Returns the number of records of progress that were written. */
    double written() {
        return metrics.get("heddle.applications.progress").counter().count();
    }
}
