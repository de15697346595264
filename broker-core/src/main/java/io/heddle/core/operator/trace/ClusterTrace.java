package io.heddle.core.operator.trace;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.event.EventValues;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.operator.query.NodeAnswer;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.operator.trace.NodeTrace.Unconfirmed;
import io.heddle.core.operator.trace.TraceFormat.Answer;
import io.heddle.core.operator.trace.TraceFormat.Question;
import io.heddle.core.operator.trace.TraceFormat.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A trace that an administrator watches, on all nodes. One thread, which may block.
 *
 * <p>It ends at its limit of time or events, when this node leaves, or when it is closed. Nodes that join are asked, too; nodes that leave or do
 * not answer are named by events of their own. A reader that is slow delays the questions, so that the nodes lose events, which they count.
 */
public final class ClusterTrace implements AutoCloseable {
    /** The time between two questions. */
    static final Duration INTERVAL = Duration.ofMillis(250);

    private final NodeQuestions questions;
    private final TraceRequest request;
    private final SteadyClock clock;
    private final LongSupplier nanoTime;
    private final Tracer.Pause pause;
    private final UUID id = UUID.randomUUID();
    private final long endNanos;
    private final Map<Incarnation, Traced> nodes = new TreeMap<>();
    // The events that the next call returns.
    private List<TraceEvent> found = new ArrayList<>();
    private int shown;
    private boolean over;
    // Null until an administrator has ended it.
    private @Nullable String endedBy;

    private static final class Traced {
        private final String name;
        // Of the trace at the node, which begins again after it was dropped.
        private long begin;
        private long received;
        private long suppressed;
        private long lost;
        // Null while it answers.
        private @Nullable String trouble;
        private boolean begun;

        Traced(String name) {
            this.name = name;
        }
    }

    ClusterTrace(
            NodeQuestions questions,
            TraceRequest request,
            SteadyClock clock,
            LongSupplier nanoTime,
            Tracer.Pause pause) {
        this.questions = questions;
        this.request = request;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.pause = pause;
        this.endNanos = nanoTime.getAsLong() + request.limit().toNanos();
    }

