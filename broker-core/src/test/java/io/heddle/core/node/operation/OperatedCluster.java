package io.heddle.core.node.operation;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.cluster.View;
import io.heddle.core.sys.NodeFigures;
import io.heddle.core.testkit.InMemoryLinks;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The members of a cluster whose buckets are divided, their links in memory, and what they tell each other. */
final class OperatedCluster {
    static final int BUCKETS = 6;

    final InMemoryLinks links = new InMemoryLinks(1, 1_000, 10_000);
    private final Map<Incarnation, NodeReports> reports = new HashMap<>();
    private View view = View.atBeginning(0, BUCKETS);
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    long nanos = 42;

    View view() {
        return view;
    }

    void write(NodeRecord record) {
        view = view.after(view.next(), record);
    }

    /** A node joins, and is linked to the others. */
    Incarnation join(String id) {
        Incarnation joined = new Incarnation(view.next(), 0);
        write(new Joined(new NodeDescription(new NodeId(id), "", "", NodeDescription.FORMATS, 3), 0));
        InMemoryLinks.OfNode own = links.node(joined);
        reports.put(joined, new NodeReports(own, () -> nanos, metrics));
        reports.keySet().stream().filter(other -> !other.equals(joined)).forEach(other -> links.connect(joined, other));
        reports.forEach((each, told) -> {
            Set<Incarnation> others = new HashSet<>(reports.keySet());
            others.remove(each);
            told.onMembers(others);
        });
        return joined;
    }

    Incarnation serve(String id) {
        Incarnation joined = join(id);
        write(new Serving(joined));
        return joined;
    }

    /** All buckets get to their rightful owners. */
    void settle() {
        view.members().forEach(each -> {
            Set<Integer> surplus = view.heldBy(each.incarnation());
            surplus.removeAll(view.ownedBy(each.incarnation()));
            write(new Released(each.incarnation(), surplus));
        });
        view.members().forEach(each -> write(new Took(each.incarnation(), view.free())));
    }

    NodeReports reports(Incarnation node) {
        return Objects.requireNonNull(reports.get(node));
    }

    /** A node tells the others its report. */
    void tell(Incarnation node, int connections, String address, String obstacle) {
        reports(node).tell(node, new NodeReport(connections, address, obstacle, NodeFigures.NONE, "1.0", null));
        links.deliver();
    }
}
