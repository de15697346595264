/**
 * Tests of what is shipped: {@link io.heddle.app.packaging.ComposeFilesTest} and {@link io.heddle.app.packaging.DockerfileTest} check the files in
 * docker without a container engine, {@link io.heddle.app.packaging.ServiceUnitTest} the unit of systemd, {@link
 * io.heddle.app.packaging.MarkdownLinksTest} the links between the pages, {@link io.heddle.app.packaging.NoticeIT} the licences of the
 * distribution, and {@link io.heddle.app.packaging.ArchiveIT} runs the archive. {@code docker/check} builds and runs the images.
 */
@NullMarked
package io.heddle.app.packaging;

import org.jspecify.annotations.NullMarked;
