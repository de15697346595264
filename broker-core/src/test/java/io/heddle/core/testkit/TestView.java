package io.heddle.core.testkit;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.cluster.View;
import java.util.Map;
import java.util.Objects;

/** A log of nodes in memory and the view of a reader of all its records. */
public final class TestView {
    private View view;
    private long beats;

    /** A log without records. */
    public TestView(int buckets) {
        view = View.atBeginning(0, buckets);
    }

    /** Returns the view as of the last record. */
    public View view() {
        return view;
    }

    /** Appends a record. */
    public void write(NodeRecord record) {
        view = view.after(view.next(), record);
    }

    /** A node joins. */
    public Incarnation join(String id) {
        Incarnation joined = new Incarnation(view.next(), 0);
        write(new Joined(description(id), 0));
        return joined;
    }

    /** A node joins and serves. */
    public Incarnation serve(String id) {
        Incarnation joined = join(id);
        write(new Serving(joined));
        return joined;
    }

    private static NodeDescription description(String id) {
        return new NodeDescription(new NodeId(id), "", "", NodeDescription.FORMATS, 3);
    }

    /** The owner takes all free buckets. */
    public void take(Incarnation owner) {
        write(new Took(owner, view.free()));
    }

    /** A holder gives all its buckets back. */
    public void release(Incarnation holder) {
        write(new Released(holder, view.heldBy(holder)));
    }

    /** A node writes a heartbeat. */
    public void beat(Incarnation node) {
        beat(node, Map.of());
    }

    /** A node writes a heartbeat that names unreachable members. */
    public void beat(Incarnation node, Map<Incarnation, Long> unreachable) {
        beats++;
        Member member = Objects.requireNonNull(view.member(node));
        write(new Heartbeat(node, member.node(), member.state(), beats, view.next(), view.heldBy(node), unreachable));
    }

    /** A node declares another one dead. */
    public void kill(Incarnation writer, Incarnation dead) {
        write(new Dead(writer, dead, Objects.requireNonNull(view.member(dead)).lastRecord()));
    }
}
