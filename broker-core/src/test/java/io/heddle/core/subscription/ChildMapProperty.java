package io.heddle.core.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Compares children with a map, through all container types. {@code -Dheddle.test.seed} repeats a run. */
final class ChildMapProperty {
    /** All texts of this many parts, each "Aa" or "BB", have the same hash code. */
    private static final int ALIKE_PARTS = 11;

    private static final int DEEPEST = HashNode.ALL_BITS / HashNode.BITS;

    private @Nullable Object children;
    private final Map<String, TrieNode> model = new HashMap<>();

    @RepeatedTest(10)
    void behavesLikeAMapWhileItGrowsAndShrinks(RepetitionInfo repetition) {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime()) + repetition.getCurrentRepetition();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            names.add(i % 3 == 0 ? alike(i / 3) : Integer.toString(i));
        }
        for (int wave = 0; wave < 4; wave++) {
            int known = 1 << random.nextInt(1, 12);
            int growth = 1 + random.nextInt(9);
            for (int step = 0; step < 4 * known; step++) {
                change(names.get(random.nextInt(known)), random.nextInt(10) < growth);
            }
            check(seed, names);
        }
        for (String name : List.copyOf(model.keySet())) {
            change(name, false);
        }
        assertThat(children).as("seed %d", seed).isNull();
    }

    @Test
    void namesWithEqualHashCodesAreFoundAndLeaveNothing() {
        for (int i = 0; i < 1 << ALIKE_PARTS; i++) {
            change(alike(i), true);
        }
        check(0, List.copyOf(model.keySet()));
        assertThat(find("AaAa")).isNull();

        for (String name : List.copyOf(model.keySet())) {
            change(name, false);
        }
        assertThat(children).isNull();
    }

    @Test
    void tablesAreBoundedHoweverManyChildrenThereAre() {
        for (int i = 0; i < 200_000; i++) {
            change("device-" + i, true);
        }

        assertThat(depth(children)).isLessThanOrEqualTo(DEEPEST);
        assertThat(find("device-199999")).isNotNull();
    }

    private void change(String name, boolean add) {
        TrieNode there = model.get(name);
        if (add && there == null) {
            TrieNode child = new TrieNode(name);
            children = ChildMap.with(children, child);
            model.put(name, child);
        } else if (!add && there != null) {
            children = ChildMap.without(children, there);
            model.remove(name);
        }
    }

    private void check(long seed, List<String> names) {
        for (String name : names) {
            assertThat(ChildMap.find(children, name))
                    .as("seed %d, %s", seed, name)
                    .isSameAs(model.get(name));
            assertThat(find(name)).as("seed %d, topic %s", seed, name).isSameAs(model.get(name));
        }
        assertThat(depth(children)).as("seed %d", seed).isLessThanOrEqualTo(DEEPEST);
    }

    private @Nullable TrieNode find(String name) {
        return ChildMap.find(children, TopicName.parse("x/" + name, 2), 1);
    }

    /** Returns the depth of nested hash nodes and checks the tables on the way. */
    private static int depth(@Nullable Object children) {
        if (children instanceof TrieNode[] table) {
            assertThat(table.length).isLessThanOrEqualTo(ChildMap.LARGEST_TABLE);
        }
        if (!(children instanceof HashNode hashNode)) {
            return 0;
        }
        int deepest = 0;
        for (int i = 0; i < HashNode.PARTS; i++) {
            deepest = Math.max(deepest, depth(hashNode.part(i)));
        }
        return 1 + deepest;
    }

    private static String alike(int number) {
        StringBuilder name = new StringBuilder();
        for (int part = 0; part < ALIKE_PARTS; part++) {
            name.append((number >>> part & 1) == 0 ? "Aa" : "BB");
        }
        return name.toString();
    }
}
