package io.heddle.core.operator.refusal;

/** Gives access to the refusals of the cluster while a node serves. Implemented by the application. */
@FunctionalInterface
public interface ServingRefusals {
    /**
     * Returns a page of the refusals of all nodes; blocks, so not on an event loop.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    RefusalPage find(RefusalQuery query);
}
