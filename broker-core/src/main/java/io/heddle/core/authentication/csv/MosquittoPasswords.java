package io.heddle.core.authentication.csv;

import io.heddle.core.authentication.certificate.CertificatePin;
import io.heddle.core.authentication.csv.CsvLines.CsvLine;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The users in a password file of Mosquitto: a user name, a colon and a hash in each line. Lines that begin with {@code #}, and blank ones, are
 * comments.
 */
public final class MosquittoPasswords implements ImportLines {
    private final CsvLines lines;
    private long line;

    /** @param input in UTF-8, which the caller closes */
    public MosquittoPasswords(InputStream input) {
        lines = new CsvLines(input);
    }

    @Override
    public @Nullable ImportLine next() throws IOException {
        for (CsvLine next = lines.next(); next != null; next = lines.next()) {
            line++;
            String text = line == 1 ? next.text().replace("\uFEFF", "") : next.text();
            if (next.problem() != null) {
                return ImportLine.wrong(line, line, next.problem());
            }
            if (!text.isBlank() && !text.startsWith("#")) {
                return user(text);
            }
        }
        return null;
    }

    private ImportLine user(String text) {
        // Names have no colon: mosquitto_passwd refuses it.
        int colon = text.indexOf(':');
        String hash = text.substring(colon + 1).trim();
        if (colon < 0 || hash.isEmpty()) {
            return ImportLine.wrong(line, line, "It is not a user name, a colon and a password hash.");
        }
        if (!hash.startsWith("$")) {
            return ImportLine.wrong(
                    line,
                    line,
                    "It has a plain-text password, which this format does not allow: write such users to a CSV file with"
                            + " the columns userName,password, and import that.");
        }
        if (hash.startsWith(CertificatePin.PREFIX)) {
            return ImportLine.wrong(line, line, "It has a certificate in place of a password hash.");
        }
        return new ImportLine(line, line, null, text.substring(0, colon).trim(), null, null, null, hash, null);
    }
}
