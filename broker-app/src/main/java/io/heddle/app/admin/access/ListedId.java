package io.heddle.app.admin.access;

import java.util.UUID;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an id that a list prints. Picocli creates it, and its own converter tells users the name of a Java class. */
final class ListedId implements ITypeConverter<UUID> {
    @Override
    public UUID convert(String text) {
        try {
            UUID id = UUID.fromString(text);
            if (id.toString().equalsIgnoreCase(text)) {
                return id;
            }
        } catch (IllegalArgumentException _) {
            // The sentence below says it.
        }
        throw new TypeConversionException("use an id as \"list\" prints it");
    }
}
