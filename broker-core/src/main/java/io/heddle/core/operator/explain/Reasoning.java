package io.heddle.core.operator.explain;

import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.LastDisconnection;
import io.heddle.core.operator.explain.Delivery.Output;
import io.heddle.core.operator.explain.DeliveryExplanation.Group;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Draws the conclusion from what the nodes know about a client and a topic. Confined to one thread. */
final class Reasoning {
    /** Older messages that the client has missed are in the list, and not in the summary. */
    private static final Duration LATELY = Duration.ofMinutes(10);

    private static final int NAMED_CONTENDERS = 4;

    private final ClientDetails client;
    private final @Nullable Delivery delivery;
    private final List<Group> groups;
    private final List<DroppedMessage> drops;
    private final List<Contender> contenders;
    private final boolean hasSession;
    private final @Nullable PastDeliveries past;
    private final Set<String> missingNodes;

    /**
     * @param hasSession whether it has a persistent session
     * @param past what became of earlier messages; null if that is not asked
     * @param missingNodes those that have not answered about the delivery
     */
    Reasoning(
            ClientDetails client,
            @Nullable Delivery delivery,
            List<Group> groups,
            List<DroppedMessage> drops,
            List<Contender> contenders,
            boolean hasSession,
            @Nullable PastDeliveries past,
            Set<String> missingNodes) {
        this.client = client;
        this.delivery = delivery;
        this.groups = groups;
        this.drops = drops;
        this.contenders = contenders;
        this.hasSession = hasSession;
        this.past = past;
        this.missingNodes = new TreeSet<>(missingNodes);
        this.missingNodes.addAll(client.missingNodes());
    }

    /** @param qos of the delivery, or null */
    private record Conclusion(
            Verdict verdict, String reason, @Nullable QoS qos) {}

    DeliveryExplanation conclude(TopicName topic, QoS published, long nowMillis) {
        Conclusion conclusion = conclusion(published);
        return new DeliveryExplanation(
                conclusion.verdict(),
                conclusion.reason() + missed(topic.value(), nowMillis) + contested(nowMillis),
                conclusion.qos(),
                client,
                delivery,
                groups,
                drops,
                contenders,
                past,
                missingNodes);
    }

    private Conclusion conclusion(QoS published) {
        ClientEntry known = client.client();
        Delivery found = delivery;
        if (known == null) {
            return withoutClient();
        }
        if (found == null) {
            return new Conclusion(
                    Verdict.UNKNOWN,
                    missingNodes.isEmpty()
                            ? "The client has just connected or left. Ask again."
                            : "The node that the client is connected to has not answered. These nodes have not: "
                                    + String.join(", ", missingNodes) + ".",
                    null);
        }
        if (found.matching().isEmpty()) {
            return withoutSubscription(found);
        }
        RuleDecision rules = found.rules();
        if (rules != null && !rules.isAllowed()) {
            return new Conclusion(
                    Verdict.DENIED,
                    "The rules do not allow the client to receive messages on the topic: "
                            + (rules.rule() == null
                                    ? "no rule matches, and the default is deny."
                                    : "rule " + rules.number() + ", \"" + rules.rule() + "\"."),
                    null);
        }
        QoS qos = published.min(found.qos());
        Output output = found.output();
        return known.connection() == null || output == null
                ? whileAway(known, found, qos)
                : whileConnected(found, output, qos);
    }

    private Conclusion withoutClient() {
        if (hasSession) {
            return new Conclusion(
                    Verdict.UNKNOWN,
                    "The client has a session, and no node has its connection: it is connecting, or its node has just ended."
                            + " Ask again.",
                    null);
        }
        if (!missingNodes.isEmpty()) {
            return new Conclusion(
                    Verdict.UNKNOWN,
                    "None of the nodes that have answered knows the client. The client may be connected to one that has not: "
                            + String.join(", ", missingNodes) + ".",
                    null);
        }
        LastDisconnection last = client.lastDisconnection();
        return new Conclusion(
                Verdict.NO_SESSION,
                "The client is not connected and has no session, so no messages are stored for it."
                        + (last == null
                                ? ""
                                : " It was disconnected at " + time(last.millis()) + ": " + last.detail() + "."),
                null);
    }

    private static Conclusion withoutSubscription(Delivery found) {
        String reason = switch (found.subscriptions()) {
            case 0 -> "The client has no subscriptions.";
            case 1 -> "The only subscription of the client does not match the topic.";
            default -> "None of the " + found.subscriptions() + " subscriptions of the client matches the topic.";
        };
        String similar = found.similar().isEmpty()
                ? ""
                : " The filter \"" + found.similar().getFirst().topicFilter()
                        + "\" would match if upper and lower case, and slashes at the ends, did not count.";
        return new Conclusion(Verdict.NO_SUBSCRIPTION, reason + similar, null);
    }

