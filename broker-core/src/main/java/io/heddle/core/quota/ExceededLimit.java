package io.heddle.core.quota;

import java.util.List;

/**
 * A limit of this node that the state in the logs exceeds. The node applies this state all the same, and admits nothing that would need more.
 *
 * @param setting the name of the limit
 * @param limit its value on this node
 * @param present the value that the state has reached
 */
public record ExceededLimit(String setting, long limit, long present) {
    /** Adds an exceeded limit to a list, unless the present value is within the limit. */
    public static void check(List<ExceededLimit> exceeded, String setting, long limit, long present) {
        if (present > limit) {
            exceeded.add(new ExceededLimit(setting, limit, present));
        }
    }
}
