package io.heddle.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links between the project's pages lead to files and headings that exist. {@link ArchiveIT} checks them in the archive. */
class MarkdownLinksTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void linksOfThePagesLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : MarkdownLinks.pages(PROJECT)) {
            // The README of the archive lies in its root.
            if (!page.equals(PROJECT.resolve("packaging/README.md"))) {
                broken.addAll(MarkdownLinks.broken(PROJECT, page));
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void brokenLinksAreFound(@TempDir Path root) throws IOException {
        Files.writeString(root.resolve("b.md"), "# One `two` (three), four-five\n\n```sh\n# Not a heading\n```\n");
        Path page = Files.writeString(root.resolve("a.md"), """
                ## Here
                [1](#here) [2](b.md) [3](b.md#one-two-three-four-five) [4](https://mqtt.org/) [5](c.md) [6](b.md#not-a-heading)
                [7](#there) [8](../outside.md)
                ```
                [9](code.md)
                ```
                """);

        assertThat(MarkdownLinks.broken(root, page))
                .containsExactly(
                        "a.md links to c.md",
                        "a.md links to b.md#not-a-heading",
                        "a.md links to #there",
                        "a.md links to ../outside.md");
        assertThat(MarkdownLinks.pages(root)).hasSize(2);
    }
}
