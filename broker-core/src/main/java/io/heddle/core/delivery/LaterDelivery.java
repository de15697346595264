package io.heddle.core.delivery;

import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.node.Forwarding;
import io.heddle.core.delivery.node.Receipts;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of a message that must be committed first, on this node and to others. One of its methods is called once, on any thread.
 */
public final class LaterDelivery {
    /** Nothing to deliver. */
    public static final LaterDelivery NONE = new LaterDelivery(List.of(), () -> true, null);

    private final List<DirectDelivery.Later> direct;
    private final BooleanSupplier isNew;
    private final Forwarding.@Nullable Prepared forwarded;

    /** @param isNew returns whether this node has not delivered the message before; asked once */
    LaterDelivery(List<DirectDelivery.Later> direct, BooleanSupplier isNew, Forwarding.@Nullable Prepared forwarded) {
        this.direct = direct;
        this.isNew = isNew;
        this.forwarded = forwarded;
    }

    /**
     * The message is committed. Subscribers on this node get it, unless this node has delivered it before; other nodes decide for themselves.
     *
     * @return the receipts of other nodes to wait for, or null
     */
    public @Nullable Receipts deliver() {
        if (isNew.getAsBoolean()) {
            for (int i = 0; i < direct.size(); i++) {
                direct.get(i).deliver();
            }
        } else {
            cancel();
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
