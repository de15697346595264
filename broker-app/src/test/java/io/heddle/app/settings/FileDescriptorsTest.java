package io.heddle.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FileDescriptorsTest {
    @Test
    void aQuarterIsReservedUpToAMaximum() {
        assertThat(FileDescriptors.of(1_024, 0).reserve()).isEqualTo(256);
        assertThat(FileDescriptors.of(20_000, 0).reserve()).isEqualTo(5_000);
        assertThat(FileDescriptors.of(1_048_576, 0).reserve()).isEqualTo(5_000);
        assertThat(FileDescriptors.of(20_000, 300).reserve()).isEqualTo(300);
    }

    @Test
    void theConfiguredNumberOfConnectionsIsLoweredToTheAvailableDescriptors() {
        FileDescriptors descriptors = FileDescriptors.of(20_000, 0);

        assertThat(descriptors.connections(10_000)).isEqualTo(10_000);
        assertThat(descriptors.connections(1_000_000)).isEqualTo(15_000);
        assertThat(FileDescriptors.of(Long.MAX_VALUE, 0).connections(1_000_000)).isEqualTo(1_000_000);
        assertThat(FileDescriptors.of(100, 200).connections(1_000)).isOne();
    }

    @Test
    void httpGetsHalfOfTheReserve() {
        assertThat(FileDescriptors.of(1_024, 0).httpConnections()).isEqualTo(128);
        assertThat(FileDescriptors.of(20_000, 0).httpConnections()).isEqualTo(2_048);
    }

    @Test
    void theProcessHasALimit() {
        assertThat(FileDescriptors.ofProcess(0).limit()).isPositive();
    }
}
