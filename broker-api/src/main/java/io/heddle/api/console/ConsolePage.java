package io.heddle.api.console;

import java.util.List;
import java.util.stream.Stream;

/**
 * @param name the last part of the address, and the name of the template
 * @param title the title
 * @param section the name of the page that the navigation marks
 * @param feeds the requests whose answers the template shows
 */
record ConsolePage(String name, String title, String section, List<Feed> feeds) {
    /** @param feeds see {@link Feed#of} */
    static ConsolePage of(String name, String title, String section, String... feeds) {
        return new ConsolePage(
                name, title, section, Stream.of(feeds).map(Feed::of).toList());
    }

    boolean isOf(String feed) {
        return feeds.stream().anyMatch(each -> each.name().equals(feed));
    }
}
