package io.heddle.core.operator.rule;

/** The rules of the cluster while this node serves. */
@FunctionalInterface
public interface ServingRules {
    /**
     * Returns the administration. Does not block; any thread.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves
     */
    RuleAdministration get();
}
