package io.heddle.core.operator.top;

import io.heddle.core.client.Rates;
import io.heddle.core.client.activity.Ranking;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The clients and topics with the highest values of each ranking.
 *
 * @param missingNodes the nodes that have not answered
 */
public record Top(Map<Ranking, Rates> rankings, List<String> missingNodes) {
    public Top {
        EnumMap<Ranking, Rates> copy = new EnumMap<>(Ranking.class);
        copy.putAll(rankings);
        rankings = copy;
        missingNodes = List.copyOf(missingNodes);
    }

    public Rates of(Ranking ranking) {
        return Objects.requireNonNullElse(rankings.get(ranking), Rates.NONE);
    }
}
