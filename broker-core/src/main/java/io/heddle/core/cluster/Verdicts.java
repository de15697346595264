package io.heddle.core.cluster;

import io.heddle.core.FailureLog;
import io.heddle.core.cluster.NodeRecord.Condemned;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes that members are dead or must leave, and logs and counts it. Thread-safe.
 *
 * <p>Metrics: {@code heddle.cluster.declared.dead}, {@code heddle.cluster.condemned}.
 */
final class Verdicts {
    private static final Logger log = LoggerFactory.getLogger(Verdicts.class);

    private final NodeLog nodes;
    private final MeterRegistry registry;

    Verdicts(NodeLog nodes, MeterRegistry registry) {
        this.nodes = nodes;
        this.registry = registry;
    }

    /** Registers the counters of these members: for Prometheus, a counter that begins with 1 has no increase. */
    void register(Collection<Member> members) {
        for (Member each : members) {
            var _ = declaredDead(each.node().id());
            var _ = condemned(each.node().id());
        }
    }

    private Counter declaredDead(NodeId node) {
        return Counter.builder("heddle.cluster.declared.dead")
                .description("Declarations by this node that another one is dead")
                .tag("node", node.value())
                .register(registry);
    }

    private Counter condemned(NodeId node) {
        return Counter.builder("heddle.cluster.condemned")
                .description("Nodes that had to leave the cluster because of broken links")
                .tag("node", node.value())
                .register(registry);
    }

    /**
     * Declares a member of the view dead. Does not block for an answer.
     *
     * @param onRefused called if Kafka does not accept the declaration
     */
    void declareDead(Dead dead, View view, Consumer<Dead> onRefused) {
        Member member = view.member(dead.incarnation());
        if (member != null) {
            String address = member.node().address();
            log.warn(
                    "Declaring a node dead that is silent or has ended: nodeId={}, incarnation={}{}",
                    member.node().id(),
                    dead.incarnation(),
                    address.isEmpty() ? "" : ", address=" + address);
            declaredDead(member.node().id()).increment();
        }
        var _ = nodes.append(dead).whenComplete((_, fault) -> {
            if (fault != null) {
                onRefused.accept(dead);
                FailureLog.warn(log, "Kafka did not accept the declaration that a node is dead", fault);
            }
        });
    }

    /** Writes that a member must leave. Does not block for an answer. */
    void condemn(Condemned condemned) {
        var _ = nodes.append(condemned).whenComplete((_, fault) -> {
            if (fault != null) {
                FailureLog.warn(log, "Kafka did not accept that a node with broken links must leave", fault);
            }
        });
    }

    /** This node has read that a member must leave. */
    void onCondemned(Member member, View view) {
        condemned(member.node().id()).increment();
        log.warn(
                "A node must leave the cluster, because links between nodes are broken: nodeId={}, incarnation={}, broken={}",
                member.node().id(),
                member.incarnation(),
                brokenLinks(view));
    }

    /** Returns which links are broken, as one clause. */
    static String brokenLinks(View view) {
        return view.members().stream()
                .flatMap(each -> each.unreachable().keySet().stream()
                        .map(view::member)
                        .filter(Objects::nonNull)
                        .map(other -> each.node().id() + " does not reach "
                                + other.node().id()))
                .collect(Collectors.joining(", "));
    }
}
