package io.heddle.core.delivery.node;

import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.subscription.RemoteNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The topics of dropped messages above QoS 0 for the subscribers of one node that may live. When the node can be reached again, it is told
 * them, and disconnects these subscribers: their sessions end, so that no session misses an acknowledged message. Thread-safe: one lock, held
 * for a step. Bound: {@value #MAXIMUM_TOPICS} topics; of further ones, subscribers stay connected.
 *
 * <pre>
 * frame, on the control lane:
 *   u8   version, 1
 *   u16  count, and topics
 * </pre>
 */
final class MissedMessages {
    /** Of the kinds for forwarding, besides those of {@link ForwardFrame}. */
    static final int KIND = 0x32;

    static final int MAXIMUM_TOPICS = 10_000;
    private static final int VERSION = 1;
    private static final int TOPICS_OF_A_FRAME = 500;
    private static final int BYTES_OF_A_FRAME = 16 << 10;

    private final RemoteNode node;
    private final NodeLinks links;
    // Guarded by this.
    private final Set<String> topics = new LinkedHashSet<>();

    MissedMessages(RemoteNode node, NodeLinks links) {
        this.node = node;
        this.links = links;
    }

    /** A message was dropped, and its publisher gets an acknowledgement. */
    synchronized void add(TopicName topic) {
        if (topics.size() < MAXIMUM_TOPICS) {
            topics.add(topic.value());
        }
    }

    /** Tells the node, if it can be reached and the link has room. Called at intervals. */
    synchronized void send() {
        boolean isSent = true;
        while (isSent && !topics.isEmpty() && node.isReachable()) {
            List<String> some = some();
            isSent = links.send(node.incarnation(), NodeLinks.CONTROL, KIND, encode(some));
            if (isSent) {
                some.forEach(topics::remove);
            }
        }
    }

    private List<String> some() {
        List<String> some = new ArrayList<>();
        int bytes = 0;
        for (Iterator<String> all = topics.iterator();
                all.hasNext() && some.size() < TOPICS_OF_A_FRAME && bytes < BYTES_OF_A_FRAME; ) {
            String topic = all.next();
            some.add(topic);
            bytes += topic.length();
        }
        return some;
    }

    static byte[] encode(List<String> topics) {
        BinaryWriter out = new BinaryWriter().u8(VERSION).u16(topics.size());
        topics.forEach(out::text);
        return out.toBytes();
    }

    static List<TopicName> decode(byte[] payload) {
        FrameReader in = new FrameReader("missed messages", payload);
        in.version(VERSION);
        int count = in.u16();
        List<TopicName> topics = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            topics.add(in.topic());
        }
        return topics;
    }
}
