package io.heddle.core.operator.explain;

import io.heddle.core.client.PastMessages;
import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.client.PastMessages.Remembered;
import io.heddle.core.client.PastMessages.SentMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.ClientEntry.ClientLink;
import io.heddle.core.operator.explain.ExplanationFormat.Answer;
import io.heddle.core.operator.explain.PastDeliveries.Memory;
import io.heddle.core.operator.explain.PastDeliveries.Outcome;
import io.heddle.core.operator.explain.PastDeliveries.PastMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells what became of the messages on a topic for a client, from what the nodes remember of it. Confined to one thread. */
final class PastReasoning {
    private static final String HOW =
            " Nodes remember deliveries to clients that have missed messages or are traced: trace the client for a moment (./heddle"
                    + " admin trace --client-id, or the page Trace), wait for the next message, and ask again.";

    private final TopicName topic;
    private final long sinceMillis;
    private final @Nullable String connectedTo;
    // In milliseconds since 1970; 0 while the client is away.
    private final long connectedMillis;
    private final Map<String, Answer> answers;
    private final Set<String> missing;
    private final Map<String, Remembered> remembered = new TreeMap<>();
    // When the nodes that know only what came later, or nothing any more, have started or ended.
    private final Map<String, Long> started = new TreeMap<>();
    private final Map<String, Long> ended = new TreeMap<>();
    private final List<PastMessage> messages = new ArrayList<>();
    private long withoutTopic;

    /**
     * @param answers by the ids of the nodes
     * @param missing the ids of the nodes that have not answered
     */
    PastReasoning(
            TopicName topic, long sinceMillis, ClientDetails client, Map<String, Answer> answers, Set<String> missing) {
        this.topic = topic;
        this.sinceMillis = sinceMillis;
        ClientEntry known = client.client();
        ClientLink link = known == null ? null : known.connection();
        this.connectedTo = link == null ? null : link.nodeId();
        this.connectedMillis = known == null || link == null ? 0 : known.sinceMillis();
        this.answers = answers;
        this.missing = new TreeSet<>(missing);
        answers.forEach((node, answer) -> {
            if (answer.remembered() != null) {
                remembered.put(node, answer.remembered());
            }
            if (answer.startMillis() > sinceMillis) {
                started.put(node, answer.startMillis());
            }
            answer.ended().forEach((other, millis) -> {
                if (millis >= sinceMillis) {
                    ended.merge(other, millis, Math::max);
                }
            });
        });
        // The start of a node says as much.
        ended.keySet().removeAll(answers.keySet());
    }

    PastDeliveries conclude() {
        remembered.forEach(this::collect);
        // Another node has sent it again, and knows more.
        List<PastMessage> all = List.copyOf(messages);
        messages.removeIf(each -> all.stream().anyMatch(other -> isRepeatedBy(each, other)));
        messages.sort(Comparator.comparingLong(PastMessage::millis).reversed());
        return new PastDeliveries(
                sinceMillis,
                outcomes() + unknown() + silence() + gaps(),
                remembered.entrySet().stream()
                        .map(each -> memory(each.getKey(), each.getValue()))
                        .toList(),
                messages);
    }

    private void collect(String node, Remembered known) {
        for (SentMessage each : known.deliveries()) {
            Outcome outcome = each.qos() == QoS.AT_MOST_ONCE
                    ? Outcome.SENT
                    : each.acknowledgedMillis() == 0 ? Outcome.NOT_ACKNOWLEDGED : Outcome.ACKNOWLEDGED;
            messages.add(new PastMessage(
                    each.millis(),
                    node,
                    outcome,
                    null,
                    each.qos(),
                    each.payloadBytes(),
                    each.packetId(),
                    each.againMillis(),
                    each.acknowledgedMillis()));
        }
        for (DroppedMessage each : known.drops()) {
            if (each.millis() < sinceMillis) {
                continue;
            }
            if (each.topic() == null) {
                withoutTopic++;
            } else if (each.isOf(topic.value())) {
                messages.add(new PastMessage(
                        each.millis(), node, Outcome.DROPPED, each.reason(), each.qos(), each.payloadBytes(), 0, 0, 0));
            }
        }
    }

    private static boolean isRepeatedBy(PastMessage earlier, PastMessage later) {
        return earlier.outcome() == Outcome.NOT_ACKNOWLEDGED
                && !earlier.node().equals(later.node())
                && later.againMillis() > Math.max(earlier.millis(), earlier.againMillis())
                && later.packetId() == earlier.packetId()
                && later.payloadBytes() == earlier.payloadBytes();
    }

    private static Memory memory(String node, Remembered known) {
        return new Memory(node, known.beginMillis(), known.deliveriesFromMillis(), known.dropsFromMillis());
    }

    private String outcomes() {
        String ofTopic = " on " + topic.value() + " for the client since " + Reasoning.time(sinceMillis);
        int total = messages.size();
        if (total == 0) {
            return noNode() + "remembers a message" + ofTopic + ".";
        }
        List<String> parts = new ArrayList<>();
        messages.stream()
                .sorted(Comparator.comparing(PastMessage::outcome))
                .collect(Collectors.groupingBy(this::outcome, LinkedHashMap::new, Collectors.counting()))
                .forEach((outcome, count) ->
                        parts.add((total == 1 ? "" : count + " ") + (count == 1 ? "was " : "were ") + outcome));
        return total == 1
                ? "The only remembered message" + ofTopic + " " + parts.getFirst() + "."
                : "Of " + total + " remembered messages" + ofTopic + ", " + String.join(", ", parts) + ".";
    }