    private static Conclusion whileAway(ClientEntry known, Delivery found, QoS qos) {
        String away = "The client is away since " + time(known.sinceMillis()) + ". ";
        if (qos == QoS.AT_MOST_ONCE) {
            return new Conclusion(
                    Verdict.NOT_STORED,
                    away + "Messages of QoS 0 are not stored"
                            + (found.qos() == QoS.AT_MOST_ONCE ? ", and its matching subscriptions have QoS 0." : "."),
                    null);
        }
        if (found.isShared()) {
            return new Conclusion(
                    Verdict.SHARED,
                    away
                            + "Messages of its shared subscription go to connected members, and are stored for a member that is"
                            + " away only if none is connected.",
                    qos);
        }
        return new Conclusion(
                Verdict.STORED,
                away + "The message is stored until the client returns, unless it expires or the session ends before.",
                qos);
    }

    private Conclusion whileConnected(Delivery found, Output output, QoS qos) {
        String delay = delay(output, qos);
        Group group = groups.stream()
                .filter(each -> each.members().size() > 1)
                .findFirst()
                .orElse(null);
        if (found.isShared() && group != null) {
            int others = group.members().size() - 1;
            return new Conclusion(
                    Verdict.SHARED,
                    "The client shares the subscription \"" + group.topicFilter() + "\" with "
                            + (group.hasMore() ? "at least " : "") + others
                            + (others == 1 ? " other member." : " other members.")
                            + " Each message goes to one member that is connected, in turns to those that can take it at once."
                            + (delay == null ? "" : " The client cannot, at the moment: " + delay + "."),
                    qos);
        }
        String waits = qos != QoS.AT_MOST_ONCE
                ? "The message waits"
                : output.isPaused() ? "Messages of QoS 0 are dropped" : "Messages of QoS 0 may be dropped";
        if (delay != null) {
            return new Conclusion(Verdict.DELAYED, waits + ", because " + delay + ".", qos);
        }
        return new Conclusion(
                Verdict.DELIVERED,
                "The client gets the message, with QoS " + qos.level() + "."
                        + (found.isNoLocal()
                                ? " It does not get those that it has published itself: the subscription is No Local."
                                : ""),
                qos);
    }

    /** Returns a clause, or null. */
    private static @Nullable String delay(Output output, QoS qos) {
        if (!output.isReading()) {
            return "the client does not read what it was sent before";
        }
        if (output.isPaused()) {
            return "the client is above a limit of the rules for what it receives";
        }
        if (qos != QoS.AT_MOST_ONCE && output.inFlight() >= output.maximumInFlight()) {
            return "the client has not acknowledged " + output.inFlight()
                    + (output.inFlight() == 1 ? " message" : " messages") + ", and takes no more (" + output.waiting()
                    + (output.waiting() == 1 ? " waits" : " wait") + " in the memory of the node)";
        }
        if (qos != QoS.AT_MOST_ONCE && !output.isIdle()) {
            return "others wait for the client before it";
        }
        return null;
    }

    private String missed(String topic, long nowMillis) {
        List<DroppedMessage> lately = drops.stream()
                .filter(each -> nowMillis - each.millis() < LATELY.toMillis())
                .toList();
        List<DroppedMessage> onTopic =
                lately.stream().filter(each -> each.isOf(topic)).toList();
        List<DroppedMessage> told = onTopic.isEmpty() ? lately : onTopic;
        if (told.isEmpty()) {
            return "";
        }
        DroppedMessage latest = told.getFirst();
        return " Of the messages that it has missed in the last ten minutes, the latest one"
                + (onTopic.isEmpty() ? "" : " on this topic") + " was dropped at " + time(latest.millis()) + ": "
                + clause(latest.reason()) + ".";
    }

    private String contested(long nowMillis) {
        List<Contender> lately = contenders.stream()
                .filter(each -> nowMillis - each.lastMillis() < LATELY.toMillis())
                .toList();
        if (lately.isEmpty()) {
            return "";
        }
        long sources = lately.stream()
                .map(each -> List.of(each.address(), String.valueOf(each.userName())))
                .distinct()
                .count();
        return (sources > 1
                        ? " Several clients use this client id, and each closes the connections of the others"
                        : " Either several clients use this client id, or one connects again before its lost connection is"
                                + " noticed")
                + ": connections from "
                + lately.stream()
                        .limit(NAMED_CONTENDERS)
                        .map(each -> (each.address().isEmpty() ? "an unknown address" : each.address()) + " (closed "
                                + each.closed() + (each.closed() == 1 ? " time" : " times") + ")")
                        .collect(Collectors.joining(", "))
                + ", the last one at " + time(lately.getFirst().lastMillis()) + ".";
    }

    /** Returns the cause of a drop as a clause. */
    static String clause(String reason) {
        return switch (reason) {
            case "slow_consumer" -> "the client did not read fast enough (slow_consumer)";
            case "rate_limited" -> "it was above a limit of the rules (rate_limited)";
            case "queue_full" -> "its queue was full (queue_full)";
            case "memory_limit" -> "it held its share of the memory for waiting messages (memory_limit)";
            case "expired" -> "the message had expired (expired)";
            case "denied_to_receive" -> "the rules did not allow it (denied_to_receive)";
            case "packet_too_large" -> "it was larger than the client's Maximum Packet Size (packet_too_large)";
            case "disconnected" -> "the connection had ended (disconnected)";
            case "refused_by_client" -> "the client answered with an error (refused_by_client)";
            default -> reason;
        };
    }

    static Instant time(long millis) {
        return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS);
    }
}
