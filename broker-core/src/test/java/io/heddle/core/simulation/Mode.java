package io.heddle.core.simulation;

import java.util.Set;

/** The nodes that serve in a run. */
public enum Mode {
    /** One at a time; others may stand by. */
    ONE_NODE,
    /** All. */
    DIVIDED;

    /** The faults of which a run uses some. */
    Set<Fault> faults() {
        return switch (this) {
            case ONE_NODE -> Fault.ofOneNode();
            case DIVIDED -> Fault.ofServingNodes();
        };
    }
}
