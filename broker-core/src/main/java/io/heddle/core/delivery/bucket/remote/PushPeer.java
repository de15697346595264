package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.bucket.remote.PushFrame.Positioned;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.binary.BinaryWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent to one other node. Belongs to the thread that applies the bucket logs. A push for which the lane has no room, or which
 * is too large for a frame, becomes a hint: the highest sequence number of its queue, which is sent when there is room. Bound: see {@link
 * PushSender}.
 */
final class PushPeer {
    /** A frame is sent when it has reached this size. */
    private static final int FRAME_BYTES = 128 << 10;

    private final Incarnation node;
    private final NodeLinks links;
    private final PushMetrics counters;
    private final Map<Integer, Lane> lanes = new TreeMap<>();
    private final Map<Integer, Positioned> positioned = new HashMap<>();

    PushPeer(Incarnation node, NodeLinks links, PushMetrics counters) {
        this.node = node;
        this.links = links;
        this.counters = counters;
    }

    Incarnation node() {
        return node;
    }

    private Lane lane(int number) {
        return lanes.computeIfAbsent(number, Lane::new);
    }

    void push(int lane, RemoteReader reader, long sequence, Enqueue command, QueueRecipient recipient) {
        lane(lane).add(reader, sequence, command, recipient);
    }

    void pushFilledUpTo(int lane, RemoteReader reader, long sequence) {
        lane(lane).hint(reader, sequence);
    }

    void onPositioned(int bucket, Positioned now) {
        positioned.merge(bucket, now, (before, _) -> new Positioned(now.viewId(), before.isFirst() || now.isFirst()));
    }

    /** Completes when the lane has accepted the frame, or the node has ended. */
    CompletableFuture<Void> reset(int lane, PushFrame.Reset reset) {
        CompletableFuture<Void> accepted = new CompletableFuture<>();
        lane(lane).resets.add(new PendingReset(reset, accepted));
        return accepted;
    }

    /** The node has ended: nothing is sent to it any more. */
    void end() {
        for (Lane lane : lanes.values()) {
            counters.nodeEnded.increment(lane.gathered());
            lane.resets.forEach(reset -> reset.accepted().complete(null));
        }
    }

    void send(long nowMillis) {
        if (!positioned.isEmpty()
                && links.send(node, NodeLinks.CONTROL, PushFrame.POSITIONED, PushFrame.positioned(positioned))) {
            positioned.clear();
        }
        for (Lane lane : lanes.values()) {
            lane.send(nowMillis);
        }
    }

    boolean hasUnsent() {
        for (Lane lane : lanes.values()) {
            if (!lane.hints.isEmpty() || !lane.resets.isEmpty()) {
                return true;
            }
        }
        return !positioned.isEmpty();
    }

    private record PendingReset(PushFrame.Reset reset, CompletableFuture<Void> accepted) {}

    /** A message and its targets, in order. */
    private record Gathered(Enqueue command, List<Push> pushes) {}

    private record Push(RemoteReader reader, long sequence, QueueRecipient recipient) {}

    /** One data lane to the node. */
    private final class Lane {
        private final int number;
        private final ArrayDeque<PendingReset> resets = new ArrayDeque<>(1);
        private List<Gathered> messages = new ArrayList<>();
        /** For each connection the highest sequence number of its queue. */
        private final Map<RemoteReader, Long> hints = new LinkedHashMap<>();

        Lane(int number) {
            this.number = number;
        }

        // The pushes of one command follow each other; equal commands are different messages.
        @SuppressWarnings("ReferenceEquality")
        void add(RemoteReader reader, long sequence, Enqueue command, QueueRecipient recipient) {
            Gathered last = messages.isEmpty() ? null : messages.getLast();
            if (last == null || last.command() != command) {
                last = new Gathered(command, new ArrayList<>(2));
                messages.add(last);
            }
            last.pushes().add(new Push(reader, sequence, recipient));
        }

        void hint(RemoteReader reader, long sequence) {
            hints.merge(reader, sequence, Math::max);
        }

        int gathered() {
            return messages.stream().mapToInt(each -> each.pushes().size()).sum();
        }

        void send(long nowMillis) {
            // Feeds that a reset ends must not get a push before it.
            if (sendResets()) {
                sendMessages(nowMillis);
                sendHints();
            } else {
                messages.forEach(this::skip);
                messages = new ArrayList<>();
            }
        }

