/**
 * Lists and versions: the conventions that all resources share.
 *
 * <p>Entry class: {@link io.heddle.api.page.ListRules}, which reads the parameters of a list; {@link io.heddle.api.page.Page} is its
 * answer, {@link io.heddle.api.page.ClusterPage} that of a list for which all nodes are asked, and {@link io.heddle.api.page.EntityTags}
 * compares versions of an object. Runs on the virtual thread of the request. Invariant: an unknown parameter or a bad value is a problem,
 * never ignored; a cursor contains the last key and a hash of the filters, and no state of the broker. The resources themselves walk their
 * lists.
 */
@NullMarked
package io.heddle.api.page;

import org.jspecify.annotations.NullMarked;
