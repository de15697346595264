package io.heddle.perf.load.traffic;

import io.heddle.perf.load.accounting.Flows;
import io.heddle.perf.load.wire.MqttVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The totals of a load, and the faults among them: counts that the protocol forbids. */
final class Verdict {
    private Verdict() {}

    static Map<String, Long> totals(Traffic traffic) {
        Flows flows = traffic.flows();
        Map<String, Long> totals = new LinkedHashMap<>();
        totals.put("published", traffic.published());
        totals.put("delivered", flows.delivered());
        totals.put("lost", flows.missing());
        totals.put("duplicated", flows.duplicated());
        totals.put("reordered", flows.reordered());
        totals.put("strays", flows.strays());
        totals.put("foreign", traffic.foreign());
        totals.put("unacknowledged", traffic.unacknowledged());
        totals.put("refused", traffic.refused());
        totals.put("given up", traffic.givenUp());
        totals.put("broken connections", (long) traffic.broken());
        return totals;
    }

    static List<String> faults(Traffic traffic, MqttVersion version) {
        Flows flows = traffic.flows();
        List<String> faults = new ArrayList<>();
        traffic.breaks().forEach((reason, count) -> faults.add(count + " connections broke: " + reason));
        if (traffic.plan().lossForbidden()) {
            add(faults, flows.missing(), "deliveries were lost");
        }
        // At QoS 1, 3.1.1 permits a broker to resend at any time; 5.0 only on a new connection [MQTT-4.4.0-1], and
        // there is none here.
        if (traffic.plan().qos() != 1 || version == MqttVersion.V5) {
            add(faults, flows.duplicated(), "messages were delivered twice or more");
        }
        add(faults, flows.reordered(), "messages arrived after a later one of the same publisher");
        add(faults, flows.strays(), "messages were delivered to subscribers without a matching subscription");
        add(faults, traffic.unacknowledged(), "messages were never acknowledged");
        add(faults, traffic.refused(), "messages were refused by the broker");
        if (flows.delivered() == 0) {
            faults.add("nothing was delivered: check that topics and filters match");
        }
        return faults;
    }

    private static void add(List<String> faults, long count, String description) {
        if (count > 0) {
            faults.add(count + " " + description);
        }
    }
}
