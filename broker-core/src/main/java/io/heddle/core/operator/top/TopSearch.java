package io.heddle.core.operator.top;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.Rates;
import io.heddle.core.client.activity.Activity;
import io.heddle.core.client.activity.Ranking;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.SessionAdministration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Finds the clients and topics of all nodes with the highest values, and the clients for which most messages wait. Thread-safe; blocks its
 * callers, so not on an event loop.
 */
public final class TopSearch {
    /** The highest number of entries of a ranking. */
    public static final int MAXIMUM_LIMIT = 100;

    /** The highest number of topics in a tree. */
    public static final int MAXIMUM_TOPICS = 1_000;

    /** More than the bytes of a ranking besides its entries. */
    private static final int HEADER_BYTES = 50;

    private static final RecordFormat<Question> QUESTION = RecordFormat.of(Question.class);
    private static final RecordFormat<Answer> ANSWER = RecordFormat.of(Answer.class);
    private static final RecordFormat<SlowAnswer> SLOW_ANSWER = RecordFormat.of(SlowAnswer.class);

    private final NodeQuestions questions;
    private final SteadyClock clock;

    private record Question(int limit) {}

    /** @param rankings the highest values of each */
    record Answer(Map<Ranking, Highest> rankings) {}

    record Highest(double total, List<Entry> entries) {
        Rates toRates() {
            return new Rates(total, entries.stream().collect(Collectors.toMap(Entry::key, Entry::value)));
        }
    }

    record Entry(String key, double value) {}

    private record SlowAnswer(List<SlowClient> clients) {}

    public TopSearch(NodeQuestions questions, SteadyClock clock) {
        this.questions = questions;
        this.clock = clock;
    }

    /** Answers the questions of all nodes about the clients of this one. Called once. */
    public void answer(LocalSessions sessions) {
        SessionAdministration administration = new SessionAdministration(sessions);
        SessionSurvey survey = new SessionSurvey(sessions, clock);
        questions.answer(QuestionKind.TOP, (question, maximumBytes) -> {
            int limit = QUESTION.decode(question).limit();
            Map<Ranking, Rates> rankings = await(administration
                    .activity()
                    .thenCombine(
                            survey.look(),
                            (rates, sizes) -> Activity.sum(
                                    rates,
                                    Map.of(
                                            Ranking.CLIENT_SUBSCRIPTIONS, sizes.subscriptions(),
                                            Ranking.CLIENT_WAITING, sizes.waiting()))));
            return ANSWER.encode(highest(rankings, limit, maximumBytes));
        });
        questions.answer(QuestionKind.SLOW_CLIENTS, (question, maximumBytes) -> {
            int limit = QUESTION.decode(question).limit();
            List<SlowClient> slow = await(survey.look()).slow();
            return SLOW_ANSWER.encode(slow.subList(0, Math.min(limit, slow.size())), maximumBytes, SlowAnswer::new);
        });
    }

    /** Takes as many of the entries as fit, of each ranking as many bytes. */
    static Answer highest(Map<Ranking, Rates> rankings, int limit, int maximumBytes) {
        int maximumOfRanking = maximumBytes / Ranking.values().length - HEADER_BYTES;
        Map<Ranking, Highest> highest = new EnumMap<>(Ranking.class);
        rankings.forEach((ranking, rates) -> {
            List<Entry> entries = rates.highest(limit).stream()
                    .map(each -> new Entry(each.getKey(), each.getValue()))
                    .toList();
            highest.put(ranking, new Highest(rates.total(), RecordFormat.fitting(entries, maximumOfRanking)));
        });
        return new Answer(highest);
    }

    private static <T> T await(CompletionStage<T> answer) {
        return Answers.await(answer, NodeQuestions.LIMIT, "the event loops", StoreUnavailableException::new);
    }

    /** Returns the highest values of all nodes. */
    public Top find() {
        return find(MAXIMUM_LIMIT);
    }

    /** Returns the topics of all nodes with the most messages, at most so many. */
    public TopicTree topics(int limit) {
        return TopicTree.of(find(MAXIMUM_TOPICS), limit);
    }

    /** @param ofNode the highest number of entries of each ranking of a node */
    private Top find(int ofNode) {
        Map<Ranking, Rates> rankings = new HashMap<>();
        List<String> missing = questions.forEachAnswer(
                QuestionKind.TOP,
                QUESTION.encode(new Question(ofNode)),
                (_, answer) -> ANSWER.decode(answer)
                        .rankings()
                        .forEach((each, highest) -> rankings.merge(each, highest.toRates(), Rates::plus)));
        return new Top(rankings, missing);
    }

    /** Returns the connected clients of all nodes with the most waiting messages. */
    public SlowClients findSlow(int limit) {
        List<SlowClients.Entry> entries = new ArrayList<>();
        List<String> missing = questions.forEachAnswer(
                QuestionKind.SLOW_CLIENTS,
                QUESTION.encode(new Question(limit)),
                (node, answer) -> SLOW_ANSWER
                        .decode(answer)
                        .clients()
                        .forEach(each -> entries.add(new SlowClients.Entry(node, each))));
        entries.sort(Comparator.comparingLong(
                        (SlowClients.Entry each) -> each.client().waiting())
                .reversed());
        return new SlowClients(entries.subList(0, Math.min(limit, entries.size())), missing);
    }
}
