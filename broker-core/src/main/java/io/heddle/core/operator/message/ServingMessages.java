package io.heddle.core.operator.message;

/** Gives access to the messages of a node while it serves. Implemented by the application. */
@FunctionalInterface
public interface ServingMessages {
    /**
     * Returns the administration. Does not block; any thread.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    MessageAdministration get();
}
