package io.heddle.core.retained.trie;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Compares siblings with a sorted map while they grow to many chunks and shrink to none. */
final class SiblingsProperty {
    private final TreeMap<String, TopicNode> model = new TreeMap<>();
    private @Nullable Siblings siblings;

    @RepeatedTest(20)
    void behaveLikeASortedMapUnderRandomChanges(RepetitionInfo repetition) {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime()) + repetition.getCurrentRepetition();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        int names = 1 << random.nextInt(3, 13);
        for (int round = 0; round < 6; round++) {
            int chanceToAdd = round % 2 == 0 ? 8 : 2;
            for (int step = 0; step < 2 * names; step++) {
                String level = Integer.toString(random.nextInt(names), 36);
                if (random.nextInt(10) < chanceToAdd) {
                    add(level);
                } else {
                    remove(level);
                }
                check(Integer.toString(random.nextInt(names), 36), seed);
            }
            assertThat(all()).as("seed %d", seed).containsExactlyElementsOf(model.keySet());
        }
        for (String level : List.copyOf(model.keySet())) {
            remove(level);
            check(level, seed);
        }
        assertThat(siblings).isNull();
    }

    @Test
    void topicsAddedInOrderLeaveDenseChunks() {
        for (int i = 0; i < 100 * Chunk.CAPACITY; i++) {
            add(String.format("%06d", i));
        }
        int runs = 0;
        String last = null;
        for (SortedChunk run = siblings().after(null);
                run != null;
                run = siblings().after(last)) {
            last = run.node(run.size() - 1).level;
            runs++;
        }
        assertThat(runs).isLessThan(135);
    }

    @Test
    void addingAndRemovingAtOnePlaceSeldomCreatesANewIndex() {
        for (int i = 0; i < 10 * Chunk.CAPACITY; i++) {
            add(String.format("%06d", 2 * i));
        }
        for (int place = 0; place <= 20 * Chunk.CAPACITY; place++) {
            String level = String.format("%06d.", place);
            add(level);
            Siblings index = siblings;
            remove(level);
            add(level);
            assertThat(siblings).as(level).isSameAs(index);
            remove(level);
        }
    }

    @Test
    void lastRemainingSiblingNeedsNoArray() {
        for (int i = 0; i < 10 * Chunk.CAPACITY; i++) {
            add(String.format("%06d", i));
        }
        for (int i = 0; i < 10 * Chunk.CAPACITY; i++) {
            if (i != 100) {
                remove(String.format("%06d", i));
            }
        }
        assertThat(siblings).isSameAs(model.get("000100"));
    }

    private Siblings siblings() {
        return Objects.requireNonNull(siblings);
    }

    private void add(String level) {
        if (!model.containsKey(level)) {
            TopicNode node = new TopicNode(null, level);
            model.put(level, node);
            siblings = siblings == null ? node : siblings.with(node);
        }
    }

    private void remove(String level) {
        if (model.remove(level) != null) {
            siblings = siblings().without(level);
        }
    }

    private void check(String level, long seed) {
        if (siblings == null) {
            assertThat(model).as("seed %d", seed).isEmpty();
            return;
        }
        assertThat(siblings.find(level)).as("seed %d, %s", seed, level).isSameAs(model.get(level));
        SortedChunk run = siblings.after(level);
        TopicNode next = run == null ? null : run.node(run.indexAfter(level));
        assertThat(next == null ? null : next.level)
                .as("seed %d, after %s", seed, level)
                .isEqualTo(model.higherKey(level));
    }

    private List<String> all() {
        List<String> levels = new ArrayList<>();
        Siblings current = siblings;
        SortedChunk run = current == null ? null : current.after(null);
        while (current != null && run != null) {
            for (int i = 0; i < run.size(); i++) {
                levels.add(run.node(i).level);
            }
            run = current.after(levels.getLast());
        }
        return levels;
    }
}
