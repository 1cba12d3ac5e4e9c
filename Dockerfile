# The program is built with Swift and run on a slim Debian. SWIFT_IMAGE may be any image of Debian 12 with Swift 6.3.
# How the image is run, with its root read-only, stands in packaging/README.md; `make prove-image` runs its last stage
# where no container engine is.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG DEBIAN_IMAGE=debian:12-slim

FROM ${SWIFT_IMAGE} AS build
WORKDIR /src
COPY .ci/install .ci/packages .ci/
RUN .ci/install build
COPY . .
RUN make build && make install DESTDIR=/image

FROM ${DEBIAN_IMAGE}
# What the program is linked with; the roots that scans verify by; the zones of weekly silences.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates tzdata libc-ares2 libcurl4 libexpat1 libidn2-0 libmicrohttpd12 libpsl5 libsqlite3-0 libssl3 libstdc++6 libyaml-0-2 \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --user-group --uid 10100 --no-create-home --home-dir /var/lib/pinwatch --shell /usr/sbin/nologin pinwatch \
    && install -d -o pinwatch -g pinwatch -m 0700 /var/lib/pinwatch
COPY --from=build /image/ /

ARG VERSION=unknown
LABEL org.opencontainers.image.title="Pinwatch" \
      org.opencontainers.image.description="Watches TLS hosts against the pins that apps ship with" \
      org.opencontainers.image.version="${VERSION}"
USER 10100:10100
WORKDIR /var/lib/pinwatch
VOLUME /var/lib/pinwatch
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["/usr/lib/pinwatch/healthcheck", "8080"]
ENTRYPOINT ["/usr/bin/pinwatch"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
