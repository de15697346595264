package io.heddle.transport.certificate;

import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.TlsSettings;
import io.heddle.transport.tls.TrustFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of files at one time, to notice changes: two are equal if no file has changed between them. Follows symbolic links, because
 * Kubernetes replaces a mounted secret by changing a link to a directory.
 *
 * @param states one text for each file
 */
record FileStates(List<String> states) {
    FileStates {
        states = List.copyOf(states);
    }

    static FileStates of(TlsSettings settings) {
        List<Path> files = new ArrayList<>();
        for (KeyFiles key : settings.keys()) {
            files.add(key.certificate());
            Path keyFile = key.key();
            if (keyFile != null) {
                files.add(keyFile);
            }
        }
        TrustFiles trust = settings.trust();
        if (trust != null) {
            files.add(trust.trustStore());
            files.addAll(trust.revocationLists());
        }
        return new FileStates(files.stream().map(FileStates::state).toList());
    }

    private static String state(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return file.toRealPath() + " " + attributes.fileKey() + " " + attributes.size() + " "
                    + attributes.lastModifiedTime();
        } catch (IOException e) {
            return file + " " + e.getClass().getSimpleName();
        }
    }
}
