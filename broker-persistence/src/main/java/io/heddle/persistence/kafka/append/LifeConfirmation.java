package io.heddle.persistence.kafka.append;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.NodeLife;
import io.heddle.core.cluster.NodeOverException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Requires, before a transaction begins, that this node was confirmed to be alive after the last initialisation of a producer.
 *
 * <p>An initialised producer can commit even if its predecessor was fenced, so the initialisation alone would undo a fence. A fenced producer
 * in turn does not prove a death: Kafka also fences a producer whose transaction it timed out. Only the log of nodes tells. Owned by one thread
 * that commits, each of which has its own.
 */
final class LifeConfirmation {
    private final NodeLife life;
    private boolean confirmed;

    LifeConfirmation(NodeLife life) {
        this.life = life;
    }

    /** Demands another confirmation before the next transaction: a producer was initialised or fenced. */
    void revoke() {
        confirmed = false;
    }

    /**
     * Reads the log of nodes unless the life is confirmed.
     *
     * @throws NodeOverException when the cluster has declared this node dead
     * @throws KafkaException when the log cannot be read now; the caller may retry
     */
    void require() {
        try {
            boolean alive = confirmed ? !life.isOver() : life.isConfirmed();
            if (!alive) {
                throw new NodeOverException(
                        "the cluster has declared this node dead (incarnation " + life.incarnation() + ")");
            }
            confirmed = true;
        } catch (StoreUnavailableException e) {
            throw new KafkaException(e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
