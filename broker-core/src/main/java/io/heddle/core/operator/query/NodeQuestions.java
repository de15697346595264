package io.heddle.core.operator.query;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.View;
import io.heddle.core.link.LinkListener;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.operator.query.NodeAnswer.Outcome;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The questions of this node to the members of the cluster, itself included, and their answers. Thread-safe. Every question is answered:
 * by its node, or with the reason why it is not, after {@link #LIMIT} at the latest.
 *
 * <p>Bounds: {@value #MAXIMUM_OUTSTANDING} unanswered questions to each member, and as many of each member that are being answered; the
 * bytes of a question and of an answer, {@link #maximumBytes()}.
 */
public final class NodeQuestions {
    /** The time that a node has for its answer. */
    public static final Duration LIMIT = Duration.ofSeconds(3);

    /** The highest number of unanswered questions to one member. */
    static final int MAXIMUM_OUTSTANDING = 64;

    static final int QUESTION_KIND = 0x70;
    static final int ANSWER_KIND = 0x71;

    /** Larger frames must not delay the requests of clients on the control lane. */
    private static final int MAXIMUM_CONTROL_BYTES = 4 << 10;

    /** A question that its kind says all about. */
    public static final byte[] EMPTY = {};

    /** Keeps a page in memory small, whatever a link can carry. */
    private static final int MAXIMUM_BYTES = 1 << 20;

    private final NodeLinks links;
    private final EventLoop timers;
    private final Executor executor;
    private final MeterRegistry metrics;
    private final Answering answering;
    private final AtomicLong numbers = new AtomicLong();
    private volatile @Nullable Incarnation self;
    private volatile SortedMap<Incarnation, NodeId> members = Collections.emptySortedMap();
    private volatile Consumer<NodeId> ends = _ -> {};
    // Guarded by this.
    private final Map<Incarnation, Map<Long, Asked>> asked = new HashMap<>();
    private long next;

    private record Asked(CompletableFuture<NodeAnswer> answer, EventLoop.Timer limit) {}

    /**
     * Sets the receivers of frames. Before the node joins.
     *
     * @param timers runs short tasks only
     * @param executor runs the handlers and completes the answers, on threads that may block
     */
    public NodeQuestions(NodeLinks links, EventLoop timers, Executor executor, MeterRegistry metrics) {
        this.links = links;
        this.timers = timers;
        this.executor = executor;
        this.metrics = metrics;
        this.answering = new Answering(links, executor);
        links.receive(QUESTION_KIND, QUESTION_KIND, (from, _, _, frame) -> answering.onQuestion(from, frame));
        links.receive(ANSWER_KIND, ANSWER_KIND, (from, _, _, frame) -> onAnswer(from, QueryFrame.decode(frame)));
        links.watch(new LinkListener() {
            @Override
            public void onEnded(Incarnation incarnation) {
                end(incarnation);
            }
        });
    }

    /** Returns the lane for a frame of this size. */
    static int lane(NodeLinks links, long number, int bytes) {
        return bytes <= MAXIMUM_CONTROL_BYTES
                ? NodeLinks.CONTROL
                : links.dataLane(Math.floorMod(number, links.dataLanes()));
    }

    /** Returns the size of the largest question or answer. A node that is alone on its stores has no links. */
    static int maximumBytes(NodeLinks links) {
        int ofLinks = links.maximumPayloadBytes() - QueryFrame.HEADER_BYTES;
        return ofLinks > 0 ? Math.min(ofLinks, MAXIMUM_BYTES) : MAXIMUM_BYTES;
    }

    /** Returns the size of the largest question or answer. */
    public int maximumBytes() {
        return maximumBytes(links);
    }

    /**
     * Sets the handler of a kind. Questions without handler have failed.
     *
     * @throws IllegalArgumentException if the kind has one
     */
    public void answer(QuestionKind kind, QuestionHandler handler) {
        answering.answer(kind, handler);
    }

    /** Sets the receiver of the nodes that leave or are declared dead from now on; it does not block. */
    public void onEnd(Consumer<NodeId> receiver) {
        ends = receiver;
    }

    /** This node has joined. Before the first question. */
    public void onJoined(Incarnation joined, View view) {
        self = joined;
        onView(view);
    }

    /** The log of nodes was read further. Does not block. */
    public synchronized void onView(View view) {
        if (view.next() < next) {
            return;
        }
        next = view.next();
        SortedMap<Incarnation, NodeId> serving = new TreeMap<>();
        for (Member each : view.members()) {
            // A node that has only joined has no clients and holds no bucket.
            if (each.state() != MemberState.JOINED || each.incarnation().equals(self)) {
                serving.put(each.incarnation(), each.node().id());
            }
        }
        SortedMap<Incarnation, NodeId> before = members;
        members = Collections.unmodifiableSortedMap(serving);
        before.forEach((incarnation, node) -> {
            if (!serving.containsKey(incarnation)) {
                ends.accept(node);
            }
        });
    }

    /** Returns the members that can be asked, with their node ids: those that serve or drain, and this node. */
    public SortedMap<Incarnation, NodeId> members() {
        return members;
    }

    public boolean isSelf(Incarnation incarnation) {
        return incarnation.equals(self);
    }

    /** Returns the node id of this node; its incarnation while it is no member. */
    public String selfName() {
        Incarnation own = self;
        NodeId id = own == null ? null : members.get(own);
        return id == null ? String.valueOf(own) : id.value();
    }

    /**
     * Asks all members, this node included. Any thread.
     *
     * @param question at most {@link #maximumBytes}
     * @return completes with an answer of each member when the last one has answered or {@link #LIMIT} is over
     */
    public CompletableFuture<Map<Incarnation, NodeAnswer>> askAll(QuestionKind kind, byte[] question) {
        SortedMap<Incarnation, NodeId> receivers = members;
        Map<Incarnation, CompletableFuture<NodeAnswer>> answers = new TreeMap<>();
        receivers.keySet().forEach(each -> answers.put(each, ask(each, kind, question)));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> {
                    Map<Incarnation, NodeAnswer> all = new TreeMap<>();
                    answers.forEach((member, answer) -> all.put(member, answer.join()));
                    return all;
                });
    }

    /**
     * Asks all members, this node included, and waits for their answers. Blocks, so not on an event loop.
     *
     * @param receiver gets the id of a node and its answer
     * @return the ids of the nodes that have not answered
     */
    public List<String> forEachAnswer(QuestionKind kind, byte[] question, BiConsumer<String, byte[]> receiver) {
        SortedMap<Incarnation, NodeId> names = members;
        List<String> missing = new ArrayList<>();
        askAll(kind, question).join().forEach((member, answer) -> {
            NodeId name = names.get(member);
            String node = name == null ? member.toString() : name.value();
            byte[] bytes = answer.bytes();
            if (bytes == null) {
                missing.add(node);
            } else {
                receiver.accept(node, bytes);
            }
        });
        return missing;
    }

    /**
     * Asks a member or this node. Any thread.
     *
     * @param question at most {@link #maximumBytes}
     * @return never fails; completes on a thread that may block
     */
    public CompletableFuture<NodeAnswer> ask(Incarnation member, QuestionKind kind, byte[] question) {
        if (question.length > maximumBytes()) {
            throw new IllegalArgumentException("a question has " + question.length + " bytes");
        }
        CompletableFuture<NodeAnswer> answer = new CompletableFuture<>();
        long number = numbers.incrementAndGet();
        Outcome refused = begin(member, number, answer);
        if (refused != null) {
            complete(answer, NodeAnswer.without(refused));
        } else if (isSelf(member)) {
            answering.answerSelf(kind, question, maximumBytes(), result -> finish(member, number, result));
        } else {
            send(member, number, QueryFrame.question(number, kind, question));
        }
        return answer;
    }

    private synchronized @Nullable Outcome begin(
            Incarnation member, long number, CompletableFuture<NodeAnswer> answer) {
        Map<Long, Asked> ofMember = asked.getOrDefault(member, Map.of());
        if (ofMember.size() >= MAXIMUM_OUTSTANDING) {
            return Outcome.BUSY;
        }
        // A link that is down keeps frames, and an old action must not be carried out when it is up again.
        if (!isSelf(member) && !links.isUp(member)) {
            return members.containsKey(member) ? Outcome.UNREACHABLE : Outcome.ENDED;
        }
        EventLoop.Timer limit =
                timers.schedule(LIMIT, () -> finish(member, number, NodeAnswer.without(Outcome.TIMED_OUT)));
        asked.computeIfAbsent(member, _ -> new HashMap<>()).put(number, new Asked(answer, limit));
        return null;
    }

    private void send(Incarnation member, long number, byte[] frame) {
        if (!links.send(member, lane(links, number, frame.length), QUESTION_KIND, frame)) {
            finish(member, number, NodeAnswer.without(Outcome.UNREACHABLE));
        }
    }

    private void onAnswer(Incarnation from, QueryFrame frame) {
        finish(from, frame.number(), frame.toAnswer());
    }

    /** Answers a question unless it is answered already. Any thread. */
    private void finish(Incarnation member, long number, NodeAnswer result) {
        Asked found = remove(member, number);
        if (found != null) {
            found.limit().cancel();
            complete(found.answer(), result);
        }
    }

    private synchronized @Nullable Asked remove(Incarnation member, long number) {
        Map<Long, Asked> ofMember = asked.get(member);
        if (ofMember == null) {
            return null;
        }
        Asked found = ofMember.remove(number);
        if (ofMember.isEmpty()) {
            asked.remove(member);
        }
        return found;
    }

    private void complete(CompletableFuture<NodeAnswer> answer, NodeAnswer result) {
        metrics.counter("heddle.cluster.questions", "outcome", result.outcome().tag())
                .increment();
        executor.execute(() -> answer.complete(result));
    }

    private void end(Incarnation member) {
        List<Long> open;
        synchronized (this) {
            open = new ArrayList<>(asked.getOrDefault(member, Map.of()).keySet());
        }
        open.forEach(number -> finish(member, number, NodeAnswer.without(Outcome.ENDED)));
    }
}
