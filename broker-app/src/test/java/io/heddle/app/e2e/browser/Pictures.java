package io.heddle.app.e2e.browser;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/**
 * Pictures of the console, in target/console, and with {@code -Dheddle.docs.write=true} in docs/console. They have a palette, which makes
 * them smaller.
 */
final class Pictures {
    private static final Path FOLDER =
            Boolean.getBoolean("heddle.docs.write") ? Path.of("..", "docs", "console") : Path.of("target", "console");

    private static final int COLOURS = 256;
    private static final int BITS = 8;

    private Pictures() {}

    /** Writes a picture of Playwright, which is a PNG. */
    static void write(String name, byte[] png) {
        try {
            Files.createDirectories(FOLDER);
            BufferedImage picture = ImageIO.read(new ByteArrayInputStream(png));
            save(withPalette(picture), FOLDER.resolve(name + ".png"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps the most frequent colours. The others, on the edges of letters, become the one that is most like them. */
    private static BufferedImage withPalette(BufferedImage picture) {
        int[] pixels = picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
        Map<Integer, Integer> counts = new HashMap<>();
        for (int pixel : pixels) {
            counts.merge(pixel, 1, Integer::sum);
        }
        int[] palette = counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder()))
                .limit(COLOURS)
                .mapToInt(Map.Entry::getKey)
                .toArray();
        Map<Integer, Integer> indexes = new HashMap<>();
        int[] result = new int[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            result[i] = indexes.computeIfAbsent(pixels[i], pixel -> nearest(palette, pixel));
        }
        IndexColorModel colours =
                new IndexColorModel(BITS, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE);
        BufferedImage reduced =
                new BufferedImage(picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, colours);
        reduced.getRaster().setPixels(0, 0, picture.getWidth(), picture.getHeight(), result);
        return reduced;
    }

    private static int nearest(int[] palette, int pixel) {
        int nearest = 0;
        for (int i = 1; i < palette.length; i++) {
            if (distance(palette[i], pixel) < distance(palette[nearest], pixel)) {
                nearest = i;
            }
        }
        return nearest;
    }

    private static int distance(int one, int other) {
        int sum = 0;
        for (int shift = 0; shift < 3 * BITS; shift += BITS) {
            int difference = (one >> shift & 0xFF) - (other >> shift & 0xFF);
            sum += difference * difference;
        }
        return sum;
    }

    private static void save(BufferedImage picture, Path file) throws IOException {
        ImageWriter writer = Objects.requireNonNull(
                ImageIO.getImageWritersByFormatName("png").next());
        ImageWriteParam parameters = writer.getDefaultWriteParam();
        parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        parameters.setCompressionQuality(0);
        Files.deleteIfExists(file);
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(picture, null, null), parameters);
        } finally {
            writer.dispose();
        }
    }
}
