package io.heddle.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Keeps an answer of the REST interface in memory. Nothing reaches the response of the page. Used by one thread. */
final class InnerResponse extends HttpServletResponseWrapper {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final PrintWriter writer = new PrintWriter(body, false, UTF_8);
    private int status = SC_OK;
    private boolean isError;

    private final ServletOutputStream output = new ServletOutputStream() {
        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new IllegalStateException("the answer is kept in memory");
        }

        @Override
        public void write(int octet) {
            body.write(octet);
        }

        @Override
        public void write(byte[] bytes, int start, int length) {
            body.write(bytes, start, length);
        }
    };

    InnerResponse(HttpServletResponse page) {
        super(page);
    }

    byte[] body() {
        writer.flush();
        return body.toByteArray();
    }

    /** Returns whether a filter has refused the request by a status without a body. */
    boolean isError() {
        return isError;
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void setStatus(int code) {
        status = code;
    }

    @Override
    public void sendRedirect(String location, int code, boolean isBufferCleared) {
        throw new IllegalStateException("the REST interface redirects no request");
    }

    @Override
    public void sendError(int code) {
        status = code;
        isError = true;
    }

    @Override
    public void sendError(int code, String message) {
        sendError(code);
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return output;
    }

    @Override
    public PrintWriter getWriter() {
        return writer;
    }

    @Override
    public boolean isCommitted() {
        return isError;
    }

    @Override
    public void reset() {
        resetBuffer();
        headers.clear();
    }

    @Override
    public void resetBuffer() {
        body.reset();
    }

    @Override
    public void flushBuffer() {
        writer.flush();
    }

    @Override
    public int getBufferSize() {
        return body.size();
    }

    @Override
    public void setBufferSize(int size) {
        // It grows.
    }

    @Override
    public @Nullable String getHeader(String name) {
        return headers.get(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        String value = headers.get(name);
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return headers.keySet();
    }

    @Override
    public boolean containsHeader(String name) {
        return headers.containsKey(name);
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (value == null) {
            headers.remove(name);
        } else {
            headers.put(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        headers.putIfAbsent(name, value);
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public void setDateHeader(String name, long value) {
        setHeader(name, Long.toString(value));
    }

    @Override
    public void addDateHeader(String name, long value) {
        addHeader(name, Long.toString(value));
    }

    @Override
    public @Nullable String getContentType() {
        return headers.get(HttpHeaders.CONTENT_TYPE);
    }

    @Override
    public void setContentType(@Nullable String type) {
        setHeader(HttpHeaders.CONTENT_TYPE, type);
    }

    @Override
    public String getCharacterEncoding() {
        return UTF_8.name();
    }

    @Override
    public void setCharacterEncoding(@Nullable String encoding) {
        // JSON is UTF-8.
    }

    @Override
    public void setContentLength(int length) {
        // The page has another length.
    }

    @Override
    public void setContentLengthLong(long length) {
        // The page has another length.
    }

    @Override
    public void setLocale(Locale locale) {
        // The page has its own.
    }

    @Override
    public void addCookie(Cookie cookie) {
        throw new IllegalStateException("an answer of the REST interface has no cookies");
    }
}
