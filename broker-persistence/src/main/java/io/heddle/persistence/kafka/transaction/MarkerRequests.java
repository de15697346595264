package io.heddle.persistence.kafka.transaction;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.operator.store.HangingTransaction;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;

/**
 * Writes the marker of a transaction to the leader of a partition, as the coordinator does. Stateless; blocks for some
 * seconds.
 *
 * <p>The marker has the epoch of the records and the validation of transaction version 0: Kafka then refuses it as soon as the partition has a record of
 * a later epoch. A marker with the next epoch, as the coordinator writes it by transaction version 2, would end the producer's next transaction too
 * early on a Kafka before version 4.3, which does not know the stricter validation.
 */
final class MarkerRequests {
    private static final short TRANSACTION_VERSION = 0;

    private final NodeRequests requests;

    MarkerRequests(NodeRequests requests) {
        this.requests = requests;
    }

    void write(Node leader, HangingTransaction transaction, boolean isCommitted) {
        TopicPartition partition = new TopicPartition(
                transaction.partition().topic(), transaction.partition().partition());
        WriteTxnMarkersRequest.TxnMarkerEntry marker = new WriteTxnMarkersRequest.TxnMarkerEntry(
                transaction.producerId(),
                (short) transaction.producerEpoch(),
                transaction.coordinatorEpoch(),
                isCommitted ? TransactionResult.COMMIT : TransactionResult.ABORT,
                List.of(partition),
                TRANSACTION_VERSION);
        WriteTxnMarkersResponse response =
                (WriteTxnMarkersResponse) requests.send(leader, new WriteTxnMarkersRequest.Builder(List.of(marker)));
        Errors error = response.errorsByProducerId()
                .getOrDefault(transaction.producerId(), Map.of())
                .getOrDefault(partition, Errors.UNKNOWN_SERVER_ERROR);
        switch (error) {
            case NONE -> {
                // Written.
            }
            case CLUSTER_AUTHORIZATION_FAILED ->
                throw new StoreRejectedException(
                        "Heddle's account may not write transaction markers: give it ALTER on the cluster in Kafka",
                        error.exception());
            case INVALID_PRODUCER_EPOCH ->
                throw StoreUnavailableException.kafka(
                        "the producer has written to " + partition + " again, so its next marker ends the transaction",
                        error.exception());
            default ->
                throw StoreUnavailableException.kafka(
                        "Kafka did not write a transaction marker to " + partition, error.exception());
        }
    }
}
