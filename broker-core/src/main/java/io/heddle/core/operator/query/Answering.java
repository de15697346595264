package io.heddle.core.operator.query;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.operator.query.NodeAnswer.Outcome;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the questions of other nodes and of this one. Thread-safe. Bound: {@value NodeQuestions#MAXIMUM_OUTSTANDING} questions of each
 * node at a time; further ones are answered as busy.
 */
final class Answering {
    private static final Logger log = LoggerFactory.getLogger(Answering.class);

    /** The name of this node among those that ask. */
    private static final Object SELF = new Object();

    private final NodeLinks links;
    private final Executor executor;
    // Guarded by this.
    private final Map<QuestionKind, QuestionHandler> handlers = new EnumMap<>(QuestionKind.class);
    private final Map<Object, Integer> running = new HashMap<>();

    Answering(NodeLinks links, Executor executor) {
        this.links = links;
        this.executor = executor;
    }

    synchronized void answer(QuestionKind kind, QuestionHandler handler) {
        if (handlers.putIfAbsent(kind, handler) != null) {
            throw new IllegalArgumentException("questions of the kind " + kind + " have a handler already");
        }
    }

    private synchronized @Nullable QuestionHandler handler(@Nullable QuestionKind kind) {
        return kind == null ? null : handlers.get(kind);
    }

    /** Handles a question of another node. On an event loop. */
    void onQuestion(Incarnation from, byte[] payload) {
        QueryFrame frame = QueryFrame.decode(payload);
        int maximumBytes = NodeQuestions.maximumBytes(links);
        answer(from, frame.kind(), frame.body().bytes(), maximumBytes, answer -> send(from, frame.number(), answer));
    }

    private void send(Incarnation to, long number, NodeAnswer answer) {
        byte[] bytes = QueryFrame.answer(number, answer);
        // Without room, the one who asked runs into its limit.
        boolean _ = links.send(to, NodeQuestions.lane(links, number, bytes.length), NodeQuestions.ANSWER_KIND, bytes);
    }

    void answerSelf(QuestionKind kind, byte[] question, int maximumBytes, Consumer<NodeAnswer> receiver) {
        answer(SELF, kind, question, maximumBytes, receiver);
    }

    private void answer(
            Object from,
            @Nullable QuestionKind kind,
            byte[] question,
            int maximumBytes,
            Consumer<NodeAnswer> receiver) {
        QuestionHandler handler = handler(kind);
        if (handler == null) {
            receiver.accept(NodeAnswer.without(Outcome.FAILED));
        } else if (!begin(from)) {
            receiver.accept(NodeAnswer.without(Outcome.BUSY));
        } else {
            executor.execute(() -> {
                NodeAnswer answer;
                try {
                    answer = answer(handler, kind, question, maximumBytes);
                } finally {
                    end(from);
                }
                receiver.accept(answer);
            });
        }
    }

    private static NodeAnswer answer(
            QuestionHandler handler, @Nullable QuestionKind kind, byte[] question, int maximumBytes) {
        try {
            byte[] answer = handler.answer(question, maximumBytes);
            if (answer.length <= maximumBytes) {
                return NodeAnswer.of(answer);
            }
            log.error(
                    "An answer to another node is too large; please report this: kind={}, bytes={}, maximum={}",
                    kind,
                    answer.length,
                    maximumBytes);
            return NodeAnswer.without(Outcome.FAILED);
        } catch (RuntimeException fault) {
            log.warn("A question of an administrator could not be answered: kind={}", kind, fault);
            return NodeAnswer.without(Outcome.FAILED);
        }
    }

    private synchronized boolean begin(Object from) {
        int before = running.getOrDefault(from, 0);
        if (before == NodeQuestions.MAXIMUM_OUTSTANDING) {
            return false;
        }
        running.put(from, before + 1);
        return true;
    }

    private synchronized void end(Object from) {
        running.computeIfPresent(from, (_, count) -> count == 1 ? null : count - 1);
    }
}
