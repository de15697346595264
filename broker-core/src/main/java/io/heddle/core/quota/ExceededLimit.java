package io.heddle.core.quota;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A limit of this node that the state in the logs exceeds. The node applies this state all the same, and admits nothing that would need more.
 *
 * @param setting the name of the limit
 * @param limit its value on this node
 * @param present the value that the state has reached
 */
public record ExceededLimit(String setting, long limit, long present) {
    private static final Logger log = LoggerFactory.getLogger(ExceededLimit.class);

    /** Adds an exceeded limit to a list, unless the present value is within the limit. */
    public static void check(List<ExceededLimit> exceeded, String setting, long limit, long present) {
        if (present > limit) {
            exceeded.add(new ExceededLimit(setting, limit, present));
        }
    }

    public void warn() {
        log.warn(
                "The state in the logs exceeds a limit of this node: it is kept, and new sessions, subscriptions or retained messages"
                        + " that need more are refused (raise the limit or remove some): limit={}, allowed={}, present={}",
                setting,
                limit,
                present);
    }
}
