package io.heddle.api.page;

import io.heddle.core.StoreUnavailableException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Asks the nodes about each item of a page, {@value #AT_ONCE} at a time: one after the other, a node that does not answer would hold up each
 * of them; all at once, they would crowd out other questions.
 */
public final class ItemQuestions {
    private static final int AT_ONCE = 8;

    private ItemQuestions() {}

    /**
     * Returns the answers in the order of the items. Blocks.
     *
     * @throws StoreUnavailableException if a question ends so, or the wait is interrupted
     */
    public static <K, V> Map<K, V> ask(Collection<K> items, Function<K, V> question) {
        Map<K, V> answers = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(
                AT_ONCE, Thread.ofVirtual().name("heddle-page-items").factory())) {
            Map<K, Future<V>> asked = new LinkedHashMap<>();
            items.forEach(each -> asked.put(each, threads.submit(() -> question.apply(each))));
            asked.forEach((each, answer) -> answers.put(each, result(answer)));
        }
        return answers;
    }

    private static <V> V result(Future<V> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreUnavailableException unavailable
                    ? unavailable
                    : new IllegalStateException("a question about an item failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the wait for the answers about a page was interrupted", e);
        }
    }
}
