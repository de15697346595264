package io.heddle.api.credentials;

import io.heddle.core.authentication.csv.LineProblem;
import java.util.List;

/**
 * JSON representation of the outcome of an import.
 *
 * @param stored the number of credentials that were stored
 * @param rejected the number of lines that were not imported
 * @param problems the first 1,000 reasons, each with its line or lines
 */
record ImportReport(long stored, long rejected, List<LineProblem> problems) {}
