package io.heddle.core.authorization;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.QoS;

/**
 * A rule in a {@link RuleNode} as one number: its position in the rule set, its effect, and one bit for each kind of request that it decides
 * about. A smaller entry is an earlier rule. A kind of request is an action with its conditions: six for the QoS and RETAIN flag of a
 * publish, three for the QoS of a subscription.
 */
@HotPath
final class RuleEntry {
    /** No rule; later than every entry. */
    static final int NONE = Integer.MAX_VALUE;

    /** The highest number of rules; below the number that fits, so that no entry equals {@link #NONE}. */
    static final int MAXIMUM_RULES = 1_000_000;

    private static final int QOS_LEVELS = 3;
    private static final int SUBSCRIBE_SHIFT = 2 * QOS_LEVELS;
    private static final int ALLOW = 1 << 9;
    private static final int POSITION_SHIFT = 10;

    private RuleEntry() {}

    /** Returns the kind of a publish as a single bit. */
    static int publish(QoS qos, boolean retain) {
        return 1 << (retain ? qos.level() + QOS_LEVELS : qos.level());
    }

    /** Returns the kind of a subscription as a single bit. */
    static int subscribe(QoS qos) {
        return 1 << (SUBSCRIBE_SHIFT + qos.level());
    }

    static int of(int position, Rule rule) {
        int kinds = 0;
        for (QoS qos : rule.qos()) {
            if (rule.actions().contains(Action.SUBSCRIBE)) {
                kinds |= subscribe(qos);
            }
            if (rule.actions().contains(Action.PUBLISH)) {
                kinds |= rule.retain() == null || !rule.retain() ? publish(qos, false) : 0;
                kinds |= rule.retain() == null || rule.retain() ? publish(qos, true) : 0;
            }
        }
        return position << POSITION_SHIFT | (rule.effect() == Effect.ALLOW ? ALLOW : 0) | kinds;
    }

    static boolean decides(int entry, int kind) {
        return (entry & kind) != 0;
    }

    static boolean isAllow(int entry) {
        return (entry & ALLOW) != 0;
    }

    /** Returns the position in the rule set, from 0. */
    static int position(int entry) {
        return entry >>> POSITION_SHIFT;
    }
}
