package io.heddle.app.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.heddle.core.HotPath;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;

/**
 * Classes that break a rule, compiled from source text at run time. So they can be in the packages that the rules are about, need no
 * libraries (a library's type is one more source), are never on the broker's class path, and need no suppressed checks.
 */
final class Fixture {
    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");

    private Fixture() {}

    /**
     * Returns the compiled classes.
     *
     * @param folder for the class files; each fixture gets a folder of its own in it
     * @param sources each a compilation unit with a package; one without a type is a package-info.java
     */
    static JavaClasses compile(Path folder, String... sources) throws IOException {
        Path house = Files.createTempDirectory(folder, "house");
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "the tests need a JDK");
        List<JavaFileObject> units = Arrays.stream(sources).map(Fixture::unit).toList();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-proc:none", "-d", house.toString(), "-classpath", classPath());
            if (!compiler.getTask(complaints, files, null, options, null, units).call()) {
                throw new IllegalArgumentException("the fixture does not compile: " + complaints);
            }
        }
        return new ClassFileImporter().importPath(house);
    }

    private static JavaFileObject unit(String source) {
        Matcher named = PACKAGE.matcher(source);
        if (!named.find()) {
            throw new IllegalArgumentException("a fixture's source needs a package: " + source);
        }
        Matcher type = TYPE.matcher(source);
        String name = named.group(1) + "." + (type.find() ? type.group(1) : "package-info");
        return new SimpleJavaFileObject(
                URI.create("string:///" + name.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    /** Sources of the annotations of core and JSpecify. */
    private static String classPath() {
        return Stream.of(HotPath.class, NullMarked.class)
                .map(Fixture::location)
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new UncheckedIOException(new IOException("the class path has a folder with a strange name", e));
        }
    }
}
