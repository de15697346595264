package io.heddle.core.authentication.csv;

/**
 * Terms of an import.
 *
 * @param replace whether credentials replace those for the same names
 * @param maximumPasswords the number of plain passwords to hash; lines with further ones are problems
 * @param hashes accepts password hashes that this broker can check
 */
public record ImportSettings(boolean replace, long maximumPasswords, HashFormat hashes) {}
