package io.heddle.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.subscription.RemoteNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeRecipientsTest {
    private static final List<RemoteNode> NODES = IntStream.range(0, 20)
            .mapToObj(number -> new RemoteNode(new Incarnation(number, 1)))
            .toList();

    private final NodeRecipients recipients = new NodeRecipients();

    @Test
    void manyNodesAreRecipientsForSeveralPurposes() {
        for (int round = 0; round < 2; round++) {
            recipients.clear();
            for (RemoteNode node : NODES) {
                assertThat(recipients.add(node, NodeRecipients.SUBSCRIBERS)).isTrue();
                assertThat(recipients.add(node, NodeRecipients.ACKNOWLEDGED)).isFalse();
            }

            assertThat(recipients.count()).isEqualTo(NODES.size());
            for (int i = 0; i < NODES.size(); i++) {
                assertThat(recipients.node(i)).isSameAs(NODES.get(i));
                assertThat(recipients.purposes(i)).isEqualTo(NodeRecipients.SUBSCRIBERS | NodeRecipients.ACKNOWLEDGED);
            }
        }
    }

    @Test
    void manyNodesHavePersistentSessions() {
        for (RemoteNode node : NODES) {
            recipients.addPersistent(node);
            recipients.addPersistent(node);
        }

        for (int i = 0; i < NODES.size(); i++) {
            assertThat(recipients.purposes(i)).isEqualTo(NodeRecipients.PERSISTENT);
            assertThat(recipients.persistent(i)).isEqualTo(2);
        }
    }

    @Test
    void manyNodesHaveMembersOfSharedSubscriptions() {
        for (RemoteNode node : NODES) {
            recipients.addMember(node, "$share/a/t", 0);
            recipients.addMember(node, "$share/b/t", NodeRecipients.ACKNOWLEDGED);
        }

        assertThat(recipients.isAnyAcknowledged()).isTrue();
        for (int i = 0; i < NODES.size(); i++) {
            assertThat(recipients.groups(i)).containsExactly("$share/a/t", "$share/b/t");
        }
    }
}