        private void skip(Gathered gathered) {
            counters.linkFull.increment(gathered.pushes().size());
            gathered.pushes().forEach(push -> hint(push.reader(), push.sequence()));
        }

        private boolean sendResets() {
            for (PendingReset next = resets.peek(); next != null; next = resets.peek()) {
                if (!links.send(node, number, PushFrame.RESET, next.reset().encode())) {
                    return false;
                }
                resets.remove();
                next.accepted().complete(null);
            }
            return true;
        }

        private void sendMessages(long nowMillis) {
            if (messages.isEmpty()) {
                return;
            }
            List<Gathered> taken = messages;
            messages = new ArrayList<>();
            Frame frame = new Frame();
            for (Gathered each : taken) {
                // A full lane costs no encoding.
                if (links.hasRoomFor(
                        node, number, frame.length() + each.command().message().heldBytes())) {
                    frame = add(each, frame, nowMillis);
                } else {
                    skip(each);
                }
            }
            frame.send();
        }

        /** Adds a message, and sends frames that are full. Returns the frame to continue with. */
        private Frame add(Gathered gathered, Frame begun, long nowMillis) {
            byte[] message = PushFrame.message(gathered.command().message(), nowMillis);
            Frame frame = begun;
            BinaryWriter targets = new BinaryWriter();
            List<Push> pushes = new ArrayList<>(gathered.pushes().size());
            for (Push push : gathered.pushes()) {
                BinaryWriter target = new BinaryWriter();
                PushFrame.writeTarget(push.reader(), push.sequence(), push.recipient(), target);
                if (!fits(Frame.EMPTY_BYTES + target.length() + message.length)) {
                    counters.tooLarge.increment();
                    hint(push.reader(), push.sequence());
                    continue;
                }
                if (!fits(frame.length() + targets.length() + target.length() + message.length)) {
                    frame = frame.add(targets, pushes, message).sent();
                    targets = new BinaryWriter();
                    pushes = new ArrayList<>();
                }
                targets.raw(target.toBytes());
                pushes.add(push);
            }
            frame = frame.add(targets, pushes, message);
            return frame.length() >= FRAME_BYTES ? frame.sent() : frame;
        }

        private boolean fits(int bytes) {
            return bytes + Frame.OVERHEAD_BYTES <= links.maximumPayloadBytes();
        }

        private void sendHints() {
            int frameBytes = Math.min(FRAME_BYTES, links.maximumPayloadBytes()) / 2;
            while (!hints.isEmpty()) {
                BinaryWriter frame = PushFrame.frame();
                List<RemoteReader> told = new ArrayList<>();
                for (Iterator<Map.Entry<RemoteReader, Long>> all =
                                hints.entrySet().iterator();
                        all.hasNext() && frame.length() < frameBytes; ) {
                    Map.Entry<RemoteReader, Long> each = all.next();
                    PushFrame.writeFilledUpTo(each.getKey(), each.getValue(), frame);
                    told.add(each.getKey());
                }
                if (!links.send(node, number, PushFrame.PUSHES, frame.toBytes())) {
                    return;
                }
                counters.frames.increment();
                told.forEach(hints::remove);
            }
        }

        /** A frame of messages that is being filled. */
        private final class Frame {
            static final int EMPTY_BYTES = 1;
            /** Of one message: its kind, the number of its targets, and its length. */
            static final int OVERHEAD_BYTES = 7;

            private @Nullable BinaryWriter writer;
            private final List<Push> pushes = new ArrayList<>();

            int length() {
                return writer == null ? EMPTY_BYTES : writer.length();
            }

            Frame add(BinaryWriter targets, List<Push> to, byte[] encoded) {
                if (!to.isEmpty()) {
                    BinaryWriter into = writer == null ? PushFrame.frame() : writer;
                    writer = into;
                    PushFrame.writeMessage(to.size(), targets.toBytes(), encoded, into);
                    pushes.addAll(to);
                }
                return this;
            }

            /** Sends the frame and returns the next one. */
            Frame sent() {
                send();
                return new Frame();
            }

            void send() {
                if (writer == null) {
                    return;
                }
                if (links.send(node, number, PushFrame.PUSHES, writer.toBytes())) {
                    counters.frames.increment();
                    counters.sent.increment(pushes.size());
                } else {
                    counters.linkFull.increment(pushes.size());
                    pushes.forEach(push -> hint(push.reader(), push.sequence()));
                }
            }
        }
    }
}