    private String noNode() {
        return missing.isEmpty() ? "No node " : "No node that has answered ";
    }

    private String outcome(PastMessage message) {
        return switch (message.outcome()) {
            case ACKNOWLEDGED -> "delivered and acknowledged";
            case NOT_ACKNOWLEDGED -> notAcknowledged(message);
            case SENT -> "sent with QoS 0, which clients do not acknowledge";
            case DROPPED -> "dropped because " + Reasoning.clause(String.valueOf(message.reason()));
        };
    }

    /** Another node gets the acknowledgement of a client that has gone there, and may remember nothing of it. */
    private String notAcknowledged(PastMessage message) {
        String node = message.node();
        long millis = Math.max(message.millis(), message.againMillis());
        if (node.equals(connectedTo) && connectedMillis <= millis) {
            return "sent and not acknowledged";
        }
        boolean isElsewhere = (connectedTo != null && !node.equals(connectedTo))
                || answers.entrySet().stream()
                        .anyMatch(each -> !each.getKey().equals(node) && hasSeen(each.getValue(), millis));
        boolean isUnknown = !missing.isEmpty()
                || Stream.of(started, ended)
                        .flatMap(each -> each.entrySet().stream())
                        .anyMatch(each -> !each.getKey().equals(node) && each.getValue() > millis);
        return isElsewhere || isUnknown
                ? "sent at " + node + " and not acknowledged there (the client "
                        + (isElsewhere ? "was" : "may have been") + " at another node afterwards)"
                : "sent and not acknowledged";
    }

    private static boolean hasSeen(Answer other, long afterMillis) {
        Remembered known = other.remembered();
        return other.lastDisconnectionMillis() > afterMillis
                || (known != null && known.deliveries().stream().anyMatch(each -> each.latestMillis() > afterMillis));
    }

    /** Returns a sentence about messages of which it is not known whether they had the topic. */
    private String unknown() {
        return withoutTopic == 0
                ? ""
                : " " + withoutTopic + (withoutTopic == 1 ? " message" : " messages") + " of unknown topic "
                        + (withoutTopic == 1 ? "was" : "were")
                        + " dropped, too: nodes do not know the topics of the oldest messages in full queues.";
    }

    /** Returns sentences about the nodes that cannot tell what they have done, or not since the time that is asked for. */
    private String silence() {
        StringBuilder silence = new StringBuilder();
        if (!missing.isEmpty()) {
            silence.append(missing.size() == 1 ? " Node " : " Nodes ")
                    .append(String.join(", ", missing))
                    .append(
                            missing.size() == 1
                                    ? " has not answered; what it remembers is missing."
                                    : " have not answered; what they remember is missing.");
        }
        ended.forEach((node, millis) -> silence.append(" Node ")
                .append(node)
                .append(" has ended at ")
                .append(Reasoning.time(millis))
                .append("; what it had seen is unknown."));
        started.forEach((node, millis) -> silence.append(" Node ")
                .append(node)
                .append(" has started at ")
                .append(Reasoning.time(millis))
                .append(" and knows nothing of the time before."));
        return silence.toString();
    }

    /** Returns sentences about the time of which not everything is known. */
    private String gaps() {
        StringBuilder gaps = new StringBuilder();
        if (connectedTo != null && answers.containsKey(connectedTo) && !remembered.containsKey(connectedTo)) {
            gaps.append(" The node that the client is connected to, ")
                    .append(connectedTo)
                    .append(", does not remember deliveries to it.")
                    .append(HOW);
        } else if (remembered.isEmpty()) {
            gaps.append(" ")
                    .append(noNode())
                    .append("remembers deliveries to the client.")
                    .append(HOW);
        }
        remembered.forEach((node, known) -> {
            // Another node than that of the client may know of its queue, and send it nothing.
            if (connectedTo == null
                    || node.equals(connectedTo)
                    || !known.deliveries().isEmpty()) {
                gaps.append(ofDeliveries(node, known));
            }
            if (known.dropsFromMillis() > Math.max(sinceMillis, known.beginMillis())) {
                gaps.append(limited(
                        node, PastMessages.DROPS, "messages that the client has missed", known.dropsFromMillis()));
            }
        });
        return gaps.toString();
    }

    private String ofDeliveries(String node, Remembered known) {
        if (known.deliveriesFromMillis() > Math.max(sinceMillis, known.beginMillis())) {
            return limited(node, PastMessages.DELIVERIES, "deliveries to the client", known.deliveriesFromMillis());
        }
        return known.beginMillis() <= sinceMillis
                ? ""
                : " Node " + node + " remembers deliveries to the client since " + Reasoning.time(known.beginMillis())
                        + " only.";
    }

    private static String limited(String node, int maximum, String messages, long fromMillis) {
        return " Node " + node + " remembers the last " + maximum + " " + messages + " only, which begin at "
                + Reasoning.time(fromMillis) + ".";
    }
}
