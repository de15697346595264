package io.heddle.core.node.operation;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether the cluster is steady, as one node sees it: all members serve, each bucket is held by its rightful owner, all links are up, and no
 * node is behind. Then another node may be stopped.
 *
 * @param servingNodes the number of members that serve, or may serve
 * @param obstacles clauses that say why the cluster is not steady, at most a few for each member; empty if it is
 */
public record Steadiness(int servingNodes, List<String> obstacles) {
    /** @param obstacles not changed afterwards */
    public Steadiness {
        obstacles = List.copyOf(obstacles);
    }

    /** Returns the state of a cluster to which this node does not belong. */
    public static Steadiness ofNoMember() {
        return new Steadiness(0, List.of("this node is not a member of the cluster"));
    }

    public boolean isSteady() {
        return obstacles.isEmpty();
    }

    /**
     * Returns whether the cluster is steady.
     *
     * @param reports returns the latest report of a member, or null
     */
    public static Steadiness of(View view, Function<Incarnation, @Nullable NodeReport> reports) {
        List<String> obstacles = new ArrayList<>();
        int serving = 0;
        for (Member member : view.members()) {
            String node = member.node().id().value();
            NodeReport report = reports.apply(member.incarnation());
            if (member.state() == MemberState.JOINED) {
                obstacles.add(node + " is joining");
            } else if (member.state() == MemberState.DRAINING) {
                obstacles.add(node + " is about to leave");
            } else if (member.state() == MemberState.CONDEMNED) {
                obstacles.add(node + " must leave, because its links are broken");
            } else {
                serving++;
                if (report == null) {
                    obstacles.add(node + " has sent no report in the last seconds");
                } else if (!report.obstacle().isEmpty()) {
                    obstacles.add(node + ": " + report.obstacle());
                }
            }
        }
        addBuckets(view, obstacles);
        return new Steadiness(serving, obstacles);
    }

    private static void addBuckets(View view, List<String> obstacles) {
        int free = view.free().size();
        if (free > 0) {
            obstacles.add("buckets without a holder: " + free);
        }
        int moving = 0;
        for (Member member : view.members()) {
            var held = view.heldBy(member.incarnation());
            held.removeAll(view.ownedBy(member.incarnation()));
            moving += held.size();
        }
        if (moving > 0) {
            obstacles.add("buckets that another node is about to take: " + moving);
        }
    }
}
