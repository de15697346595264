package io.heddle.api.history;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers that are given again for {@value #SECONDS} s: every open console asks for the same figures, which are recorded every ten seconds.
 * Thread-safe; questions that come together may each be answered anew. Bound: {@value #MAXIMUM_ANSWERS} answers.
 */
final class RecentAnswers<Q, A> {
    static final int MAXIMUM_ANSWERS = 16;
    static final int SECONDS = 5;

    private final Map<Q, Answer<A>> answers = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    private record Answer<A>(A answer, long nanos) {}

    RecentAnswers(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    A get(Q question, Supplier<A> find) {
        long now = nanoTime.getAsLong();
        answers.values()
                .removeIf(
                        each -> now - each.nanos >= Duration.ofSeconds(SECONDS).toNanos());
        Answer<A> known = answers.get(question);
        if (known != null) {
            return known.answer;
        }
        A found = find.get();
        if (answers.size() < MAXIMUM_ANSWERS) {
            answers.put(question, new Answer<>(found, nanoTime.getAsLong()));
        }
        return found;
    }
}
