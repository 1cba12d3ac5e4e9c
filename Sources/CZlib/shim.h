#pragma once

#include <zlib.h>

/* deflateInit2 is a macro. 15 bits of window, and 16 more for a gzip wrapper (zlib.h, deflateInit2). */
static inline int CZlib_start_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}
