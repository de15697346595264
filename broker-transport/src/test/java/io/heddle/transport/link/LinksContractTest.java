package io.heddle.transport.link;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.testkit.NodeLinksContract;
import io.heddle.transport.link.LinkedNodes.Node;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

class LinksContractTest extends NodeLinksContract {
    @AutoClose
    private final LinkedNodes nodes =
            new LinkedNodes(LinkedNodes.settings(MAXIMUM_PAYLOAD_BYTES, MAXIMUM_UNACKNOWLEDGED_BYTES));

    private Node a;
    private Node b;

    @BeforeEach
    void startNodes() throws Exception {
        a = nodes.start();
        b = nodes.start();
    }

    @Override
    protected NodeLinks a() {
        return a.links;
    }

    @Override
    protected Incarnation idOfA() {
        return a.incarnation;
    }

    @Override
    protected NodeLinks b() {
        return b.links;
    }

    @Override
    protected Incarnation idOfB() {
        return b.incarnation;
    }

    @Override
    protected void join() {
        nodes.join(a).join(b).show(a).show(b);
    }

    @Override
    protected void cut() {
        a.proxy.cut();
        b.proxy.cut();
    }

    @Override
    protected void heal() {
        a.proxy.heal();
        b.proxy.heal();
    }

    @Override
    protected void endB() {
        nodes.leave(b).show(a);
    }

    @Override
    protected void await(BooleanSupplier condition) throws InterruptedException {
        LinkedNodes.await(condition);
    }

    /** Waits until A has refused B, if it is to. */
    @Override
    protected void settle() throws InterruptedException {
        LinkedNodes.await(() -> a.count("heddle.links.refused", "ended") > 0);
    }
}