    void begin() {
        boolean complete = false;
        try {
            Map<Incarnation, Answer> answers = ask();
            answers.forEach((member, answer) -> {
                if (answer.state() == State.FULL) {
                    throw TooManyTracesException.ofNode(nameOf(member));
                }
                if (answer.state() == State.ADMINISTRATOR_FULL) {
                    throw TooManyTracesException.ofAdministrator();
                }
            });
            if (answers.keySet().stream().noneMatch(questions::isSelf)) {
                throw new StoreUnavailableException("this node does not answer the question for a trace", null);
            }
            take(answers);
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    /** Returns whether {@link #next} has returned the last event. */
    public boolean isOver() {
        return over && found.isEmpty();
    }

    /**
     * Returns what has happened since the last call, perhaps nothing, in the order of the clocks of the nodes. Waits for {@link #INTERVAL}. The last
     * event says why the trace has ended.
     */
    public List<TraceEvent> next() throws InterruptedException {
        if (!over) {
            long leftNanos = endNanos - nanoTime.getAsLong();
            pause.await(Duration.ofNanos(Math.clamp(leftNanos, 0, INTERVAL.toNanos())));
            boolean isLast = endNanos - nanoTime.getAsLong() <= 0;
            take(ask());
            if (!isMember()) {
                stop();
            } else if (isLast) {
                end("time", "the time of the trace is over");
            }
        }
        List<TraceEvent> events = found;
        found = new ArrayList<>();
        return events;
    }

    /** Ends the trace early, because this node stops; {@link #next} returns the last event. */
    public void stop() {
        end("node_stops", "the node that traces stops");
    }

    /** Ends the trace early, because its administrator may not see it any more; {@link #next} returns the last event. */
    public void forbid(String detail) {
        end("forbidden", detail);
    }

    private Map<Incarnation, Answer> ask() {
        Map<Incarnation, NodeId> members = questions.members();
        Map<Incarnation, CompletableFuture<NodeAnswer>> asked = new TreeMap<>();
        members.forEach((member, node) -> {
            Traced traced = nodes.computeIfAbsent(member, _ -> new Traced(node.value()));
            asked.put(
                    member,
                    questions.ask(
                            member,
                            QuestionKind.TRACE,
                            TraceFormat.QUESTION.encode(new Question(
                                    id,
                                    request.administrator(),
                                    traced.begin,
                                    traced.received,
                                    request.hasPayloads(),
                                    request.filter()))));
        });
        Map<Incarnation, Answer> answers = new TreeMap<>();
        asked.forEach((member, each) -> {
            Answer answer = decode(member, each.join());
            if (answer != null) {
                answers.put(member, answer);
            }
        });
        leave(members);
        return answers;
    }

    /** Returns null if the node has not answered. */
    private @Nullable Answer decode(Incarnation member, NodeAnswer answer) {
        byte[] bytes = answer.bytes();
        if (bytes == null) {
            trouble(nodes.get(member), "it does not answer; the trace goes on without it");
            return null;
        }
        return TraceFormat.ANSWER.decode(bytes);
    }

    private void trouble(@Nullable Traced node, String detail) {
        if (node != null && !detail.equals(node.trouble)) {
            node.trouble = detail;
            add(node, "missing", detail);
        }
    }

    private void leave(Map<Incarnation, NodeId> members) {
        nodes.entrySet().removeIf(each -> {
            boolean hasLeft = !members.containsKey(each.getKey());
            if (hasLeft) {
                add(each.getValue(), "left", "it has left the cluster; the trace goes on without it");
            }
            return hasLeft;
        });
    }

    private boolean isMember() {
        return questions.members().keySet().stream().anyMatch(questions::isSelf);
    }

    private void take(Map<Incarnation, Answer> answers) {
        List<TraceEvent> ofClients = new ArrayList<>();
        answers.forEach((member, answer) -> {
            Traced node = nodes.get(member);
            if (node != null) {
                take(node, answer, ofClients);
            }
        });
        ofClients.sort(Comparator.comparingLong(TraceEvent::millis));
        for (TraceEvent each : ofClients) {
            if (over) {
                return;
            }
            found.add(each);
            shown++;
            if (shown == request.maximumEvents()) {
                end("count", "the trace has its maximum of events");
            }
        }
        if (endedBy != null) {
            end("ended", "the administrator " + endedBy + " has ended the trace");
        }
    }

    private void take(Traced node, Answer answer, List<TraceEvent> ofClients) {
        switch (answer.state()) {
            case RUNNING -> takeRunning(node, answer, ofClients);
            case FULL, ADMINISTRATOR_FULL -> trouble(node, "it has its maximum of traces");
            case ENDED -> endedBy = answer.by();
        }
    }

    private void takeRunning(Traced node, Answer answer, List<TraceEvent> ofClients) {
        Unconfirmed unconfirmed = answer.found();
        if (!node.begun || answer.begin() != node.begin) {
            add(
                    node,
                    node.begun ? "began_again" : "began",
                    node.begun
                            ? "it had dropped the trace, because it was not asked for a while, so events are missing"
                            : "it traces from now on");
            node.begun = true;
            node.begin = answer.begin();
            node.suppressed = 0;
            node.lost = 0;
        } else if (node.trouble != null) {
            add(node, "answers", "it answers again");
        }
        node.trouble = null;
        unconfirmed.events().forEach(each -> ofClients.add(each.at(node.name)));
        node.received = unconfirmed.confirmed() + unconfirmed.events().size();
        if (unconfirmed.suppressed() > node.suppressed) {
            addCount(node, "suppressed", unconfirmed.suppressed() - node.suppressed);
            node.suppressed = unconfirmed.suppressed();
        }
        if (unconfirmed.lost() > node.lost) {
            addCount(node, "lost", unconfirmed.lost() - node.lost);
            node.lost = unconfirmed.lost();
        }
    }

    private void add(Traced node, String state, String detail) {
        EventValues values = new EventValues()
                .with(TraceEvent.EVENT, "node")
                .with("state", state)
                .with(TraceEvent.DETAIL, detail);
        found.add(new TraceEvent(clock.millis(), values).at(node.name));
    }

    private void addCount(Traced node, String name, long count) {
        EventValues values = new EventValues().with(TraceEvent.EVENT, name).with(name, count);
        found.add(new TraceEvent(clock.millis(), values).at(node.name));
    }

    private void end(String reason, String detail) {
        if (!over) {
            over = true;
            EventValues values = new EventValues()
                    .with(TraceEvent.EVENT, "end")
                    .with(TraceEvent.REASON, reason)
                    .with(TraceEvent.DETAIL, detail)
                    .with("events", shown);
            found.add(new TraceEvent(clock.millis(), values));
        }
    }

    private String nameOf(Incarnation member) {
        Traced node = nodes.get(member);
        return node == null ? member.toString() : node.name;
    }

    /** Ends the trace at all nodes, without waiting for them. */
    @Override
    public void close() {
        byte[] question = TraceFormat.QUESTION.encode(Question.toEnd(id));
        nodes.keySet().forEach(member -> {
            var _ = questions.ask(member, QuestionKind.TRACE, question);
        });
    }
}
