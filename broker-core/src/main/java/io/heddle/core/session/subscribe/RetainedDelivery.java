package io.heddle.core.session.subscribe;

import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.retained.RetainedCursor;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSession.PendingRetained;
import io.heddle.core.subscription.Subscription;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends a client the retained messages of its new subscriptions, as fast as the client takes them: no message is looked up before
 * there is room for it. Owned by the event loop of the client's connection; the next connection of a persistent session continues the
 * unfinished deliveries.
 *
 * <p>Bounds: one delivery for each filter of the session, one after the other; only the current one has a cursor. The first few messages
 * are sent at once, the others in the background of the event loop, where all clients take turns. Messages above QoS 0 of a persistent
 * session are appended to its own queue or log, at most {@value #MAXIMUM_APPENDS} at a time. Messages that may be older than live ones are
 * sent later ({@link OvertakenMessages}).
 */
final class RetainedDelivery {
    private static final int MESSAGES_PER_STEP = 16;
    private static final int VISITS_PER_STEP = 256;
    private static final int MAXIMUM_APPENDS = 64;
    private static final Duration ADMISSION_PAUSE = Duration.ofMillis(50);
    // A live message is in the log by then, unless Kafka is slow.
    private static final Duration OVERTAKEN_PAUSE = Duration.ofSeconds(1);

    private final SessionHandle session;
    private final RetainedServices services;
    // By the text of the filter.
    private final Map<String, PendingRetained> deliveries;
    private final RetainedLookup lookup;
    // SUBSCRIBEs whose subscriptions have not been added yet.
    private int expected;
    // While a delivery is unfinished and other nodes publish, too.
    private @Nullable OvertakenMessages overtaken;
    // The number of the lookup of overtaken messages, or 0.
    private long secondLookup;
    private boolean awaitsSecondLookup;
    private boolean scheduled;
    // Messages that are being appended to the session's own queue or log.
    private int appends;
    private boolean awaitsAdmission;

    RetainedDelivery(SessionHandle session, RetainedServices services) {
        this(session, services, new LinkedHashMap<>());
    }

    /** @param unfinished deliveries of an earlier connection, by filter; owned by this object from now on */
    RetainedDelivery(SessionHandle session, RetainedServices services, Map<String, PendingRetained> unfinished) {
        this.session = session;
        this.services = services;
        this.lookup = new RetainedLookup(session, services.reads());
        this.deliveries = unfinished;
        deliveries.replaceAll((_, each) -> new PendingRetained(each.subscription(), lookup.add(), each.cursor()));
    }

    /** The unfinished deliveries by filter, for the next connection, which repeats those with overtaken messages. */
    Map<String, PendingRetained> unfinished() {
        if (overtaken != null) {
            for (String filter : overtaken.filters()) {
                Subscription subscription = session.subscriptions().byFilter().get(filter);
                if (subscription != null) {
                    deliveries.putIfAbsent(filter, new PendingRetained(subscription, lookup.add(), null));
                }
            }
        }
        return deliveries;
    }

    /** A SUBSCRIBE is being processed. {@link #whenKnown} follows when its subscriptions are added. */
    void expect() {
        expected++;
    }

    /** The session is sent a live message with RETAIN, without the log. */
    void onLive(PublishMessage message) {
        if (isFinished()) {
            return;
        }
        OvertakenMessages present = overtaken;
        if (present == null) {
            present = new OvertakenMessages();
            overtaken = present;
        }
        present.onLive(message);
    }

    private boolean isFinished() {
        return expected == 0 && deliveries.isEmpty() && (overtaken == null || overtaken.isEmpty());
    }

    /** Starts the delivery for a subscription that all nodes know; an unfinished one of the same filter ends. */
    void add(Subscription subscription) {
        String filter = subscription.topicFilter().value();
        deliveries.remove(filter);
        deliveries.put(filter, new PendingRetained(subscription, lookup.add(), null));
    }

    /** Runs a task, which sends SUBACK, when the messages of the added subscriptions are known, or if that takes long. */
    void whenKnown(Runnable task) {
        expected--;
        lookup.whenKnown(task);
    }

    /** The subscription has other options, which apply to its remaining messages [MQTT-3.8.4-8]. */
    void replace(Subscription subscription) {
        deliveries.computeIfPresent(
                subscription.topicFilter().value(),
                (_, pending) -> new PendingRetained(subscription, pending.number(), pending.cursor()));
    }

    /** The subscription was removed. */
    void remove(String filter) {
        deliveries.remove(filter);
    }

    /** Continues when the client takes more. */
    void proceed() {
        if (scheduled) {
            return;
        }
        // A large message fills the connection and may empty it at once, which continues the delivery within this step.
        scheduled = true;
        scheduled = step();
        if (!scheduled) {
            return;
        }
        session.eventLoop().inBackground(() -> {
            if (!session.isConnected()) {
                // The next connection continues the delivery.
                return false;
            }
            scheduled = step();
            return scheduled;
        });
    }

    /** Sends some messages; returns whether the client takes more of them now. */
    private boolean step() {
        OvertakenMessages present = overtaken;
        if (present != null) {
            sendOvertaken(present);
        }
        boolean hasMore = sendMatching();
        if (isFinished()) {
            overtaken = null;
        }
        return hasMore;
    }

    /** Looks up the topics of overtaken messages again. They are few. */
    private void sendOvertaken(OvertakenMessages present) {
        if (secondLookup != 0 && lookup.isKnown(secondLookup)) {
            secondLookup = 0;
            present.onKnown();
        }
        for (OvertakenMessages.Overtaken next = present.next(); next != null; next = present.next()) {
            Subscription subscription = session.subscriptions().byFilter().get(next.filter());
            if (subscription == null) {
                present.remove(null);
                continue;
            }
            if (!hasRoomFor(subscription.terms().maximumQos())) {
                return;
            }
            PublishMessage found = services.retained().find(next.topic());
            if (present.remove(found) && found != null) {
                deliver(found, subscription);
            }
        }
        if (present.hasWaiting()) {
            lookUpAgain();
        }
    }

    private void lookUpAgain() {
        if (!awaitsSecondLookup && secondLookup == 0) {
            awaitsSecondLookup = true;
            session.eventLoop().schedule(OVERTAKEN_PAUSE, () -> {
                awaitsSecondLookup = false;
                if (session.isConnected()) {
                    secondLookup = lookup.add();
                    session.proceed();
                }
            });
        }
    }

    private boolean sendMatching() {
        int messages = 0;
        long visits = 0;
        Iterator<Map.Entry<String, PendingRetained>> each =
                deliveries.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<String, PendingRetained> next = each.next();
            Subscription subscription = next.getValue().subscription();
            RetainedCursor cursor = next.getValue().cursor();
            if (cursor == null) {
                if (!lookup.isKnown(next.getValue().number())) {
                    return false;
                }
                if (visits >= VISITS_PER_STEP) {
                    return true;
                }
                cursor = services.retained().matching(subscription.topicFilter());
                next.setValue(new PendingRetained(subscription, next.getValue().number(), cursor));
                deliverSys(subscription);
            }
            while (!cursor.isDone()) {
                if (!hasRoomFor(subscription.terms().maximumQos())) {
                    return false;
                }
                if (messages >= MESSAGES_PER_STEP || visits >= VISITS_PER_STEP) {
                    return true;
                }
                long before = cursor.visited();
                PublishMessage message = cursor.next((int) (VISITS_PER_STEP - visits));
                visits += cursor.visited() - before;
                if (message != null) {
                    messages++;
                    if (overtaken != null && overtaken.isOvertaken(next.getKey(), message)) {
                        services.metrics().retainedOvertaken.increment();
                        lookUpAgain();
                    } else {
                        deliver(message, subscription);
                    }
                }
            }
            each.remove();
        }
        return false;
    }

    /** Returns whether the client takes a retained message of at most this QoS now. */
    private boolean hasRoomFor(QoS maximumQos) {
        if (!session.outbox().isWritable()) {
            return false;
        }
        if (maximumQos == QoS.AT_MOST_ONCE) {
            return true;
        }
        if (session.persistent() == null) {
            return session.outbox().isIdle();
        }
        if (services.admission().isFull()) {
            proceedLater();
            return false;
        }
        // Appended messages that were not pushed yet are not counted, so only half of the queue is filled.
        int capacity = Math.min(MAXIMUM_APPENDS, Math.max(1, services.queueMessages() / 2));
        return appends + session.outbox().messages().waiting() < capacity;
    }

    /** Polls, because the admission does not announce that there is room again. */
    private void proceedLater() {
        if (!awaitsAdmission) {
            awaitsAdmission = true;
            session.eventLoop().schedule(ADMISSION_PAUSE, () -> {
                awaitsAdmission = false;
                if (session.isConnected()) {
                    session.proceed();
                }
            });
        }
    }

    /** The topics of the broker are in no log. A client that does not read misses values until they change. */
    private void deliverSys(Subscription subscription) {
        for (PublishMessage message : services.sys().matching(subscription.topicFilter())) {
            if (mayReceive(message, message.qos().min(subscription.terms().maximumQos()))) {
                session.deliverRetained(message, subscription.terms());
            }
        }
    }

    private boolean mayReceive(PublishMessage message, QoS qos) {
        if (session.rules().mayReceive(message.topic(), qos)) {
            return true;
        }
        services.metrics().ledger().of(session.eventLoop()).retained();
        return session.outbox().dropped(services.metrics().droppedDenied, qos, message);
    }

    private void deliver(PublishMessage message, Subscription subscription) {
        // [MQTT-3.8.3-3]
        if (subscription.noLocal() && message.publisher().equals(session.clientId())) {
            return;
        }
        QoS qos = message.qos().min(subscription.terms().maximumQos());
        if (!mayReceive(message, qos)) {
            return;
        }
        PersistentSession persistent = session.persistent();
        if (persistent != null && qos != QoS.AT_MOST_ONCE) {
            append(persistent, append(persistent, message, qos, subscription), message.heldBytes());
        } else {
            session.deliverRetained(message, subscription.terms());
        }
    }

    /** Appends a message to the session's own queue or log, where its messages above QoS 0 come from. */
    private void append(PersistentSession persistent, LogAppend append, long bytes) {
        appends++;
        AppendAdmission admission = services.admission();
        admission.take(bytes);
        services.log().append(List.of(append), new MessageLog.AppendCallback() {
            @Override
            public void onAppended() {
                admission.release(bytes);
                whenReadable(persistent, () -> session.eventLoop().execute(RetainedDelivery.this::appendReadable));
            }

            @Override
            public void onFailed(Throwable reason) {
                admission.release(bytes);
                services.metrics().droppedAppendFailed.increment();
                session.eventLoop().execute(() -> session.disconnect(ReasonCode.UNSPECIFIED_ERROR));
            }
        });
    }

    private static LogAppend append(
            PersistentSession persistent, PublishMessage message, QoS qos, Subscription subscription) {
        List<Integer> identifiers = subscription.terms().subscriptionIdentifiers();
        return switch (persistent.record().type()) {
            case APPLICATION ->
                new LogAppend.ToApplication(
                        persistent.clientId(), persistent.generation(), message, qos, true, identifiers);
            case DEVICE -> {
                QueueRecipient itself =
                        new QueueRecipient(persistent.clientId(), persistent.generation(), qos, true, identifiers);
                yield new LogAppend.ToBucket(persistent.bucket(), new BucketCommand.Enqueue(message, List.of(itself)));
            }
        };
    }

    /**
     * Runs a task when an appended message can be read: a log at once, a queue when the bucket's log is applied to it, or when this node
     * releases the bucket and no longer knows.
     */
    private void whenReadable(PersistentSession persistent, Runnable task) {
        switch (persistent.record().type()) {
            case APPLICATION -> task.run();
            case DEVICE -> services.positions().whenApplied(persistent.bucket(), task, task);
        }
    }

    private void appendReadable() {
        appends--;
        if (session.isConnected()) {
            session.proceed();
        }
    }
}
