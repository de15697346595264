package io.heddle.app.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.FileSystemResource;

/** Files of the checked-out project, by their paths below its root. */
final class ProjectFiles {
    private ProjectFiles() {}

    static Path path(String path) {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = Objects.requireNonNull(folder.getParent(), "run the tests inside the project");
        }
        return folder.resolve(path);
    }

    static String read(String path) {
        try {
            return Files.readString(path(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the paths of the files in a folder whose names have an ending, in alphabetical order. */
    static List<String> in(String folder, String ending) {
        try (Stream<Path> files = Files.list(path(folder))) {
            return files.map(file -> folder + "/" + file.getFileName())
                    .filter(file -> file.endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the values of a YAML file by their keys, such as {@code kafka.strimzi.brokers} and {@code groups[0].name}. */
    static Properties yaml(String path) {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(new FileSystemResource(path(path)));
        return Objects.requireNonNull(yaml.getObject(), path);
    }
}
