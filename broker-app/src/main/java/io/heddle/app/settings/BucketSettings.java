package io.heddle.app.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How device clients are spread.
 *
 * @param count the number of buckets, chosen at the cluster's first start and then fixed; 16 in the profile "standalone"
 */
public record BucketSettings(@DefaultValue("64") int count) {}
