package io.heddle.core.delivery;

import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.node.Forwarding;
import io.heddle.core.delivery.node.Receipts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of a message that must be committed first, on this node and to others. One of its methods is called once, on any thread.
 */
public final class LaterDelivery {
    /** Nothing to deliver. */
    public static final LaterDelivery NONE = new LaterDelivery(List.of(), null);

    private final List<DirectDelivery.Later> direct;
    private final Forwarding.@Nullable Prepared forwarded;

    LaterDelivery(List<DirectDelivery.Later> direct, Forwarding.@Nullable Prepared forwarded) {
        this.direct = direct;
        this.forwarded = forwarded;
    }

    /**
     * The message is committed.
     *
     * @return the receipts of other nodes to wait for, or null
     */
    public @Nullable Receipts deliver() {
        for (int i = 0; i < direct.size(); i++) {
            direct.get(i).deliver();
        }
        return forwarded == null ? null : forwarded.send();
    }

    /** The message is not committed: its publisher gets no acknowledgement and sends it again. */
    public void cancel() {
        for (int i = 0; i < direct.size(); i++) {
            direct.get(i).cancel();
        }
    }
}
