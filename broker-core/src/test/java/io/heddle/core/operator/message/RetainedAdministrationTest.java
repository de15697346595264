package io.heddle.core.operator.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.testkit.PublishMessages;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetainedAdministrationTest {
    private static final ClientId ADMIN = new ClientId("admin");

    private final TestNode node = new TestNode();
    private final RetainedAdministration retained = node.administration.retained();
    private final TestClient publisher = node.connect("publisher");

    private void retain(String... topics) {
        for (String topic : topics) {
            publisher.retain(topic, "of " + topic);
        }
    }

    private static TopicFilter filter(String text) {
        return TopicFilter.parse(text, 8);
    }

    private static TopicName topic(String text) {
        return TopicName.parse(text, 8);
    }

    /** The topics of each page. */
    private List<List<String>> pages(String filter, int limit) {
        List<List<String>> pages = new ArrayList<>();
        @Nullable TopicName after = null;
        do {
            RetainedPage page = retained.list(filter(filter), after, limit);
            pages.add(page.messages().stream().map(each -> each.topic().value()).toList());
            after = page.next();
        } while (after != null);
        return pages;
    }

    @Test
    void pagesFollowEachOtherInTheOrderOfTheTopics() {
        retain("b", "a/2/x", "a", "a/1", "a/2", "c/1/x");

        assertThat(pages("#", 100)).containsExactly(List.of("a", "a/1", "a/2", "a/2/x", "b", "c/1/x"));
        assertThat(pages("#", 4)).containsExactly(List.of("a", "a/1", "a/2", "a/2/x"), List.of("b", "c/1/x"));
        assertThat(pages("#", 1).stream().flatMap(List::stream))
                .containsExactly("a", "a/1", "a/2", "a/2/x", "b", "c/1/x");
        assertThat(pages("a/#", 2).stream().flatMap(List::stream)).containsExactly("a", "a/1", "a/2", "a/2/x");
        assertThat(pages("+/+/x", 1).stream().flatMap(List::stream)).containsExactly("a/2/x", "c/1/x");
        assertThat(pages("a/1", 1).stream().flatMap(List::stream)).containsExactly("a/1");
        assertThat(pages("nothing/#", 1)).containsExactly(List.of());
    }

    @Test
    void aPageContinuesBehindATopicThatIsNoLongerThere() {
        retain("a/1", "a/2", "a/2/x", "a/3");
        TopicName next = retained.list(filter("a/#"), null, 2).next();
        assertThat(next).isEqualTo(topic("a/2"));
        publisher.retain("a/2", "");
        publisher.retain("a/2/x", "");

        RetainedPage page = retained.list(filter("a/#"), next, 2);

        assertThat(page.messages()).extracting(each -> each.topic().value()).containsExactly("a/3");
        assertThat(page.next()).isNull();
    }

    @Test
    void aRemovedMessageIsGoneAfterARestartAndSubscribersReceiveNothing() {
        retain("a", "b");
        TestClient subscriber = node.connect("subscriber").subscribe(QoS.AT_LEAST_ONCE, "#");
        int before = subscriber.messages().size();

        assertThat(node.whileRunning(() -> retained.remove(topic("a"), ADMIN))).isTrue();
        assertThat(node.whileRunning(() -> retained.remove(topic("a"), ADMIN))).isFalse();

        assertThat(retained.find(topic("a"))).isNull();
        assertThat(subscriber.messages()).hasSize(before);
        assertThat(node.count("heddle.retained.removed.by.administrators")).isOne();
        TestNode restarted = node.restarted();
        assertThat(restarted.retained.find(topic("a"))).isNull();
        assertThat(PublishMessages.text(Objects.requireNonNull(restarted.retained.find(topic("b")))))
                .isEqualTo("of b");
    }

    @Test
    void allMessagesThatMatchAreRemoved() {
        for (int i = 0; i < 600; i++) {
            retain("a/" + i);
        }
        retain("b");

        RetainedRemovals removals = node.whileRunning(() -> retained.removeMatching(filter("a/+"), ADMIN));

        assertThat(removals).isEqualTo(new RetainedRemovals(600, true));
        assertThat(pages("#", 10)).containsExactly(List.of("b"));
        assertThat(node.restarted().retained.size()).isOne();
    }
}
