package io.heddle.app.admin.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.ApiServer;
import io.heddle.app.admin.request.NodeClient;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListOptionsTest {
    private static final ApiPath CLIENTS = ApiPath.of("clients").with("state", "away");

    @Test
    void partsAreRequestedUntilTheEnd() throws Exception {
        try (ApiServer server = ApiServer.start()
                        .answer(200, "{\"items\": [1, 2], \"next\": \"c=1\", \"missingNodes\": [\"b\"]}")
                        .answer(200, "{\"items\": [], \"next\": \"c2\", \"missingNodes\": []}")
                        .answer(200, "{\"items\": [3], \"next\": null, \"missingNodes\": [\"a\"]}");
                NodeClient node = new NodeClient(server.uri(), "admin", "", null)) {
            ListOptions.Fetched fetched = ListOptions.fetch(node, CLIENTS, 1_500, 1_000);

            assertThat(fetched.json()).isEqualTo("{\"items\":[1,2,3],\"next\":null,\"missingNodes\":[\"a\",\"b\"]}");
            assertThat(server.requests())
                    .containsExactly(
                            "GET /api/v1/clients?state=away&limit=1000",
                            "GET /api/v1/clients?state=away&limit=1000&after=c%3D1",
                            "GET /api/v1/clients?state=away&limit=1000&after=c2");
        }
    }

    @Test
    void anIncompletePartMakesTheListIncomplete() throws Exception {
        try (ApiServer server = ApiServer.start()
                        .answer(200, "{\"items\": [1], \"next\": \"c\", \"complete\": false}")
                        .answer(200, "{\"items\": [2], \"next\": null, \"complete\": true}");
                NodeClient node = new NodeClient(server.uri(), "admin", "", null)) {
            assertThat(ListOptions.fetch(node, CLIENTS, 5, 1_000).json())
                    .isEqualTo("{\"items\":[1,2],\"next\":null,\"complete\":false}");
        }
    }

    @Test
    void whatAListHasBesidesItsEntriesIsPrinted() throws Exception {
        try (ApiServer server = ApiServer.start()
                        .answer(
                                200,
                                "{\"items\": [{\"id\": \"x\"}], \"note\": {\"text\": \"It goes to x.\"}, \"next\": null}");
                NodeClient node = new NodeClient(server.uri(), "admin", "", null)) {
            ListOptions.Fetched fetched = ListOptions.fetch(node, CLIENTS, 5, 1_000);

            assertThat(fetched.json())
                    .isEqualTo("{\"items\":[{\"id\":\"x\"}],\"note\":{\"text\":\"It goes to x.\"},\"next\":null}");
            assertThat(fetched.text(List.of(Column.of("ID", "id")), "note.text"))
                    .isEqualTo("ID\nx\n\nIt goes to x.");
            assertThat(fetched.text(List.of(Column.of("ID", "id")), "")).isEqualTo("ID\nx");
        }
    }

    @Test
    void theLimitEndsTheRequestsAndTheCursorStays() throws Exception {
        try (ApiServer server = ApiServer.start()
                        .answer(200, "{\"items\": [1, 2], \"next\": \"c1\"}")
                        .answer(200, "{\"items\": [3], \"next\": \"c2\"}");
                NodeClient node = new NodeClient(server.uri(), "admin", "", null)) {
            ListOptions.Fetched fetched = ListOptions.fetch(node, CLIENTS, 3, 1_000);

            assertThat(fetched.json()).isEqualTo("{\"items\":[1,2,3],\"next\":\"c2\"}");
            assertThat(server.requests())
                    .containsExactly(
                            "GET /api/v1/clients?state=away&limit=3",
                            "GET /api/v1/clients?state=away&limit=1&after=c1");
        }
    }
}
